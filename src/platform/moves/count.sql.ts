import type pg from 'pg';
import type { Header } from './file.ts';
import { countAndSum, movingTables, readTables, SAME_FORM } from './tables.sql.ts';

/** The rows of an account in one table. */
export type Counted = Header['tables'][number];

/** Counts the rows of each moving table, with their checksums. Needs a transaction with one snapshot. */
export async function countTables(client: pg.Client, account: string): Promise<readonly Counted[]> {
  await client.query(SAME_FORM);
  const counted: Counted[] = [];
  for (const table of movingTables(await readTables(client))) {
    const { rows } = await client.query<Omit<Counted, 'name'>>(countAndSum(table), [account]);
    counted.push({ name: table.name, rows: '0', checksum: '0', ...rows[0] });
  }
  return counted;
}
