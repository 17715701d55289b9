import { query } from '../../support/database.ts';
import {
  ACCOUNTS,
  makeManyRows,
  MERCHANTS,
  withoutIndexes,
  withoutKey,
  WITHOUT_TRIGGERS,
} from '../../transactions/many-rows.ts';
import type { ListName } from './cases.ts';

/** The merchant account that the bench reads. It has 60 % of the rows. */
export const READER = ACCOUNTS[0];

/** The rows of each list: the function that makes them, and the tables that hold them. */
const ROWS: Readonly<
  Record<ListName, { make: (url: string, rows: number) => Promise<unknown>; tables: readonly string[] }>
> = {
  // The tables are vacuumed by the function.
  transactions: { make: (url, rows) => makeManyRows(url, rows), tables: [] },
  buyers: { make: (url, rows) => query(url, buyers(rows)), tables: ['buyer', 'buyer_term'] },
  paymentMethods: {
    make: (url, rows) => query(url, paymentMethods(rows)),
    tables: ['payment_method', 'payment_method_term'],
  },
  paymentLinks: {
    make: (url, rows) => query(url, paymentLinks(rows)),
    tables: ['payment_link', 'payment_link_term'],
  },
  events: { make: (url, rows) => query(url, events(rows)), tables: ['event', 'feed_entry', 'feed_head'] },
};

/** Fills a migrated, empty database with so many rows of a list. The rows of a list need no rows of another one. */
export async function makeRows(url: string, list: ListName, rows: number): Promise<void> {
  const { make, tables } = ROWS[list];
  await make(url, rows);
  for (const table of tables) await query(url, `VACUUM ANALYZE ${table}`);
}

const ACCOUNT = `'account-' || CASE WHEN i % 100 < 60 THEN 1 WHEN i % 100 < 85 THEN 2 WHEN i % 100 < 95 THEN 3 WHEN i % 100 < 99 THEN 4 ELSE 5 END`;
const ID = `('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`;
const MADE = `timestamptz '2026-01-01Z' + i * interval '1 minute'`;

/** Returns statements that fill a table and the table of its terms. */
const filled = (table: string, fill: string, terms: string): string =>
  [WITHOUT_TRIGGERS, MERCHANTS, withoutIndexes(table, fill), withoutKey(`${table}_term`, terms)].join(';\n');

const buyers = (rows: number): string =>
  filled(
    'buyer',
    `INSERT INTO buyer (merchant_account_id, id, display_name, external_identifier, created_at, updated_at)
  SELECT ${ACCOUNT}, ${ID}, 'Jane Doe' || i % 3001, 'cust-' || i, ${MADE}, ${MADE} FROM generate_series(1, ${rows}) i`,
    `INSERT INTO buyer_term (merchant_account_id, term, buyer_id)
  SELECT DISTINCT merchant_account_id, left(lower(search_parts(concat_ws(' ', display_name, external_identifier))), 200), id FROM buyer`,
  );

const paymentMethods = (rows: number): string =>
  filled(
    'payment_method',
    `INSERT INTO payment_method (merchant_account_id, id, buyer_id, method, instrument_type, status, label, scheme, last_four, fingerprint,
    external_identifier, additional_schemes, created_at, updated_at)
  SELECT ${ACCOUNT}, ${ID}, ('00000000-0000-7000-8000-' || lpad(to_hex(1 + i / 200 * 100), 12, '0'))::uuid,
    CASE WHEN i % 3000 = 11 THEN 'paypal' ELSE 'card' END, CASE WHEN i % 3000 = 11 THEN 'redirect' ELSE 'pan' END,
    CASE WHEN i % 3000 = 13 THEN 'failed' ELSE 'succeeded' END, lpad((i % 9973)::text, 4, '0'), 'visa', lpad((i % 9973)::text, 4, '0'),
    'fp-' || i % 40009, 'mine-' || i, '{}', ${MADE}, ${MADE} FROM generate_series(1, ${rows}) i`,
    `INSERT INTO payment_method_term (merchant_account_id, term, payment_method_id)
  SELECT m.merchant_account_id, x.term, m.id FROM payment_method m, LATERAL (
    SELECT DISTINCT unnest(ARRAY[m.external_identifier, split_part(m.external_identifier, '-', 2), m.label, m.method, m.scheme])) x (term)`,
  );

const paymentLinks = (rows: number): string =>
  filled(
    'payment_link',
    `INSERT INTO payment_link (merchant_account_id, id, token_digest, sealed_token, status, amount, currency, country, intent,
    payment_source, store, buyer_id, external_identifier, metadata, expires_at, created_at, updated_at)
  SELECT ${ACCOUNT}, ${ID}, i::text, '', CASE WHEN i % 3000 = 11 THEN 'processing' WHEN i % 2 = 0 THEN 'completed' ELSE 'active' END,
    (i::bigint * 7919 % 100000)::int, CASE WHEN i % 5000 = 7 THEN 'ISK' WHEN i % 3 = 0 THEN 'EUR' ELSE 'USD' END,
    CASE WHEN i % 3000 = 13 THEN 'IS' ELSE 'US' END, 'authorize', 'ecommerce', false,
    CASE WHEN i % 2000 = 6 THEN '00000000-0000-7000-9000-00000000b002' END::uuid, 'order ' || i,
    jsonb_build_object('cart', i::text, 'channel', 'web'), ${MADE} + interval '10 years', ${MADE},
    ${MADE} + ((i * 31) % 5000) * interval '1 minute' FROM generate_series(1, ${rows}) i`,
    `INSERT INTO payment_link_term (merchant_account_id, term, payment_link_id)
  SELECT l.merchant_account_id, made.term, l.id FROM payment_link l, payment_link_terms(l) AS made (term)`,
  );

const events = (rows: number): string =>
  [WITHOUT_TRIGGERS, MERCHANTS, withoutIndexes('event', eventRows(rows)), FEED].join(';\n');

const eventRows = (rows: number): string => `
  INSERT INTO event (position, merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT i, ${ACCOUNT}, ${ID}, CASE WHEN i % 20000 = 7 THEN 'buyer.deleted' WHEN i % 2 = 0 THEN 'transaction.captured'
    ELSE 'transaction.authorized' END, 'transaction', (${ID})::text,
    '{"type":"event","target":{"type":"transaction"},"padding":"' || repeat('x', 300) || '"}', ${MADE} FROM generate_series(1, ${rows}) i`;

const FEED = `
  INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
  SELECT merchant_account_id, row_number() OVER (PARTITION BY merchant_account_id ORDER BY position), position, created_at FROM event;
  INSERT INTO feed_head (merchant_account_id, sequence, floor)
  SELECT merchant_account_id, max(sequence), 0 FROM feed_entry GROUP BY 1`;
