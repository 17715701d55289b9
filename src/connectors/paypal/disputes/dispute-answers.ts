import { z } from 'zod';

const text = z.string().nullish().catch(null);

const money = z.object({ currency_code: z.string(), value: z.string() });

const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .catch(null)
    .transform((given) => given ?? []);

const disputedTransaction = z.object({
  seller_transaction_id: text,
  custom: text,
  invoice_number: text,
  seller: z.object({ merchant_id: text }).nullish().catch(null),
});
export type DisputedTransaction = z.output<typeof disputedTransaction>;

/** A dispute, as events and reads have it. */
export const dispute = z.object({
  dispute_id: z.string().min(1),
  update_time: text,
  disputed_transactions: listOf(disputedTransaction),
  reason: text,
  external_reason_code: text,
  status: z.string(),
  dispute_life_cycle_stage: z.string(),
  dispute_amount: money,
  dispute_outcome: z
    .object({ outcome_code: text, amount_refunded: money.nullish().catch(null) })
    .nullish()
    .catch(null),
  seller_response_due_date: text,
  evidences: listOf(z.object({ notes: text, source: text })),
});
export type Dispute = z.output<typeof dispute>;
