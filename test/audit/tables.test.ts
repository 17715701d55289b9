import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The tables without entries of their own, with the reason. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  _prisma_migrations: 'Prisma',
  account_move: 'A move writes entries of its own.',
  anti_fraud_check: 'A step of an operation. The history of the transaction has it.',
  anti_fraud_report: 'The place up to which background work has come.',
  approval: 'A step of an operation. The history of the transaction has it.',
  audit_block: 'The audit log itself.',
  audit_chain: 'The audit log itself.',
  audit_entry: 'The audit log itself.',
  books_sweep: 'The place up to which background work has come.',
  buyer_term: 'Search terms of a buyer.',
  dashboard_challenge: 'A number that a sign-in answers once. The sign-in has entries.',
  dashboard_sign_in: 'Counts of wrong attempts, each of which has an entry.',
  delivery: 'Background work after an event.',
  delivery_attempt: 'Background work after an event.',
  event: 'Each event comes from a change that has an entry.',
  event_pending: 'Each event comes from a change that has an entry.',
  export_chunk: 'A part of a file. The export has entries.',
  feed_entry: 'Each event comes from a change that has an entry.',
  feed_head: 'Each event comes from a change that has an entry.',
  history_entry: 'Names its actor itself.',
  idempotency_key: 'The record of an answer.',
  inbound_review: 'A notice of a provider. Its effect has an entry.',
  inbound_webhook: 'A notice of a provider. Its effect has an entry.',
  installation_fact: 'Facts that a start records about itself.',
  ledger_entry: 'The amounts of an outcome, which has an entry.',
  log_cursor: 'The place up to which background work has come.',
  outlet: 'The process that does background work.',
  outlet_position: 'The place up to which background work has come.',
  payment_service_circuit: 'Background work after the failures of payments. Its events tell the changes.',
  payment_link_attempt: 'A step of a payment, which has entries.',
  payment_link_term: 'Search terms of a payment link.',
  payment_method_term: 'Search terms of a payment method.',
  presented_card: 'Counts of requests, which are removed after a day.',
  redemption: 'A part of a payment, whose operations have entries.',
  report_bucket: 'Sums of amounts, made from the ledger.',
  report_buyer: 'Sums of amounts, made from the ledger.',
  report_histogram: 'Counts of amounts and times, made from the ledger.',
  report_pending: 'Marks of rows that no sum has yet.',
  reported_payment: 'Background work that waits for its next try.',
  routing_figures: 'Sums of amounts and counts of outcomes, made from payments and settlements.',
  routing_figures_round: 'The place up to which background work has come.',
  settlement_source: 'The place up to which background work has come.',
  transaction_term: 'Search terms of a transaction.',
  unanswered_payment: 'Background work that waits for its next try.',
};

it('every table has a trigger of the audit log, or a reason for none', async () => {
  const tables = await query<{ name: string; audited: boolean }>(
    database.url,
    `SELECT c.relname AS name, EXISTS (
       SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
       WHERE t.tgrelid = c.oid AND p.proname IN ('audit_change', 'audit_operation')) AS audited
     FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );

  const without = tables.filter(({ audited }) => !audited).map(({ name }) => name);
  expect(tables.length).toBeGreaterThan(30);
  expect(without.toSorted()).toEqual(Object.keys(NOT_AUDITED).toSorted());
});

it('every argument of a trigger names a column, and every sealed column is hidden', async () => {
  const triggers = await query<{ table: string; args: string; columns: string[] }>(
    database.url,
    `SELECT c.relname AS table, encode(t.tgargs, 'escape') AS args, array_agg(a.attname::text) AS columns
     FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_class c ON c.oid = t.tgrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE p.proname = 'audit_change' GROUP BY 1, 2, t.oid`,
  );

  expect(triggers.length).toBeGreaterThan(20);
  for (const { table, args, columns } of triggers) {
    const [, , id = '', shown = '', hidden = ''] = args.split('\\000');
    const named = [id, ...shown.split(','), ...hidden.split(',')].filter((name) => name !== '');
    expect([table, named.filter((name) => !columns.includes(name))]).toEqual([table, []]);
    expect([table, shown.match(/sealed|fingerprint|digest|secret|password|last_four|\bbin\b/g)]).toEqual([
      table,
      null,
    ]);
    const sealed = columns.filter((name) => name.startsWith('sealed'));
    if (table !== 'payment_link' && table !== 'transaction')
      expect([table, sealed.filter((name) => !hidden.split(',').includes(name))]).toEqual([table, []]);
  }
});
