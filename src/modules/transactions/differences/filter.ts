import { z } from 'zod';
import { DIFFERENCE_FINDINGS } from './difference.ts';

const orNull = <Value>(schema: z.ZodType<Value>) => schema.nullish().transform((value) => value ?? null);

/** The filter of a list of differences. Each field that is null leaves all differences. */
export const differenceFilter = z.object({
  state: orNull(z.array(z.enum(['open', 'adopted', 'dismissed', 'resolved']))),
  finding: orNull(z.array(z.enum(DIFFERENCE_FINDINGS))),
  paymentServiceId: orNull(z.uuid('Must be a UUID.')),
  transactionId: orNull(z.uuid('Must be a UUID.')),
});

export type DifferenceFilter = z.output<typeof differenceFilter>;
