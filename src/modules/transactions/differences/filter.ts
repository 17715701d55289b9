import { z } from 'zod';
import { refuseRanges } from '../../../platform/lists/filters.ts';
import { optional } from '../../../platform/input/values.ts';
import { DIFFERENCE_FINDINGS } from './difference.ts';

/** The kinds of operations, in the words of the API. A reversal of a gift card is in no report. */
const KINDS = [
  ...(['authorize', 'increase', 'reauthorize', 'capture', 'refund'] as const),
  ...(['void', 'cancel', 'release', 'redeem', 'reverse'] as const),
];

/** The filter of a list of differences. Each field that is null leaves all differences. */
export const differenceFilter = z
  .object({
    state: optional(z.array(z.enum(['open', 'adopted', 'dismissed', 'resolved']))),
    finding: optional(z.array(z.enum(DIFFERENCE_FINDINGS))),
    source: optional(z.array(z.enum(['notice', 'look_up', 'settlement']))),
    operationKind: optional(z.array(z.enum(KINDS))),
    paymentServiceId: optional(z.uuid('Must be a UUID.')),
    transactionId: optional(z.uuid('Must be a UUID.')),
    foundAtGte: optional(z.date()),
    foundAtLte: optional(z.date()),
  })
  .superRefine(refuseRanges('foundAt'));

export type DifferenceFilter = z.output<typeof differenceFilter>;
