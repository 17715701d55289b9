import type { Refusal } from './settlement-refusals.ts';

/** Rows of reports and of the audit chain that the database refuses, each with the constraint. */
export const PROJECTION_REFUSALS: readonly Refusal[] = [
  ['a block without a hash', 'audit_block', { hashes: '{}' }, 'audit_block_length_check'],
  ['a mark of an unknown row', 'report_pending', { source: 'buyer' }, 'report_pending_source_check'],
  ['sums of a week', 'report_bucket', { grain: 'week' }, 'report_bucket_grain_check'],
  ['buyers of a week', 'report_buyer', { grain: 'week' }, 'report_buyer_grain_check'],
  ['bins of a week', 'report_histogram', { grain: 'week' }, 'report_histogram_grain_check'],
  ['sums by an unknown property', 'report_bucket', { dimension: 'mood' }, 'report_bucket_dimension_check'],
  ['sums in an unknown currency', 'report_bucket', { currency: 'usd' }, 'report_bucket_currency_check'],
];
