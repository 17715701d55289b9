import { query } from '../support/database.ts';

/** Merchant accounts from the largest: 60, 25, 10, 4 and 1 % of the rows. */
export const ACCOUNTS = ['account-1', 'account-2', 'account-3', 'account-4', 'account-5'] as const;
export const ROWS = 100_000;

/** Returns the creation time of the row with this number. */
export const madeAt = (number: number): Date => new Date(Date.UTC(2026, 0, 1) + number * 60_000);

/** Returns the id of the row with this number. */
export const idOf = (number: number): string =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** Returns the id of a payment service in every account. The first service takes almost everything. */
export const serviceId = (number: 1 | 2): string => `00000000-0000-7000-8000-00000000000${number}`;

/**
 * Returns the id of a stored buyer or payment method. The first pays half of everything, the second almost nothing.
 */
export const storedId = (kind: 'buyer' | 'method', number: 1 | 2): string =>
  `00000000-0000-7000-9000-00000000${kind === 'buyer' ? 'b' : 'c'}00${number}`;

/**
 * Fills a migrated, empty database with transactions and the terms that the trigger would write. One buyer pays half of
 * everything, unless `owners` names others.
 */
export async function makeManyRows(url: string, rows = ROWS, owners: Owners = {}): Promise<void> {
  await makeTransactions(url, rows, owners);
  await query(url, 'ALTER TABLE transaction_term DROP CONSTRAINT transaction_term_pkey');
  await Promise.all(PARTS.map((part) => query(url, [WITHOUT_TRIGGERS, termsOf(part)].join(';\n'))));
  await query(url, TERMS_KEY);
  await query(url, 'VACUUM ANALYZE transaction_term');
}

/**
 * Fills a migrated, empty database with transactions that no search finds. Most rows are alike, a few are not. Foreign keys and
 * triggers are off, and the indexes are built last, so the work takes seconds. The time
 * between two creations is `pause`. With minutes, many rows reach into the future.
 */
export async function makeTransactions(
  url: string,
  rows: number,
  { buyer, service, pause = 'minute' }: Owners & { readonly pause?: 'minute' | 'second' } = {},
): Promise<void> {
  const filled = withoutIndexes('transaction', transactions(rows, { buyer, service, pause }));
  await query(url, [WITHOUT_TRIGGERS, SERVICES, filled].join(';\n'));
  await query(url, 'VACUUM ANALYZE transaction');
}

/** The id of the buyer of each second row, and the number of each row's payment service. SQL, in which `i` is the row's number. */
export type Owners = { readonly buyer?: string | undefined; readonly service?: string | undefined };

/** Turns triggers and foreign keys off for the statements after it. */
export const WITHOUT_TRIGGERS = 'SET session_replication_role = replica';

/** Returns statements that fill a table while it has no index but those of constraints. The other indexes are built afterwards. */
export const withoutIndexes = (table: string, fill: string): string => `
  CREATE TEMP TABLE ${table}_index AS
    SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') AS indexdef FROM pg_indexes
    WHERE tablename = '${table}' AND indexname NOT IN (SELECT conname FROM pg_constraint);
  DO $$ DECLARE i record; BEGIN FOR i IN SELECT * FROM ${table}_index LOOP EXECUTE format('DROP INDEX %I', i.indexname); END LOOP; END $$;
  ${fill};
  DO $$ DECLARE i record; BEGIN FOR i IN SELECT * FROM ${table}_index LOOP EXECUTE i.indexdef; END LOOP; END $$`;

/**
 * Returns statements that fill a table of terms while it has no index at all. No other table may name its rows. The primary key and
 * the other indexes are built afterwards.
 */
export const withoutKey = (table: string, fill: string): string => `
  CREATE TEMP TABLE ${table}_key AS
    SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = '${table}_pkey';
  ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey;
  ${withoutIndexes(table, fill)};
  DO $$ DECLARE k record; BEGIN FOR k IN SELECT * FROM ${table}_key LOOP
    EXECUTE format('ALTER TABLE ${table} ADD CONSTRAINT %I %s', k.conname, k.definition); END LOOP; END $$`;

/** Adds the merchant accounts that are not there. */
export const MERCHANTS = `
  INSERT INTO merchant_account (id, display_name, created_at, updated_at)
  SELECT 'account-' || a, 'x', now(), now() FROM generate_series(1, 5) a ON CONFLICT DO NOTHING`;

const SERVICES = `${MERCHANTS};
  INSERT INTO payment_service (merchant_account_id, id, definition_id, method, display_name, position, fields,
    reporting_fields, webhook_token, created_at, updated_at)
  SELECT 'account-' || a, ('00000000-0000-7000-8000-00000000000' || s)::uuid, 'mock-card', 'card', 'x', s, '[]', '[]', a || ' ' || s,
    now(), now() FROM generate_series(1, 5) a, generate_series(1, 2) s`;

