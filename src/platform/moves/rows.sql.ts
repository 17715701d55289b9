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

/** Returns true while payments are held back after a restore. */
export async function paymentsAreHeld(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM installation_fact WHERE name = 'payments_held'`);
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

/** Reads the answer to a query with one parameter in pages of JSON arrays. Needs a transaction. */
export async function* pagesOf(
  client: pg.Client,
  text: string,
  account: string,
  pageRows: number,
): AsyncGenerator<string> {
  await client.query(`DECLARE moving NO SCROLL CURSOR FOR ${text}`, [account]);
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${pageRows} FROM moving`);
    if (rows.length === 0) break;
    yield `[${rows.map(({ row }) => row).join(',')}]`;
  }
  await client.query('CLOSE moving');
}
