import { z } from 'zod';
import { refuse } from './refusal.ts';

// Written by hand from the facts about Mollie's API. Every object refuses fields that it does not list.

const text = (max: number) => z.string().min(1).max(max);

/** The decimals that Mollie demands, by currency. Two for all others. */
const DECIMALS: Readonly<Record<string, number>> = { ISK: 0, JPY: 0 };

/** The currencies that the account takes. */
const CURRENCIES: readonly string[] = [
  ...['AUD', 'CAD', 'CHF', 'CZK', 'DKK', 'EUR', 'GBP', 'HUF', 'ISK', 'JPY', 'NOK', 'PLN', 'RON', 'SEK'],
  'USD',
];

const amount = z
  .strictObject({ currency: z.enum(CURRENCIES), value: z.string().regex(/^\d{1,8}(\.\d+)?$/) })
  .refine(({ currency, value }) => (value.split('.')[1] ?? '').length === (DECIMALS[currency] ?? 2), {
    path: ['value'],
    message: 'The amount has another number of decimals than the currency.',
  });

/** A name has two characters or more, and not digits alone. */
const name = text(100)
  .regex(/^.{2,}$/u)
  .regex(/[^\d\s]/);

const LOCALES = [
  ...['ca_ES', 'cs_CZ', 'da_DK', 'de_AT', 'de_CH', 'de_DE', 'de_LU', 'en_BE', 'en_GB', 'en_NL', 'en_US'],
  ...['es_ES', 'fi_FI', 'fr_BE', 'fr_FR', 'fr_LU', 'hu_HU', 'is_IS', 'it_IT', 'lt_LT', 'lv_LV', 'nb_NO'],
  ...['nl_BE', 'nl_NL', 'pl_PL', 'pt_PT', 'sk_SK', 'sv_SE'],
] as const;

const address = z
  .strictObject({
    title: text(20).optional(),
    givenName: name.optional(),
    familyName: name.optional(),
    organizationName: text(100).optional(),
    email: z.email().optional(),
    phone: z
      .string()
      .regex(/^\+[1-9]\d{4,14}$/)
      .optional(),
    streetAndNumber: text(100).optional(),
    streetAdditional: text(100).optional(),
    postalCode: text(20).optional(),
    city: text(100).optional(),
    region: text(100).optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
  })
  .refine(
    ({ email, streetAndNumber, city, country }) => email ?? (streetAndNumber && city && country),
    'An address needs an email, or a street, a city and a country.',
  );

/** About one kilobyte. */
const metadata = z
  .record(z.string(), z.unknown())
  .refine((given) => JSON.stringify(given).length <= 1024, 'The metadata is too long.');

const METHODS = [
  ...['alma', 'applepay', 'bacs', 'bancomatpay', 'bancontact', 'banktransfer', 'belfius', 'billie'],
  ...['billink', 'bizum', 'blik', 'creditcard', 'directdebit', 'eps', 'giftcard', 'ideal', 'in3', 'kbc'],
  ...['klarna', 'mbway', 'mobilepay', 'multibanco', 'mybank', 'paybybank', 'paypal', 'paysafecard'],
  ...['pointofsale', 'przelewy24', 'riverty', 'satispay', 'swish', 'trustly', 'twint', 'vipps', 'voucher'],
] as const;

const web = z.string().regex(/^https?:\/\/[^\s/]+/);

export const newPayment = z.strictObject({
  amount,
  description: text(255),
  redirectUrl: web.optional(),
  cancelUrl: web.optional(),
  // Mollie does not take an address that its servers cannot reach.
  webhookUrl: web.refine((url) => !/^https?:\/\/(localhost|127\.|\[)/.test(url), 'Unreachable.').optional(),
  method: z.enum(METHODS).optional(),
  captureMode: z.enum(['automatic', 'manual']).optional(),
  cardToken: z
    .string()
    .regex(/^tkn_\w+$/)
    .optional(),
  customerId: z
    .string()
    .regex(/^cst_\w+$/)
    .optional(),
  mandateId: z
    .string()
    .regex(/^mdt_\w+$/)
    .optional(),
  sequenceType: z.enum(['oneoff', 'first', 'recurring']).optional(),
  locale: z.enum(LOCALES).optional(),
  billingAddress: address.optional(),
  shippingAddress: address.optional(),
  lines: z.array(z.unknown()).optional(),
  metadata: metadata.optional(),
});
export type NewPayment = z.output<typeof newPayment>;

export const newCapture = z.strictObject({
  amount: amount.optional(),
  description: text(255).optional(),
  metadata: metadata.optional(),
});

export const newRefund = z.strictObject({
  amount,
  description: text(255).optional(),
  metadata: metadata.optional(),
});

export const newCustomer = z.strictObject({
  name: text(255).optional(),
  email: z.email().optional(),
  locale: z.enum(LOCALES).optional(),
  metadata: metadata.optional(),
});

/** Reads a body. Refuses a wrong one with the path of its first wrong field. */
export function checked<Shape>(schema: z.ZodType<Shape>, body: unknown): Shape {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = [...(issue?.path ?? []), ...unknown].join('.');
  return refuse(422, issue?.message ?? 'The request is not valid.', field === '' ? undefined : field);
}
