import type pg from 'pg';
import { DATA_KEY_COLUMNS, type DataKeyRow } from '../vault/store.ts';
import { NARROW_KEY_PAIRS, REMOVE_KEY_PAIRS } from './key-pairs.sql.ts';
import {
  LEFT_BEHIND,
  movingTables,
  readTables,
  removeRows,
  WITHOUT_TRIGGERS,
  type Table,
} from './tables.sql.ts';

/** Returns true if the database has the merchant account. */
export async function accountExists(client: pg.Client, account: string): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM merchant_account WHERE id = $1', [account]);
  return rows.length > 0;
}

/**
 * Removes the rows of an account in the caller's transaction. The row of the account stays, unless `also` names its
 * table. Requests for an account that left find it, and learn where it is.
 */
export async function removeAccountRows(
  client: pg.Client,
  account: string,
  also: readonly string[] = [],
): Promise<number> {
  const tables = movingTables(await readTables(client));
  await client.query(WITHOUT_TRIGGERS);
  let removed = 0;
  for (const table of tables.toReversed())
    if (table.name !== 'merchant_account' || also.includes(table.name))
      removed += (await client.query(removeRows(table), [account])).rowCount ?? 0;
  return removed;
}

/** Takes an account from every key pair that signs for it by name. */
export async function releaseKeyPairs(client: pg.Client, account: string): Promise<void> {
  await client.query(REMOVE_KEY_PAIRS, [account]);
  await client.query(NARROW_KEY_PAIRS, [account]);
}

/** Returns the name of a table, other than that of the accounts, with rows of an account. Null without one. */
export async function tableWithRows(
  client: pg.Client,
  account: string,
  tables: readonly Table[],
): Promise<string | null> {
  for (const { name, account: column } of tables) {
    if (name === 'merchant_account' || LEFT_BEHIND.includes(name)) continue;
    const { rows } = await client.query(`SELECT FROM "${name}" WHERE "${column}" = $1 LIMIT 1`, [account]);
    if (rows.length > 0) return name;
  }
  return null;
}

/** Removes the row of an account that has no other rows. The caller's transaction runs without triggers. */
export async function removeBareAccount(client: pg.Client, account: string): Promise<void> {
  await client.query('DELETE FROM merchant_account WHERE id = $1', [account]);
}

/** Returns the wrapped data keys of an account. */
export async function readDataKeys(client: pg.Client, account: string): Promise<readonly DataKeyRow[]> {
  const text = `SELECT ${DATA_KEY_COLUMNS} FROM data_key WHERE merchant_account_id = $1`;
  return (await client.query<DataKeyRow>(text, [account])).rows;
}

/** A page has about so many bytes, so it fits into the memory and into one parameter. A larger row is a page of its own. */
const PAGE_BYTES = 4_000_000;
const PAGE_ROWS = 500;

/**
 * Reads the answer to a query with one parameter in pages of JSON arrays. Needs a transaction. Fetches few rows at first, and as
 * many as their size allows then.
 */
export async function* pagesOf(client: pg.Client, text: string, account: string): AsyncGenerator<string> {
  await client.query(`DECLARE moving NO SCROLL CURSOR FOR ${text}`, [account]);
  for (let fetched = 4; ;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${fetched} FROM moving`);
    if (rows.length === 0) break;
    const bytes = rows.reduce((sum, { row }) => sum + Buffer.byteLength(row), 0);
    yield* arraysOf(rows.map(({ row }) => row));
    fetched = Math.max(1, Math.min(PAGE_ROWS, 2 * fetched, Math.floor((rows.length * PAGE_BYTES) / bytes)));
  }
  await client.query('CLOSE moving');
}

/** Joins rows to arrays of at most `PAGE_BYTES`. Rows that grew within a page need several. */
function* arraysOf(rows: readonly string[]): Generator<string> {
  let page: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(row);
    if (page.length > 0 && bytes + size > PAGE_BYTES) {
      yield `[${page.join(',')}]`;
      [page, bytes] = [[], 0];
    }
    page.push(row);
    bytes += size;
  }
  yield `[${page.join(',')}]`;
}
