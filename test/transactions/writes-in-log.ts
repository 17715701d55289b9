import { query } from '../support/database.ts';

/**
 * The records of one table in the write-ahead log:
 *
 * - inserts, updates and deletes of rows
 * - `hot`: the updates that added no entry to an index
 * - `entries`: the entries of its indexes
 * - `locks`: the locks of rows that were logged. A foreign key locks the row that it names.
 */
export type Writes = {
  readonly inserts?: number;
  readonly updates?: number;
  readonly hot?: number;
  readonly deletes?: number;
  readonly entries?: number;
  readonly locks?: number;
};

/** Enables the reading of the log in a database. */
export const prepareLogReading = async (databaseUrl: string): Promise<void> => {
  await query(databaseUrl, 'CREATE EXTENSION pg_walinspect');
};

/** Returns the end of the log, when all before it can be read. */
export async function endOfLog(databaseUrl: string): Promise<string> {
  // The commit of this message writes out the log, whatever the other sessions leave for later.
  await query(
    databaseUrl,
    `BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_logical_emit_message(true, 'end', ''); COMMIT`,
  );
  const [row] = await query<{ end: string }>(databaseUrl, 'SELECT pg_current_wal_flush_lsn() AS end');
  return row?.end ?? '';
}

// A row that is too long for its page has pieces in a table of its own. They count as rows of the table.
const WRITES = `
  SELECT regexp_replace(coalesce(tt.relname, ti.relname, t.relname), '_(from_\\d+|default)$', '') AS table,
    count(*) FILTER (WHERE kind LIKE 'Heap INSERT%')::int AS inserts,
    count(*) FILTER (WHERE kind LIKE 'Heap UPDATE%' OR kind LIKE 'Heap HOT_UPDATE%')::int AS updates,
    count(*) FILTER (WHERE kind LIKE 'Heap HOT_UPDATE%')::int AS hot,
    count(*) FILTER (WHERE kind LIKE 'Heap DELETE%')::int AS deletes,
    count(*) FILTER (WHERE kind ~ '^Btree (INSERT_LEAF|INSERT_POST|SPLIT_)')::int AS entries,
    count(*) FILTER (WHERE kind LIKE 'Heap LOCK%')::int AS locks
  FROM (
    SELECT b.relfilenode, b.resource_manager || ' ' || b.record_type AS kind FROM pg_get_wal_block_info($1, $2) b
    WHERE b.block_id = 0 AND b.reldatabase = (SELECT oid FROM pg_database WHERE datname = current_database())) block
  JOIN pg_class t ON t.relfilenode = block.relfilenode
  LEFT JOIN pg_index i ON i.indexrelid = t.oid
  LEFT JOIN pg_class ti ON ti.oid = i.indrelid
  LEFT JOIN pg_class tt ON tt.reltoastrelid = coalesce(ti.oid, t.oid)
  WHERE coalesce(ti.relnamespace, t.relnamespace) <> 'pg_catalog'::regnamespace
  GROUP BY 1`;

type Row = { readonly table: string } & Required<Writes>;

const KINDS = ['inserts', 'updates', 'hot', 'deletes', 'entries', 'locks'] as const;

/**
 * Returns what one operation writes to each table, and its share of the background work. The operation counts that has the fewest
 * records of the table. One that meets a full page writes more than the others. While any transaction of the server is
 * open, Postgres cleans no page, and most pages are full.
 *
 * @param places the places of the log: before the operations, after each one, and after the background work
 */
export async function readWrites(
  databaseUrl: string,
  places: readonly string[],
): Promise<Readonly<Record<string, Writes>>> {
  const parts: (readonly Row[])[] = [];
  for (const [nth, until] of places.slice(1).entries())
    parts.push(await query<Row>(databaseUrl, WRITES, [places[nth] ?? '', until]));
  const operations = parts.slice(0, -1);
  const rowOf = (rows: readonly Row[] | undefined, table: string): Row =>
    rows?.find((row) => row.table === table) ?? { ...NOTHING, table };
  const tables = new Set(parts.flat().map(({ table }) => table));
  const writes = [...tables].map((table) => {
    const least = leastOf(operations.map((rows) => rowOf(rows, table)));
    const behind = rowOf(parts.at(-1), table);
    return [table, sharesOf((kind) => least[kind] + behind[kind] / operations.length)] as const;
  });
  return Object.fromEntries(writes.filter(([, counts]) => Object.keys(counts).length > 0));
}

const NOTHING = { inserts: 0, updates: 0, hot: 0, deletes: 0, entries: 0, locks: 0 };

/** Returns the counts with the fewest records. An update without new entries is the same record as another. */
const leastOf = (rows: readonly Row[]): Row => {
  const recordsOf = ({ inserts, updates, deletes, entries, locks }: Row): number =>
    inserts + updates + deletes + entries + locks;
  return rows.reduce((least, row) => (recordsOf(row) < recordsOf(least) ? row : least));
};

/** Returns the kinds of records that were written at all. */
const sharesOf = (share: (kind: keyof Writes) => number): Writes =>
  Object.fromEntries(KINDS.map((kind) => [kind, share(kind)] as const).filter(([, most]) => most !== 0));
