import { z } from 'zod';

const text = z.string().nullish().catch(null);
const idOf = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((given) => (typeof given === 'string' ? given : given.id));

/** The object that an entry is about: a charge, a refund, a dispute or a payout. */
const source = z.object({
  object: text,
  id: z.string(),
  amount: z.int().nullish().catch(null),
  amount_captured: z.int().nullish().catch(null),
  currency: text,
  charge: idOf.nullish().catch(null),
  payment_intent: idOf.nullish().catch(null),
  reconciliation_status: text,
  metadata: z.record(z.string(), z.string()).nullish().catch(null),
});
export type Source = z.output<typeof source>;

/** A payout. Stripe tells its entries once `reconciliation_status` is `completed`, and never for `not_applicable`. */
export const payout = z.object({ object: z.literal('payout'), reconciliation_status: z.string() });

/** An entry of which only the id can be read. */
export const withId = z.object({ id: z.string().min(1) });

/** An entry on the balance. `amount` - `fee` = `net`. */
export const balanceTransaction = z.object({
  object: z.literal('balance_transaction'),
  id: z.string().min(1),
  type: z.string(),
  reporting_category: text,
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
  currency: z.string(),
  exchange_rate: z.number().positive().nullish(),
  available_on: z.int().min(0),
  source: z
    .union([source, z.string().transform((id): Pick<Source, 'id'> & Partial<Source> => ({ id }))])
    .nullish(),
});
export type BalanceTransaction = z.output<typeof balanceTransaction>;
