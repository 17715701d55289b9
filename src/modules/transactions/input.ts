import { z } from 'zod';
import type { App } from '../../app.ts';
import { isUuid } from '../../platform/ids.ts';
import { text } from '../../platform/text.ts';
import { isExpired } from './card.ts';
import { INTEGRATION_CLIENTS } from './details.ts';
import { cartItems, toCartItem } from './input/cart-items.ts';
import { redirectMethods } from './input/methods.ts';
import { refuseCombination } from './input/combinations.ts';
import { connectionOptions } from './input/connection-options.ts';
import { buyer, shippingDetails } from '../payment-methods/index.ts';
import { statementDescriptor } from './input/statement-descriptor.ts';
import {
  amount,
  amountMost,
  country,
  currency,
  optional,
  pattern,
  webAddress,
  wholeNumber,
} from '../../platform/values.ts';

/**
 * The input of createTransaction (spec "Other fields named on transactions"; facts 11). `now` refuses all that is wrong
 * at this moment. `ever` takes what time alone has made wrong since, such as a card that has expired: a repeated request
 * is answered from the record of its key, whenever it comes.
 */
export function createTransactionInput(app: InputApp): Schemas {
  const known = built.get(app);
  if (known) return known;
  const schemas = {
    now: schemaOf(app, (moment) => moment(app.clock.now())),
    ever: schemaOf(app, () => true),
  };
  built.set(app, schemas);
  return schemas;
}

export type CreateTransactionInput = z.output<Schemas['now']>;

type InputApp = Pick<App, 'clock' | 'config' | 'connectors'>;
type Schemas = { readonly now: ReturnType<typeof schemaOf>; readonly ever: ReturnType<typeof schemaOf> };

/** Building a schema costs far more than using it. */
const built = new WeakMap<InputApp, Schemas>();

/** Asks something of the present moment, or does not ask. */
type Ask = (question: (now: Date) => boolean) => boolean;

const card = (ask: Ask) =>
  z.object({
    number: z
      .string()
      .transform((digits) => digits.replaceAll(' ', ''))
      .pipe(pattern(/^\d{13,19}$/, 'Must be 13 to 19 digits.')),
    expirationDate: pattern(/^(0[1-9]|1[0-2])\/\d{2}$/, 'Must be in the form MM/YY.').refine(
      (date) => ask((now) => !isExpired(date, now)),
      'The card has expired.',
    ),
    securityCode: optional(pattern(/^\d{3,4}$/, 'Must be 3 or 4 digits.')),
  });

const redirect = (connectors: InputApp['connectors']) =>
  z.object({ method: z.enum(redirectMethods(connectors), 'Must be a method that a connector here has.') });

const fieldsOf = ({ config, connectors }: InputApp, ask: Ask) =>
  z.object({
    amount: amount(0),
    currency,
    country: optional(country),
    paymentMethod: z.object({ card: optional(card(ask)), redirect: optional(redirect(connectors)) }),
    intent: z.enum(['authorize', 'capture']),
    externalIdentifier: optional(text(1, 200)),
    paymentSource: z.enum(['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file']),
    merchantInitiated: z.boolean(),
    isSubsequentPayment: z.boolean(),
    store: z.boolean(),
    installmentCount: optional(wholeNumber(1, 100)),
    threeDSecure: optional(z.object({ amount: optional(amountMost) })),
    approvalExpiresAt: optional(
      z.date().refine((moment) => ask((now) => moment > now), 'Must be in the future.'),
    ),
    buyer: optional(buyer),
    shippingDetails: optional(shippingDetails),
    cartItems: optional(cartItems),
    statementDescriptor: optional(statementDescriptor),
    metadata: optional(z.record(z.string(), text(0, 500))),
    connectionOptions: optional(
      connectionOptions(connectors.flatMap(({ definitions }) => definitions.map(({ id }) => id))),
    ),
    integrationClient: optional(z.enum(INTEGRATION_CLIENTS)),
    redirectUrl: optional(webAddress({ insecure: !config.production })),
    antiFraudFingerprint: optional(text(1, 200)),
    paymentServiceId: optional(z.string().refine(isUuid, 'Must be the id of a payment service.')),
  });

type Fields = z.output<ReturnType<typeof fieldsOf>>;

const schemaOf = (app: InputApp, ask: Ask) =>
  fieldsOf(app, ask)
    .superRefine((fields, context) => {
      for (const { path, message } of between(fields)) {
        context.addIssue({ code: 'custom', path: [...path], message });
      }
    })
    .transform(({ threeDSecure, cartItems: items, ...fields }) => ({
      ...fields,
      threeDSecureAmount: threeDSecure?.amount ?? null,
      cartItems: items?.length ? items.map(toCartItem) : null,
    }));

type Issue = { readonly path: readonly (string | number)[]; readonly message: string };

/** What is wrong between fields, asked also when some of them are wrong alone, so that one answer lists everything. */
function between(fields: Fields): readonly Issue[] {
  const issues: Issue[] = [];
  if (fields.intent === 'capture' && fields.amount === 0) {
    issues.push({ path: ['amount'], message: 'Must be above 0 when the intent is to capture.' });
  }
  const authenticated = fields.threeDSecure?.amount;
  if (authenticated != null && authenticated < fields.amount) {
    issues.push({ path: ['threeDSecure', 'amount'], message: 'Must not be below the transaction amount.' });
  }
  if (fields.paymentMethod.redirect && fields.redirectUrl === null) {
    issues.push({ path: ['redirectUrl'], message: 'Must say where the buyer returns to after approving.' });
  }
  const combination = refuseCombination(fields);
  if (combination) issues.push({ path: [combination.field], message: combination.message });
  for (const [index, item] of (fields.cartItems ?? []).entries()) {
    if (item.amount && item.amount.currency !== fields.currency) {
      const path = ['cartItems', index, 'amount', 'currency'];
      issues.push({ path, message: 'Must be the currency of the transaction.' });
    }
  }
  return issues;
}

/** The input of captureTransaction. amount null means all that is capturable. */
export const captureInput = z.object({
  amount: optional(amount(1)),
  final: z.boolean().default(true),
  externalIdentifier: optional(text(1, 300)),
});

/** The input of refundTransaction. amount null means all that is refundable. */
export const refundInput = z.object({
  amount: optional(amount(1)),
  reason: optional(text(0, 100)),
  externalIdentifier: optional(text(1, 300)),
});
