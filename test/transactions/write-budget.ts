import type { Verb } from '../support/payments.ts';
import type { Writes } from './writes-in-log.ts';

/**
 * The records of the write-ahead log that one operation of a payment writes, by table. Each operation has an idempotency key, and no
 * endpoint for webhooks exists.
 *
 * A further record makes every payment slower for good. A change of this file says why in its commit.
 */
export const WRITE_BUDGET: Readonly<Record<Verb, Readonly<Record<string, Writes>>>> = {
  authorize: {
    transaction: { inserts: 1, updates: 1, entries: 13, locks: 2 },
    operation: { inserts: 1, updates: 1, entries: 12, locks: 1 },
    ledger_entry: { inserts: 1, entries: 4 },
    history_entry: { inserts: 1, entries: 2 },
    idempotency_key: { inserts: 1, entries: 1 },
    audit_entry: { inserts: 2, entries: 8 },
    // The event of the payment, and its place in the feed.
    event: { inserts: 1, entries: 3 },
    feed_entry: { inserts: 1, entries: 2 },
    // The BIN, the last four digits and the fingerprint of the card.
    transaction_term: { inserts: 3, entries: 3 },
    // A foreign key locks the row that it names.
    merchant_account: { locks: 1 },
    payment_service: { locks: 1 },
  },
  capture: {
    // The claim changes no column of an index, so it writes no entry.
    transaction: { updates: 2, hot: 1, entries: 7, locks: 2 },
    operation: { inserts: 1, updates: 1, entries: 10, locks: 1 },
    ledger_entry: { inserts: 1, entries: 4 },
    history_entry: { inserts: 1, entries: 2 },
    idempotency_key: { inserts: 1, entries: 1 },
    audit_entry: { inserts: 2, entries: 8 },
    // The events of the capture and of the payment.
    event: { inserts: 2, entries: 6 },
    feed_entry: { inserts: 2, entries: 4 },
    payment_service: { locks: 1 },
  },
  refund: {
    transaction: { updates: 2, hot: 1, entries: 8, locks: 2 },
    operation: { inserts: 1, updates: 1, entries: 10, locks: 1 },
    ledger_entry: { inserts: 1, entries: 4 },
    history_entry: { inserts: 1, entries: 2 },
    idempotency_key: { inserts: 1, entries: 1 },
    audit_entry: { inserts: 2, entries: 8 },
    event: { inserts: 1, entries: 3 },
    feed_entry: { inserts: 1, entries: 2 },
    payment_service: { locks: 1 },
  },
  void: {
    transaction: { updates: 2, hot: 1, entries: 7, locks: 2 },
    operation: { inserts: 1, updates: 1, entries: 14, locks: 1 },
    ledger_entry: { inserts: 1, entries: 4 },
    history_entry: { inserts: 1, entries: 2 },
    idempotency_key: { inserts: 1, entries: 1 },
    audit_entry: { inserts: 2, entries: 8 },
    event: { inserts: 1, entries: 3 },
    feed_entry: { inserts: 1, entries: 2 },
    payment_service: { locks: 1 },
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
