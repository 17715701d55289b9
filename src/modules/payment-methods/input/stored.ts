import { z } from 'zod';
import type { App } from '../../../app.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/input/text.ts';
import { country, currency, optional, pattern, webAddress } from '../../../platform/input/values.ts';
import { CARD_SCHEMES } from '../../payment-services/index.ts';
import { redirectsToStore } from '../model/methods.ts';
import { bankAccount } from './bank-account.ts';
import { card, cardNumber, expirationDate, type Ask } from './card.ts';

const cardScheme = z.enum(CARD_SCHEMES, 'Must be a card scheme.');

type InputApp = Pick<App, 'config' | 'connectors'>;

const redirectMethod = oncePer((connectors: App['connectors']) =>
  z.enum(redirectsToStore(connectors), 'Must be a method that redirects the buyer to another site.'),
);

const networkToken = (ask: Ask) =>
  z.object({
    token: cardNumber,
    expirationDate: expirationDate(ask),
    scheme: optional(cardScheme),
    cardLastFour: optional(pattern(/^\d{4}$/, 'Must be the last four digits of the card.')),
  });

const redirect = (app: InputApp) =>
  z.object({
    ...{ method: redirectMethod(app.connectors), country, currency },
    redirectUrl: webAddress({ insecure: !app.config.production }),
  });

const instantBankMandate = (app: InputApp) =>
  z.object({
    method: redirectMethod(app.connectors),
    paymentServiceId: z.string().refine(isUuid, 'Must be the id of a payment service.'),
    mandate: text(1, 10_000),
    country,
    currency,
  });

/**
 * Parses an instrument to store. The GraphQL schema admits exactly one instrument. `ask` checks the expiry of a
 * card.
 */
export const storePaymentMethodInput = (app: InputApp, ask: Ask) =>
  z
    .object({
      instrument: z.object({
        card: card(ask).nullish(),
        redirect: redirect(app).nullish(),
        bankAccount: bankAccount(ask).nullish(),
        networkToken: networkToken(ask).nullish(),
        instantBankMandate: instantBankMandate(app).nullish(),
      }),
      buyerId: optional(z.string().refine(isUuid, 'Must be the id of a buyer.')),
      buyerExternalIdentifier: optional(text(1, 200)),
      externalIdentifier: optional(text(1, 200)),
    })
    .superRefine(({ buyerId, buyerExternalIdentifier }, context) => {
      if (buyerId === null || buyerExternalIdentifier === null) return;
      const message = 'Give buyerId or buyerExternalIdentifier, not both.';
      context.addIssue({ code: 'custom', path: ['buyerExternalIdentifier'], message });
    });

export type StoreInput = z.output<ReturnType<typeof storePaymentMethodInput>>;
export type StoredInstrumentInput = StoreInput['instrument'];

const NULL_MESSAGE = 'Must not be null. Omit the field to keep its value.';

/**
 * Parses a change of a payment method. Omitted fields keep their values.
 *
 * Only `schemeTransactionId` can be cleared by null. Its scheme is cleared too, and may then be null in the
 * input.
 */
export const updatePaymentMethodInput = (ask: Ask) =>
  z
    .object({
      expirationDate: expirationDate(ask)
        .nullish()
        .refine((date) => date !== null, NULL_MESSAGE)
        .transform((date) => date ?? undefined),
      schemeTransactionId: text(1, 100).nullish(),
      schemeTransactionIdScheme: cardScheme.nullish(),
      transactionLinkId: text(1, 100).nullish(),
    })
    .superRefine(({ schemeTransactionId, schemeTransactionIdScheme }, context) => {
      if (schemeTransactionIdScheme !== null || schemeTransactionId === null) return;
      context.addIssue({ code: 'custom', path: ['schemeTransactionIdScheme'], message: NULL_MESSAGE });
    });

export type PaymentMethodChange = z.output<ReturnType<typeof updatePaymentMethodInput>>;
