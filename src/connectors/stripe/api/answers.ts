import { z } from 'zod';

/** A reference to another object: its id, or the whole object where the request expanded it. */
const idOf = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((given) => (typeof given === 'string' ? given : given.id));

const text = z.string().nullish().catch(null);

/** A check of a payment has no part in its outcome, so an unexpected value counts as none. */
const check = z.enum(['pass', 'fail', 'unavailable', 'unchecked']).nullish().catch(null);

/** The error of an answer, or the last error of an intent. */
export const stripeError = z.object({
  type: text,
  code: text,
  decline_code: text,
  param: text,
  message: text,
  charge: idOf.nullish().catch(null),
  advice_code: text,
  network_advice_code: text,
  network_decline_code: text,
  payment_intent: z.object({ id: z.string() }).nullish().catch(null),
  setup_intent: z.object({ id: z.string() }).nullish().catch(null),
});
export type StripeError = z.output<typeof stripeError>;

export const errorAnswer = z.object({ error: stripeError });

/** The part of a charge about its card. */
const cardDetails = z.object({
  country: text,
  brand: text,
  last4: text,
  exp_month: z.int().min(1).max(12).nullish().catch(null),
  exp_year: z.int().min(2000).max(2099).nullish().catch(null),
  authorization_code: text,
  network_transaction_id: text,
  checks: z
    .object({ address_line1_check: check, address_postal_code_check: check, cvc_check: check })
    .nullish()
    .catch(null),
  multicapture: z.object({ status: text }).nullish().catch(null),
  incremental_authorization: z.object({ status: text }).nullish().catch(null),
});
export type CardDetails = z.output<typeof cardDetails>;

/** A payment method that Stripe stores. Only an attached one has a customer. */
export const storedMethod = z.object({
  id: z.string().min(1).max(255),
  object: z.literal('payment_method'),
  customer: idOf.nullish(),
  card: cardDetails.pick({ brand: true, last4: true, exp_month: true, exp_year: true }).nullish().catch(null),
});
export type StoredMethod = z.output<typeof storedMethod>;

/** The part of a charge about a debited bank account. */
const bankDetails = z.object({ expected_debit_date: text, mandate: idOf.nullish().catch(null) });
export type BankDetails = z.output<typeof bankDetails>;

const charge = z.object({
  id: z.string(),
  outcome: z
    .object({
      type: text,
      network_status: text,
      reason: text,
      advice_code: text,
      network_advice_code: text,
      network_decline_code: text,
    })
    .nullish()
    .catch(null),
  payment_method_details: z
    .object({
      card: cardDetails.nullish().catch(null),
      sepa_debit: bankDetails.nullish().catch(null),
      us_bank_account: bankDetails.nullish().catch(null),
      bacs_debit: bankDetails.nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
export type Charge = z.output<typeof charge>;

/** The latest charge of an intent. Only its id without `expand`. */
const latestCharge = z.union([
  z.string().transform((id): Pick<Charge, 'id'> & Partial<Charge> => ({ id })),
  charge,
]);

/** The buyer's step: a page, the text of a code, and the facts of a voucher. */
const step = z.object({
  url: text,
  data: text,
  hosted_instructions_url: text,
  hosted_voucher_url: text,
  entity: text,
  number: text,
  reference: text,
  expires_at: z.int().nullish().catch(null),
});
type NextAction = { readonly type: string; readonly step: Partial<z.output<typeof step>> };

/** The details of a step have the name of its type. */
const nextAction = z.looseObject({ type: z.string() }).transform(({ type, ...details }): NextAction => ({
  type,
  step: step.safeParse(details[type]).data ?? {},
}));

const metadata = z
  .record(z.string(), z.string())
  .nullish()
  .transform((given) => given ?? {});

export const paymentIntent = z.object({
  object: z.literal('payment_intent'),
  id: z.string().min(1),
  status: z.string(),
  amount: z.int(),
  amount_capturable: z
    .int()
    .nullish()
    .transform((given) => given ?? 0),
  amount_received: z
    .int()
    .nullish()
    .transform((given) => given ?? 0),
  currency: z.string(),
  capture_method: text,
  cancellation_reason: text,
  customer: idOf.nullish(),
  payment_method: idOf.nullish(),
  setup_future_usage: text,
  latest_charge: latestCharge.nullish(),
  last_payment_error: stripeError.nullish(),
  next_action: nextAction.nullish(),
  metadata,
});
export type PaymentIntent = z.output<typeof paymentIntent>;

export const setupIntent = z.object({
  object: z.literal('setup_intent'),
  id: z.string().min(1),
  status: z.string(),
  cancellation_reason: text,
  customer: idOf.nullish(),
  payment_method: idOf.nullish(),
  last_setup_error: stripeError.nullish(),
  next_action: nextAction.nullish(),
  metadata,
});
export type SetupIntent = z.output<typeof setupIntent>;

export const refund = z.object({
  object: z.literal('refund'),
  id: z.string().min(1),
  /** Null for a refund of a charge whose money has not come yet. */
  status: text,
  amount: z.int(),
  currency: z.string(),
  created: z.int().nullish().catch(null),
  payment_intent: idOf.nullish(),
  failure_reason: text,
  metadata,
});
export type Refund = z.output<typeof refund>;

/** Any new object of which only the id matters. */
export const created = z.object({ id: z.string().min(1) });

/** A page of a list. Each item is read on its own. */
export const listPage = z.object({
  data: z.array(z.unknown()),
  has_more: z
    .boolean()
    .nullish()
    .transform((given) => given ?? false),
});

export const mandate = z.object({
  payment_method_details: z.object({
    sepa_debit: z.object({ reference: z.string() }).nullish(),
    bacs_debit: z.object({ reference: z.string(), service_user_number: text }).nullish(),
  }),
});
