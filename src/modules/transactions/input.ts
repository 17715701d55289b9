import { z } from 'zod';
import { AMOUNT_MAX } from '../../kernel/money.ts';
import { isUuid } from '../../platform/ids.ts';
import { text } from '../../platform/text.ts';
import { isExpired } from './card.ts';

// Messages say the limit and never the value.

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? null);

const pattern = (regex: RegExp, message: string) => z.string().regex(regex, message);

const currency = pattern(/^[A-Z]{3}$/, 'Must be an ISO 4217 code such as USD.');
const country = pattern(/^[A-Z]{2}$/, 'Must be an ISO 3166-1 code such as US.');

const amount = (min: number) =>
  z
    .int(`Must be a whole number.`)
    .min(min, `Must be ${min} or more.`)
    .max(AMOUNT_MAX, `Must be at most ${AMOUNT_MAX}.`);

const address = z.object({
  city: optional(text(1, 100)),
  country: optional(country),
  postalCode: optional(text(1, 50)),
  state: optional(text(1, 255)),
  stateCode: optional(pattern(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'Must be an ISO 3166-2 code such as US-CA.')),
  houseNumberOrName: optional(text(1, 255)),
  line1: optional(text(1, 255)),
  line2: optional(text(1, 255)),
  organization: optional(text(1, 255)),
});

const billingDetails = z.object({
  firstName: optional(text(1, 255)),
  lastName: optional(text(1, 255)),
  emailAddress: optional(text(1, 320)),
  phoneNumber: optional(pattern(/^\+[1-9]\d{1,14}$/, 'Must be in E.164 form, such as +14155550100.')),
  address: optional(address),
});

const buyer = z.object({
  displayName: optional(text(1, 200)),
  externalIdentifier: optional(text(1, 200)),
  billingDetails: optional(billingDetails),
});

const card = (now: Date) =>
  z.object({
    number: z
      .string()
      .transform((digits) => digits.replaceAll(' ', ''))
      .pipe(pattern(/^\d{13,19}$/, 'Must be 13 to 19 digits.')),
    expirationDate: pattern(/^(0[1-9]|1[0-2])\/\d{2}$/, 'Must be in the form MM/YY.').refine(
      (date) => !isExpired(date, now),
      'The card has expired.',
    ),
    securityCode: optional(pattern(/^\d{3,4}$/, 'Must be 3 or 4 digits.')),
  });

/** The input of createTransaction (spec "POST /transactions"; facts 11). `now` decides what has expired. */
export function createTransactionInput(now: Date): ReturnType<typeof schemaAt> {
  const month = now.toISOString().slice(0, 7);
  // Building a schema costs more than using it, and cards expire by the month.
  if (latest?.month !== month) latest = { month, schema: schemaAt(now) };
  return latest.schema;
}

let latest: { readonly month: string; readonly schema: ReturnType<typeof schemaAt> } | null = null;

const schemaAt = (now: Date) =>
  z
    .object({
      amount: amount(0),
      currency,
      country: optional(country),
      paymentMethod: z.object({ card: card(now) }),
      intent: z.enum(['authorize', 'capture']),
      externalIdentifier: optional(text(1, 200)),
      paymentSource: z.enum(['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file']),
      merchantInitiated: z.boolean(),
      isSubsequentPayment: z.boolean(),
      buyer: optional(buyer),
      metadata: optional(z.record(z.string(), text(0, 500))),
      paymentServiceId: optional(z.string().refine(isUuid, 'Must be the id of a payment service.')),
    })
    .refine(({ intent, amount }) => intent === 'authorize' || amount > 0, {
      path: ['amount'],
      message: 'Must be above 0 when the intent is to capture.',
    });

export type CreateTransactionInput = z.output<ReturnType<typeof createTransactionInput>>;

/** The input of captureTransaction. amount null means all that is capturable. */
export const captureInput = z.object({
  amount: optional(amount(1)),
  externalIdentifier: optional(text(1, 300)),
});

/** The input of refundTransaction. amount null means all that is refundable. */
export const refundInput = z.object({
  amount: optional(amount(1)),
  reason: optional(text(0, 100)),
  externalIdentifier: optional(text(1, 300)),
});
