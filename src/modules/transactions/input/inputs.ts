import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import type { Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { metadata } from '../../../platform/input/metadata.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import { text } from '../../../platform/input/text.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { INTEGRATION_CLIENTS } from '../model/details.ts';
import { browserInfo } from './browser-info.ts';
import { refuseBank } from './bank.ts';
import { cardNetwork, refuseNetwork } from './card-network.ts';
import { cartItems, toCartItem } from './cart-items.ts';
import { refuseCombination, type Combination } from './combinations.ts';
import { giftCards, refuseFunding } from './gift-cards.ts';
import { orderDetails, refuseOrder, withOrderDetails } from './order-details.ts';
import { networkToken, providerToken, redirectMethods, refuseMeans, walletToken } from './means.ts';
import { refuseRetryPlan, retryPlan, toRetryPlan } from '../retry-rules/input.ts';
import { refuseStored, refuseTwoBuyers, storedPaymentMethod } from './stored.ts';
import { connectionOptions } from './connection-options.ts';
import { bankAccount, buyer, card, shippingDetails, type Ask } from '../../payment-methods/index.ts';
import { threeDSDataV1, threeDSDataV2 } from '../../three-ds/index.ts';
import { THREE_D_SECURE_REQUESTS, type ExternalData } from '../model/three-d-secure.ts';
import { refuseThreeDSecure } from './three-d-secure.ts';
import { givenShares, refuseSplits, splits, toShares } from './splits.ts';
import { statementDescriptor } from './statement-descriptor.ts';
import {
  amount,
  amountMost,
  country,
  currency,
  ipAddress,
  optional,
  webAddress,
  wholeNumber,
} from '../../../platform/input/values.ts';

/**
 * Returns the schemas of createTransaction's input. The schema `now` refuses all that is wrong at this moment. The schema
 * `ever` accepts input that only time has made wrong, such as an expired card. A repeated request gets the stored answer of
 * its key at any time.
 *
 * Each app builds them once, because building a schema costs far more than using the schema.
 */
export const createTransactionInput = oncePer((app: InputApp): Schemas => ({
  now: schemaOf(app, (moment) => moment(app.clock.now())),
  ever: schemaOf(app, () => true),
}));

export type CreateTransactionInput = z.output<Schemas['now']>;

type InputApp = Pick<App, 'clock' | 'config' | 'connectors' | 'antiFraudConnectors'>;
type Schemas = { readonly now: ReturnType<typeof schemaOf>; readonly ever: ReturnType<typeof schemaOf> };

const redirect = (connectors: InputApp['connectors']) =>
  z.object({
    method: z.enum(redirectMethods(connectors), 'Must be a redirect method of an installed connector.'),
  });

const fieldsOf = ({ config, connectors, antiFraudConnectors }: InputApp, ask: Ask) =>
  z.object({
    amount: amount(0),
    currency,
    country: optional(country),
    paymentMethod: optional(
      z.object({
        card: optional(card(ask).extend({ network: cardNetwork })),
        applePay: optional(walletToken),
        googlePay: optional(walletToken),
        networkToken: optional(networkToken(ask)),
        providerToken: optional(providerToken),
        bank: optional(bankAccount(ask)),
        redirect: optional(redirect(connectors)),
        stored: optional(storedPaymentMethod),
      }),
    ),
    giftCards: optional(giftCards),
    intent: z.enum(['authorize', 'capture']),
    externalIdentifier: optional(text(1, 200)),
    paymentSource: z.enum(['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file']),
    merchantInitiated: z.boolean(),
    isSubsequentPayment: z.boolean(),
    store: z.boolean(),
    installmentCount: optional(wholeNumber(1, 100)),
    threeDSecure: optional(
      z.object({
        request: z.enum(THREE_D_SECURE_REQUESTS).nullish(),
        amount: optional(amountMost),
        dataV1: optional(threeDSDataV1),
        dataV2: optional(threeDSDataV2),
      }),
    ),
    approvalExpiresAt: optional(
      z.date().refine((moment) => ask((now) => moment > now), 'Must be in the future.'),
    ),
    buyerId: optional(z.string().refine(isUuid, 'Must be the id of a buyer.')),
    buyerExternalIdentifier: optional(text(1, 200)),
    buyer: optional(buyer),
    shippingDetails: optional(shippingDetails),
    ipAddress: optional(ipAddress),
    browserInfo: optional(browserInfo),
    cartItems: optional(cartItems),
    ...orderDetails,
    splits: optional(splits),
    statementDescriptor: optional(statementDescriptor),
    metadata: optional(metadata),
    connectionOptions: optional(connectionOptions({ connectors, antiFraudConnectors })),
    integrationClient: optional(z.enum(INTEGRATION_CLIENTS)),
    redirectUrl: optional(webAddress({ insecure: !config.production })),
    antiFraudFingerprint: optional(text(1, 200)),
    paymentServiceId: optional(z.string().refine(isUuid, 'Must be the id of a payment service.')),
    retryPlan: optional(retryPlan),
  });

type Fields = z.output<ReturnType<typeof fieldsOf>>;

const schemaOf = (app: InputApp, ask: Ask) =>
  fieldsOf(app, ask)
    .superRefine((fields, context) => {
      const issues = [
        ...refuseBetween(fields),
        ...refuseFunding(fields),
        ...refuseTwoBuyers(fields),
        ...refuseOrder(fields),
        ...refuseSplits(fields),
        ...refuseRetryPlan(fields),
      ];
      for (const { path, message } of issues) {
        context.addIssue({ code: 'custom', path: [...path], message });
      }
    })
    .transform(withOrderDetails)
    .transform(
      ({ threeDSecure, cartItems: items, splits: shares, paymentMethod, retryPlan: plan, ...fields }) => ({
        ...fields,
        paymentMethod: paymentMethod ?? NO_METHOD,
        threeDSecureRequest: threeDSecure?.request ?? ('automatic' as const),
        threeDSecureAmount: threeDSecure?.amount ?? null,
        threeDSecureData: externalDataOf(threeDSecure),
        cartItems: items?.length ? items.map(toCartItem) : null,
        splits: toShares(shares),
        retryPlan: toRetryPlan(plan),
      }),
    );

const NO_METHOD = {
  ...{ card: null, applePay: null, googlePay: null, networkToken: null, providerToken: null },
  ...{ bank: null, redirect: null, stored: null },
};

/** Returns the data of an authentication that was done elsewhere, or null. */
function externalDataOf(given: Fields['threeDSecure']): ExternalData | null {
  if (given?.dataV1) return { dataV1: given.dataV1, dataV2: null };
  return given?.dataV2 ? { dataV1: null, dataV2: given.dataV2 } : null;
}

type Issue = { readonly path: readonly (string | number)[]; readonly message: string };

/** The fields of a payment that are checked against each other. A payment link has the same fields. */
export type Between = Combination &
  Pick<Fields, 'intent' | 'amount' | 'currency' | 'cartItems'> &
  Partial<Pick<Fields, 'threeDSecure' | 'paymentMethod' | 'redirectUrl' | 'paymentServiceId'>>;

/** Lists contradictions between fields. Runs even when single fields are wrong, so that one answer lists everything. */
export function refuseBetween(fields: Between): readonly Issue[] {
  const issues: Issue[] = [];
  if (fields.intent === 'capture' && fields.amount === 0) {
    issues.push({ path: ['amount'], message: 'Must be above 0 when the intent is to capture.' });
  }
  issues.push(...refuseThreeDSecure(fields));
  if (fields.paymentMethod?.redirect && fields.redirectUrl == null) {
    issues.push({
      path: ['redirectUrl'],
      message: 'Must be given: the buyer returns to this address after approval.',
    });
  }
  issues.push(
    ...refuseBank(fields),
    ...refuseMeans(fields),
    ...refuseNetwork(fields),
    ...refuseStored(fields),
  );
  // A stored method need not be stored again for the payments that follow.
  const isStored = fields.paymentMethod?.stored != null;
  const combination = refuseCombination({ ...fields, store: fields.store || isStored });
  if (combination) issues.push({ path: [combination.field], message: combination.message });
  for (const [index, item] of (fields.cartItems ?? []).entries()) {
    if (item.amount && item.amount.currency !== fields.currency) {
      const path = ['cartItems', index, 'amount', 'currency'];
      issues.push({ path, message: 'Must be the currency of the transaction.' });
    }
  }
  return issues;
}

/** Checks the input of a payment at this moment. */
export const checkTransactionInput = (app: InputApp, given: unknown): Result<unknown, InvalidInput> =>
  parseInput(createTransactionInput(app).now, given);

/** The input of captureTransaction. A null amount captures all that is capturable. */
export const captureInput = z.object({
  amount: optional(amount(1)),
  final: z.boolean().default(true),
  externalIdentifier: optional(text(1, 300)),
  splits: optional(givenShares),
});

/** The input of increaseAuthorization. The amount is the part to add. */
export const increaseInput = z.object({
  amount: amount(1),
  externalIdentifier: optional(text(1, 300)),
});

/** The input of refundTransaction. A null amount refunds all that is refundable. */
export const refundInput = z
  .object({
    amount: optional(amount(1)),
    target: z.enum(['payment_method', 'gift_card_redemption', 'all']).default('payment_method'),
    redemptionId: optional(z.string().refine(isUuid, 'Must be the id of a gift card redemption.')),
    reason: optional(text(0, 100)),
    externalIdentifier: optional(text(1, 300)),
    force: z.boolean().default(false),
    splits: optional(givenShares),
  })
  .refine(({ target, redemptionId }) => (target === 'gift_card_redemption') === (redemptionId !== null), {
    path: ['redemptionId'],
    message: 'Must be given with the target GIFT_CARD_REDEMPTION, and with no other.',
  })
  .refine(({ target, splits: shares }) => target === 'payment_method' || shares === null, {
    path: ['splits'],
    message: 'Must be left out, unless the target is PAYMENT_METHOD.',
  });
