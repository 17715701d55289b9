import { z } from 'zod';
import { textsIn } from '../door.ts';

const text = z.string().nullish().catch(null);
const count = z.int().min(0).nullish().catch(null);

/** The error of an answer. Recorded errors have a type without codes, too. */
export const errorAnswer = z.object({
  error_type: text,
  error_codes: z
    .array(z.string())
    .nullish()
    .catch(null)
    .transform((given) => given ?? []),
});
export type CheckoutError = z.output<typeof errorAnswer>;

/** The metadata of an object. Values of other systems may be of any type. */
export const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch(null)
  .transform((given) => textsIn(given ?? {}));

/** The codes of the scheme, which an account has on request. */
const processing = z.object({ partner_response_code: text, recommendation_code: text }).nullish().catch(null);

/** The words of a decision about a payment or a change. */
const decision = {
  approved: z.boolean().nullish().catch(null),
  auth_code: text,
  response_code: text,
  response_summary: text,
  processing,
};

/** A card. Its facts are no reason to doubt a payment. */
const source = z
  .object({
    id: text,
    type: text,
    scheme: text,
    last4: text,
    bin: text,
    expiry_month: count,
    expiry_year: count,
    issuer_country: text,
    avs_check: text,
    cvv_check: text,
  })
  .nullish()
  .catch(null);
export type Source = NonNullable<z.output<typeof source>>;

const balances = z
  .object({
    total_authorized: count,
    total_captured: count,
    total_refunded: count,
    total_voided: count,
    available_to_capture: count,
    available_to_refund: count,
    available_to_void: count,
  })
  .nullish()
  .catch(null);

/** A payment, as answers, reads and events have it. Only a waiting payment has no amount. */
export const payment = z.object({
  ...decision,
  id: z.string().min(1),
  // Recorded refusals have a code alone.
  status: z.string().default(''),
  amount: z.int().min(0).nullish(),
  currency: z.string().nullish(),
  reference: text,
  requested_on: text,
  processed_on: text,
  scheme_id: text,
  source,
  balances,
  metadata,
  /** The operations in short, as a read has them. */
  actions: z
    .array(z.object({ type: z.string(), response_code: text, response_summary: text }))
    .nullish()
    .catch(null),
  '3ds': z.object({ enrolled: text }).nullish().catch(null),
  _links: z
    .object({ redirect: z.object({ href: z.string() }).nullish().catch(null) })
    .nullish()
    .catch(null),
});
export type Payment = z.output<typeof payment>;

/** The receipt of a change. */
export const receipt = z.object({ action_id: z.string().min(1) });

/** An operation on a payment, whoever made the operation. */
export const action = z.object({
  ...decision,
  id: z.string().min(1),
  type: z.string(),
  amount: z.int().min(0),
  processed_on: text,
  reference: text,
  metadata,
});
export type Action = z.output<typeof action>;

export const actions = z.array(action);

/** A page of payments with one reference. */
export const found = z.object({
  data: z.array(z.object({ id: z.string().min(1), reference: text })),
});

export const created = z.object({ id: z.string().min(1) });

export const walletToken = z.object({ token: z.string().min(1) });
