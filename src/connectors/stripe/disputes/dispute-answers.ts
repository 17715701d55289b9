import { z } from 'zod';

const idOf = z
  .union([z.string(), z.object({ id: z.string() })])
  .transform((given) => (typeof given === 'string' ? given : given.id));

const text = z.string().nullish().catch(null);

/** A dispute, as events and reads have it. */
export const dispute = z.object({
  object: z.literal('dispute'),
  id: z.string().min(1),
  status: z.string(),
  reason: text,
  network_reason_code: text,
  amount: z.int(),
  currency: z.string(),
  charge: idOf.nullish(),
  payment_intent: idOf.nullish(),
  payment_method_details: z
    .object({ card: z.object({ network_reason_code: text, case_type: text }).nullish().catch(null) })
    .nullish()
    .catch(null),
  evidence: z.object({ appeal: z.unknown() }).partial().nullish().catch(null),
  evidence_details: z
    .object({ due_by: z.int().min(0).nullish().catch(null), past_due: z.boolean().nullish().catch(null) })
    .nullish()
    .catch(null),
  metadata: z
    .record(z.string(), z.string())
    .nullish()
    .transform((given) => given ?? {}),
});
export type Dispute = z.output<typeof dispute>;
