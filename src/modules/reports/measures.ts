/**
 * The sums of a report. Each counts entries and adds their amounts.
 *
 * - `created`: payments, by the time of their creation.
 * - `authorized`, `captured`, `refunded`, `voided`, `expired`: entries of the ledger. An increase adds to the amount of
 *   `authorized` alone. A sale counts as authorised and as captured.
 * - `declined`, `failed`: authorisations without success. A payment that goes on at another service counts for both.
 * - `capture_reversed`, `refund_reversed`: what providers took back after a success.
 * - `dispute_lost`: losses of disputes. A later win takes its amount away again.
 */
export const MEASURES = [
  ...(['created', 'authorized', 'captured', 'refunded', 'voided', 'expired', 'declined', 'failed'] as const),
  ...(['capture_reversed', 'refund_reversed', 'dispute_lost'] as const),
] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * The measures that a report reads, from the narrowest set. Few sets keep the prepared statements few.
 *
 * - `money` has the measures of a chart of turnover.
 * - `usual` has those of most reports, and those of the authorisation rate.
 */
export const MEASURE_SETS = {
  money: ['authorized', 'captured', 'refunded'],
  usual: ['authorized', 'declined', 'failed', 'captured', 'refunded'],
  ordinary: ['created', 'authorized', 'declined', 'failed', 'captured', 'refunded', 'voided'],
  all: MEASURES,
} as const satisfies Readonly<Record<string, readonly Measure[]>>;
export type MeasureSet = keyof typeof MEASURE_SETS;

/** Returns the columns of the sums of measures: for each, its count and its amount. */
export const sumColumnsOf = (measures: readonly Measure[]): readonly string[] =>
  measures.flatMap((measure) => [`${measure}_count`, `${measure}_amount`]);

/** A count, and a sum in minor units of one currency. */
export type Sum = { readonly count: number; readonly amount: number };

/** A dimension of a report: a property of a payment or of an authorisation that splits the sums. */
export const DIMENSIONS = [
  ...(['payment_service', 'method', 'scheme', 'card_country', 'country', 'buyer_country'] as const),
  ...(['payment_source', 'three_d_secure', 'decline_code'] as const),
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The dimension with one value, for sums over everything. */
export const WHOLE = 'all';
