import type pg from 'pg';

/** A table with rows of merchant accounts. */
export type Table = {
  readonly name: string;
  /** The column of the account. */
  readonly account: 'id' | 'merchant_account_id';
  readonly columns: readonly string[];
};

/**
 * The tables that stay behind. A person signs in again. The readers of the logs have emptied `report_pending` before the
 * export.
 */
export const LEFT_BEHIND: readonly string[] = ['dashboard_session', 'dashboard_sign_in', 'report_pending'];

/** The tables that the readers of logs and the dispatcher write. They go on until the logs are read. */
export const WRITTEN_FROM_LOGS: readonly string[] = [
  'anti_fraud_report',
  'audit_block',
  'audit_chain',
  'delivery',
  'delivery_attempt',
  'feed_entry',
  'feed_head',
  'outlet_position',
  'report_bucket',
  'report_buyer',
  'report_histogram',
  'report_pending',
  'webhook_endpoint',
];

/** The tables that refer to positions of the feed. The import gives the positions with the feed's entries, its first table. */
const OF_FEED: readonly string[] = [
  'feed_entry',
  'event',
  'delivery',
  'delivery_attempt',
  'webhook_endpoint',
];

const TABLES = `
  SELECT c.relname AS name, CASE c.relname WHEN 'merchant_account' THEN 'id' ELSE 'merchant_account_id' END AS account,
    array_agg(a.attname::text ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  GROUP BY c.oid, c.relname
  HAVING c.relname = 'merchant_account' OR 'merchant_account_id' = ANY (array_agg(a.attname::text))
  ORDER BY c.relname`;

/** Lists every table with rows of merchant accounts, as the catalogue of the database has it. */
export const readTables = async (client: pg.Client): Promise<readonly Table[]> =>
  (await client.query<Table>(TABLES)).rows;

/** Returns the tables that move, in the order of the file. */
export function movingTables(tables: readonly Table[]): readonly Table[] {
  const moving = tables.filter(({ name }) => !LEFT_BEHIND.includes(name));
  const late = OF_FEED.flatMap((name) => moving.filter((table) => table.name === name));
  return [...moving.filter((table) => !late.includes(table)), ...late];
}

/** The sequence of an event in its account's feed, for the position of the event. */
const SEQUENCE = `(SELECT f.sequence FROM feed_entry f WHERE f.position = t.position)`;

const BEFORE = `coalesce((SELECT max(f.sequence) FROM feed_entry f
  WHERE f.merchant_account_id = t.merchant_account_id AND f.position <= t.created_position
    AND f.position <> ALL (t.created_gaps)), 0)`;

const AMONG_GAPS = `ARRAY(SELECT f.sequence FROM feed_entry f
  WHERE f.merchant_account_id = t.merchant_account_id AND f.position = ANY (t.created_gaps) ORDER BY f.sequence)`;

/**
 * The columns that mean something in one database alone. A position in the feed travels as the sequence of its event. The
 * other logs were read, so their entries travel without a position.
 */
const TRAVELLING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  audit_entry: { position: 'NULL::bigint' },
  ledger_entry: { position: 'NULL::bigint' },
  operation: { position: 'NULL::bigint' },
  feed_entry: { position: 't.sequence' },
  event: { position: SEQUENCE },
  delivery: { position: SEQUENCE },
  delivery_attempt: { position: SEQUENCE },
  webhook_endpoint: { created_position: BEFORE, created_gaps: AMONG_GAPS },
};

/** Attempts and events whose feed entry the retention has removed stay behind. */
const ENTERED: readonly string[] = ['event', 'delivery', 'delivery_attempt'];

/** Returns a query for the rows of the account `$1` as they travel, in the form of JSON. The column is `row`. */
export function travellingRows({ name, account, columns }: Table): string {
  const values = columns.map((column) => `${TRAVELLING[name]?.[column] ?? `t."${column}"`} AS "${column}"`);
  const entered = ENTERED.includes(name)
    ? 'AND EXISTS (SELECT FROM feed_entry f WHERE f.position = t.position)'
    : '';
  const order = name === 'feed_entry' ? 'ORDER BY t.sequence' : '';
  return `SELECT row_to_json(r)::text AS row FROM (
    SELECT ${values.join(', ')} FROM "${name}" t WHERE t."${account}" = $1 ${entered} ${order}) r`;
}

/** The places of the imported events: each has its sequence of the source and a new position. */
export const PLACES =
  'CREATE TEMPORARY TABLE arrived_place (sequence bigint PRIMARY KEY, position bigint NOT NULL) ON COMMIT DROP';

/** The transaction has written before, so it has its number before the positions, as the readers of the log require. */
export const GIVE_PLACES = `INSERT INTO arrived_place (sequence, position)
  SELECT sequence, nextval('event_position_seq') FROM (
    SELECT sequence FROM json_populate_recordset(NULL::feed_entry, $1) ORDER BY sequence) s`;

const PLACE = '(SELECT p.position FROM arrived_place p WHERE p.sequence = r.position)';

/** The values of an import for columns that travel in another form. */
const ARRIVING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  feed_entry: { position: PLACE },
  event: { position: PLACE },
  delivery: { position: PLACE },
  delivery_attempt: { position: PLACE },
  webhook_endpoint: {
    created_position:
      'coalesce((SELECT p.position FROM arrived_place p WHERE p.sequence = r.created_position), 0)',
    created_gaps:
      'ARRAY(SELECT p.position FROM arrived_place p WHERE p.sequence = ANY (r.created_gaps) ORDER BY p.position)',
  },
};

/** Returns the statement that inserts travelled rows, an array of JSON in `$1`, as rows of the account `$2` alone. */
export function insertArriving({ name, account, columns }: Table): string {
  const values = columns.map((column) =>
    column === account ? '$2' : (ARRIVING[name]?.[column] ?? `r."${column}"`),
  );
  return `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')})
    SELECT ${values.join(', ')} FROM json_populate_recordset(NULL::"${name}", $1) r`;
}

/** Returns a query for the number of the account's rows and their checksum. */
export const countAndSum = (table: Table): string => sumOf(travellingRows(table));

/** Returns a query for the number of rows of JSON and their checksum. The checksum is a sum over the digest of each row. */
export const sumOf = (rows: string): string => `
  SELECT count(*)::text AS rows, coalesce(sum(('x' || left(md5(row), 15))::bit(60)::bigint), 0)::text AS checksum
  FROM (${rows}) travelling`;

/** Returns the statement that removes the rows of the account `$1`. */
export const removeRows = ({ name, account }: Table): string =>
  `DELETE FROM "${name}" WHERE "${account}" = $1`;

/** Values read the same in both cells, whatever the settings of the servers. */
export const SAME_FORM = `SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL bytea_output = 'hex';
  SET LOCAL IntervalStyle = 'postgres'; SET LOCAL extra_float_digits = 1`;

/** Turns off triggers and the checks of foreign keys for a transaction. The rows come from a database that checked them. */
export const WITHOUT_TRIGGERS = 'SET LOCAL session_replication_role = replica';
