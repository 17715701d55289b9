import { z } from 'zod';
import { isDay, startOf } from '../../kernel/day.ts';
import { oneOf, refuseRanges, uuid } from '../../platform/lists/filters.ts';
import { text } from '../../platform/input/text.ts';
import { currency, optional } from '../../platform/input/values.ts';
import { SETTLEMENT_DIFFERENCES, SETTLEMENT_KINDS } from './settlement.ts';

/** A day as the moment of its start in UTC. */
const asMoment = optional(z.string().refine(isDay, 'Must be a day such as 2026-01-31.').transform(startOf));

const COMMON = {
  paymentServiceId: oneOf(uuid('payment service')),
  currency: oneOf(currency),
  settledOnGte: asMoment,
  settledOnLte: asMoment,
};

/** The filter of a list of entries. An entry must meet every given value, and null means any. */
export const settlementFilter = z
  .object({
    ...COMMON,
    kind: oneOf(z.enum(SETTLEMENT_KINDS)),
    transactionId: optional(uuid('transaction')),
    paymentServiceSettlementId: optional(text(1, 255)),
    paymentServicePayoutId: optional(text(1, 255)),
  })
  .superRefine(refuseRanges('settledOn'));

/** The filter of a list of payouts. */
export const payoutFilter = z.object(COMMON).superRefine(refuseRanges('settledOn'));

/** The filter of a list of differences. */
export const differenceFilter = z
  .object({
    ...COMMON,
    reason: oneOf(z.enum(SETTLEMENT_DIFFERENCES)),
    explained: optional(z.boolean()),
  })
  .superRefine(refuseRanges('settledOn'));

export type SettlementFilter = z.output<typeof settlementFilter>;
export type PayoutFilter = z.output<typeof payoutFilter>;
export type DifferenceFilter = z.output<typeof differenceFilter>;
