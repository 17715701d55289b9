import type { Verb } from '../support/payments.ts';

/** Row versions of one table: inserts, updates and deletes. */
export type Versions = readonly [inserts: number, updates: number, deletes: number];

/**
 * The row versions that one operation of a payment writes, by table. Each has an idempotency key, and no endpoint for webhooks exists.
 *
 * A further version makes every payment slower for good. A change of this file says why in its commit.
 */
export const WRITE_BUDGET: Readonly<Record<Verb, Readonly<Record<string, Versions>>>> = {
  authorize: {
    ...{ transaction: [1, 1, 0], operation: [1, 1, 0], ledger_entry: [1, 0, 0], history_entry: [1, 0, 0] },
    ...{ idempotency_key: [1, 0, 0], audit_entry: [2, 0, 0] },
    // The event of the payment, and its place in the feed.
    ...{ event: [1, 0, 0], feed_entry: [1, 0, 0] },
    // The BIN, the last four digits and the fingerprint of the card.
    transaction_term: [3, 0, 0],
  },
  capture: {
    ...{ transaction: [0, 2, 0], operation: [1, 1, 0], ledger_entry: [1, 0, 0], history_entry: [1, 0, 0] },
    ...{ idempotency_key: [1, 0, 0], audit_entry: [2, 0, 0] },
    // The events of the capture and of the payment.
    ...{ event: [2, 0, 0], feed_entry: [2, 0, 0] },
  },
  refund: {
    ...{ transaction: [0, 2, 0], operation: [1, 1, 0], ledger_entry: [1, 0, 0], history_entry: [1, 0, 0] },
    ...{ idempotency_key: [1, 0, 0], audit_entry: [2, 0, 0] },
    ...{ event: [1, 0, 0], feed_entry: [1, 0, 0] },
  },
  void: {
    ...{ transaction: [0, 2, 0], operation: [1, 1, 0], ledger_entry: [1, 0, 0], history_entry: [1, 0, 0] },
    ...{ idempotency_key: [1, 0, 0], audit_entry: [2, 0, 0] },
    ...{ event: [1, 0, 0], feed_entry: [1, 0, 0] },
  },
};

/**
 * The tables that background work writes in batches. A batch writes them once for all its rows, so the share of one operation gets
 * smaller with the load.
 */
export const BATCHED: readonly string[] = [
  'audit_block',
  'audit_chain',
  'feed_head',
  'log_cursor',
  'report_bucket',
  'report_buyer',
  'report_histogram',
];
