import { query } from '../../support/database.ts';

/** A table or an index, with all of its partitions. */
export type Relation = {
  readonly name: string;
  /** The table of an index. A table names itself. */
  readonly table: string;
  readonly bytes: number;
};

/** The space of a database, and the rows of its tables. */
export type Sizes = {
  readonly relations: readonly Relation[];
  readonly rows: Readonly<Record<string, number>>;
  /** The rows that were changed or removed, and that no vacuum has taken. */
  readonly dead: number;
};

/** Measures all tables and indexes of a database, and counts the rows. */
export async function sizesOf(url: string): Promise<Sizes> {
  const relations = await query<{ name: string; table: string; bytes: string }>(url, RELATIONS);
  const tables = [...new Set(relations.map(({ table }) => table))];
  const counts = tables.map((table) => `SELECT '${table}' AS table, count(*)::int AS rows FROM "${table}"`);
  const rows = await query<{ table: string; rows: number }>(url, counts.join(' UNION ALL '));
  const [dead] = await query<{ dead: number }>(
    url,
    'SELECT coalesce(sum(n_dead_tup), 0)::int AS dead FROM pg_stat_user_tables',
  );
  return {
    relations: relations.map((each) => ({ ...each, bytes: Number(each.bytes) })),
    rows: Object.fromEntries(rows.map((each) => [each.table, each.rows])),
    dead: dead?.dead ?? NaN,
  };
}

/** A partition counts to its parent. A table counts without its indexes, but with its long values. */
const RELATIONS = `
  SELECT coalesce(parent.relname, own.relname) AS name,
    coalesce(parent_table.relname, own_table.relname) AS table,
    sum(CASE WHEN own.relkind = 'i' THEN pg_relation_size(own.oid) ELSE pg_table_size(own.oid) END) AS bytes
  FROM pg_class own
  LEFT JOIN pg_index i ON i.indexrelid = own.oid
  JOIN pg_class own_table ON own_table.oid = coalesce(i.indrelid, own.oid)
  LEFT JOIN pg_inherits h ON h.inhrelid = own.oid LEFT JOIN pg_class parent ON parent.oid = h.inhparent
  LEFT JOIN pg_inherits t ON t.inhrelid = own_table.oid LEFT JOIN pg_class parent_table ON parent_table.oid = t.inhparent
  WHERE own.relnamespace = 'public'::regnamespace AND own.relkind IN ('r', 'i')
  GROUP BY 1, 2 ORDER BY 1`;

/** Adds up the space of all relations. */
export const bytesOf = ({ relations }: Sizes): number => relations.reduce((sum, { bytes }) => sum + bytes, 0);

/** Counts the payments of a database. */
export const paymentsOf = ({ rows }: Sizes): number => rows['transaction'] ?? 0;
