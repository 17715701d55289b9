import { z } from 'zod';

const text = z.string().nullish().catch(null);
const money = z.object({ currency_code: z.string(), value: z.string() });

/** A movement on the balance. Amounts have a sign. */
export const movement = z.object({
  transaction_id: z.string().min(1),
  paypal_reference_id: text,
  paypal_reference_id_type: text,
  transaction_event_code: z.string().min(1),
  transaction_initiation_date: z.string(),
  transaction_amount: money,
  fee_amount: money.nullish(),
  transaction_status: z.string(),
  custom_field: text,
  invoice_id: text,
});
export type Movement = z.output<typeof movement>;

/** The names of a movement, of which one alone may be readable. */
export const namedMovement = z.object({ transaction_id: text, transaction_event_code: text });

/** A page of the transaction search. */
export const searchPage = z.object({
  transaction_details: z
    .array(z.object({ transaction_info: z.unknown() }))
    .nullish()
    .transform((given) => given ?? []),
  last_refreshed_datetime: text,
  total_pages: z
    .int()
    .min(0)
    .nullish()
    .transform((given) => given ?? 0),
});
