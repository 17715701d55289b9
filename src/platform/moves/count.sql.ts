import type pg from 'pg';
import type { Header } from './file.ts';
import { KEY_PAIRS, READ_KEY_PAIRS } from './key-pairs.sql.ts';
import { countAndSum, movingTables, readTables, SAME_FORM, sumOf } from './tables.sql.ts';

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

/** Counts the key pairs that sign for an account by name. Needs a transaction. */
export const countKeyPairs = (client: pg.Client, account: string): Promise<Counted> =>
  countPairs(client, KEY_PAIRS, account);

/** Counts key pairs as a file has them, an array of JSON. The target may know some of them already, in another state. */
export const countReadKeyPairs = (client: pg.Client, json: string): Promise<Counted> =>
  countPairs(client, READ_KEY_PAIRS, json);

async function countPairs(client: pg.Client, text: string, parameter: string): Promise<Counted> {
  await client.query(SAME_FORM);
  const { rows } = await client.query<Omit<Counted, 'name'>>(sumOf(text), [parameter]);
  return { name: 'api_key_pair', rows: '0', checksum: '0', ...rows[0] };
}