const transactions = (
  rows: number,
  {
    buyer = `'${storedId('buyer', 1)}'`,
    service = 'CASE WHEN i % 4000 = 19 THEN 2 ELSE 1 END',
    pause,
  }: Owners & { readonly pause: string },
): string => `
  INSERT INTO transaction (merchant_account_id, id, status, intent, amount, currency, country, authorized_amount,
    captured_amount, refunded_amount, payment_source, method, instrument_type, card_scheme, card_bin, card_last_four,
    card_expiration_date, card_fingerprint, external_identifier, buyer, metadata, payment_service_id,
    payment_service_transaction_id, error_code, buyer_id, payment_method_id, anti_fraud_service_id, anti_fraud_decision, fraud_review,
    gift_card_amount, disputed, three_d_secure, card_country, created_at, updated_at)
  SELECT 'account-' || CASE WHEN i % 100 < 60 THEN 1 WHEN i % 100 < 85 THEN 2 WHEN i % 100 < 95 THEN 3 WHEN i % 100 < 99 THEN 4 ELSE 5 END,
    ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
    CASE WHEN i % 1000 = 3 THEN 'processing' WHEN i % 20 = 0 THEN 'authorization_declined' ELSE 'capture_succeeded' END,
    'capture', amount + CASE WHEN i % 2000 = 30 THEN 1 ELSE 0 END, CASE WHEN i % 5000 = 7 THEN 'ISK' WHEN i % 3 = 0 THEN 'EUR' ELSE 'USD' END,
    CASE WHEN i % 3000 = 11 THEN 'IS' ELSE 'US' END, amount, CASE WHEN i % 4000 = 5 THEN 0 ELSE amount END, CASE WHEN i % 500 = 13 THEN amount ELSE 0 END,
    CASE WHEN i % 4000 = 23 THEN 'moto' ELSE 'ecommerce' END, 'card', 'pan',
    CASE WHEN i % 2500 = 17 THEN 'jcb' ELSE 'visa' END, (40000000 + i % 997)::text, lpad((i % 9973)::text, 4, '0'), '03/30',
    'fp-' || i % 40009, 'order-' || i,
    CASE WHEN i % 10 = 0 THEN jsonb_build_object('displayName', 'Jane Doe' || i % 3001, 'externalIdentifier', 'cust-' || i % 5003,
      'billingDetails', jsonb_build_object('emailAddress', 'jane' || i % 5003 || '@example.com')) END,
    CASE WHEN i % 10 = 0 THEN jsonb_build_object('cart', i::text, 'channel', 'web') END,
    ('00000000-0000-7000-8000-00000000000' || ${service})::uuid, 'psp_' || md5(i::text),
    CASE WHEN i % 2000 = 20 THEN 'expired_card' WHEN i % 20 = 0 THEN 'insufficient_funds' END,
    CASE WHEN i % 2000 = 5 THEN '${storedId('buyer', 2)}' WHEN i % 2 = 0 THEN ${buyer} END::uuid,
    CASE WHEN i % 2000 = 6 THEN '${storedId('method', 2)}' WHEN i % 2 = 1 THEN '${storedId('method', 1)}' END::uuid,
    '00000000-0000-7000-8000-000000000003'::uuid, CASE WHEN i % 2000 = 5 THEN 'review' ELSE 'accept' END,
    CASE WHEN i % 4000 = 5 THEN 'pending' WHEN i % 2000 = 5 THEN 'accepted' END,
    CASE WHEN i % 2000 = 30 THEN 1 ELSE 0 END, i % 500 = 14,
    CASE WHEN i % 2000 = 31 THEN '{"source": "scenario"}' WHEN i % 10 = 1 THEN '{"source": "none"}' END::jsonb,
    CASE WHEN i % 3000 = 12 THEN 'IS' ELSE 'US' END, made, made + ((i * 31) % 5000) * interval '1 minute'
  FROM generate_series(1, ${rows}) i, LATERAL (
    SELECT (i::bigint * 7919 % 100000)::int AS amount, timestamptz '2026-01-01Z' + i * interval '1 ${pause}' AS made) x`;

/** The parts of the transactions whose terms are written at the same time. SQL, true for one part of the ids. */
const PARTS = [0, 1].map((part) => `get_byte(uuid_send(t.id), 15) % 2 = ${part}`);

const termsOf = (part: string): string => `
  INSERT INTO transaction_term (merchant_account_id, term, created_at, transaction_id)
  SELECT t.merchant_account_id, made.term, t.created_at, t.id FROM transaction t, transaction_terms(t) AS made (term) WHERE ${part}`;

const TERMS_KEY =
  'ALTER TABLE transaction_term ADD PRIMARY KEY (merchant_account_id, term, created_at, transaction_id)';
