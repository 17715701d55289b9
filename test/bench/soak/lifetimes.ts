/** The time for which rows are kept: for ever, or as long as events, keys or audit entries. */
export type Lifetime = 'ever' | 'events' | 'keys' | 'audit';

/**
 * The tables that get rows with the payments, or with each quarter of an hour that has payments. The rows of any other table do not
 * grow with the payments.
 */
export const LIFETIMES: Readonly<Record<string, Lifetime>> = {
  ...{ transaction: 'ever', transaction_term: 'ever', operation: 'ever', ledger_entry: 'ever' },
  ...{ history_entry: 'ever', presented_card: 'ever' },
  ...{ report_bucket: 'ever', report_histogram: 'ever', report_buyer: 'ever' },
  ...{ event: 'events', feed_entry: 'events', delivery: 'events', delivery_attempt: 'events' },
  idempotency_key: 'keys',
  ...{ audit_entry: 'audit', audit_block: 'audit' },
};
