import { z } from 'zod';
import { refuseRanges } from '../../../platform/filters.ts';
import { DIFFERENCE_FINDINGS } from './difference.ts';

const orNull = <Value>(schema: z.ZodType<Value>) => schema.nullish().transform((value) => value ?? null);

/** The kinds of operations, in the words of the API. A reversal of a gift card is in no report. */
const KINDS = [
  ...(['authorize', 'increase', 'reauthorize', 'capture', 'refund'] as const),
  ...(['void', 'cancel', 'release', 'redeem', 'reverse'] as const),
];

/** The filter of a list of differences. Each field that is null leaves all differences. */
export const differenceFilter = z
  .object({
    state: orNull(z.array(z.enum(['open', 'adopted', 'dismissed', 'resolved']))),
    finding: orNull(z.array(z.enum(DIFFERENCE_FINDINGS))),
    source: orNull(z.array(z.enum(['notice', 'look_up', 'settlement']))),
    operationKind: orNull(z.array(z.enum(KINDS))),
    paymentServiceId: orNull(z.uuid('Must be a UUID.')),
    transactionId: orNull(z.uuid('Must be a UUID.')),
    foundAtGte: orNull(z.date()),
    foundAtLte: orNull(z.date()),
  })
  .superRefine(refuseRanges('foundAt'));

export type DifferenceFilter = z.output<typeof differenceFilter>;
