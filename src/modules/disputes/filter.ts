import { z } from 'zod';
import { oneOf, refuseRanges, uuid } from '../../platform/lists/filters.ts';
import { text } from '../../platform/input/text.ts';
import { currency, optional } from '../../platform/input/values.ts';
import { DISPUTE_REASONS, DISPUTE_STAGES, DISPUTE_STATUSES } from './dispute.ts';

/** The filter of a list of disputes. A dispute must meet every given value, and null means any. */
export const disputeFilter = z
  .object({
    stage: oneOf(z.enum(DISPUTE_STAGES)),
    status: oneOf(z.enum(DISPUTE_STATUSES)),
    reason: oneOf(z.enum(DISPUTE_REASONS)),
    currency: oneOf(currency),
    transactionId: optional(uuid('transaction')),
    paymentServiceId: oneOf(uuid('payment service')),
    paymentServiceDisputeId: optional(text(1, 255)),
    respondByGte: optional(z.date()),
    respondByLte: optional(z.date()),
    createdAtGte: optional(z.date()),
    createdAtLte: optional(z.date()),
  })
  .superRefine(refuseRanges('respondBy', 'createdAt'));

export type DisputeFilter = z.output<typeof disputeFilter>;
