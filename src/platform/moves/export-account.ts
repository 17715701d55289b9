import type pg from 'pg';
import { digestOf, holdAccount, type MoveApp, type Waits } from './depart.ts';
import { writeAccountFile, type Header, type Rows } from './file.ts';
import { inTransaction, stepMove, type Move } from './moves.sql.ts';
import {
  countAndSum,
  KEY_PAIRS,
  movingTables,
  readTables,
  SAME_FORM,
  travellingRows,
  type Table,
} from './tables.sql.ts';
import { readKind, readSchema } from './versions.sql.ts';

/** The rows of an account in one table. */
export type Counted = Header['tables'][number];

const READ_ONLY = 'ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Counts the rows of an account by table, and changes nothing. */
export const countAccount = (client: pg.Client, account: string): Promise<readonly Counted[]> =>
  inTransaction(client, () => countTables(client, account), READ_ONLY);

/**
 * Holds an account, and writes its rows into a file. All rows are of one snapshot, after the last change. A second export
 * writes the same move again.
 */
export async function exportAccount(
  app: MoveApp,
  { account, cell, path }: { readonly account: string; readonly cell: string | null; readonly path: string },
  waits: Waits,
): Promise<{ readonly move: Move; readonly tables: readonly Counted[] }> {
  const { client, say } = app;
  const move = await holdAccount(app, { account, cell }, waits);
  const tables = await inTransaction(
    client,
    async () => {
      const counted = await countTables(client, account);
      say(`Writing ${counted.reduce((sum, { rows }) => sum + Number(rows), 0)} rows.`);
      const header = await headerOf(app, move, counted);
      await writeAccountFile(path, header, rowsOf(client, account));
      return counted;
    },
    READ_ONLY,
  );
  await stepMove(client, move, 'held', receiptOf(move.id, tables));
  return { move, tables };
}

/** Returns the receipt of rows. Both cells compute it from their own tables. */
export const receiptOf = (move: string, tables: readonly Counted[]): string =>
  digestOf(`${move} ${tables.map(({ name, rows, checksum }) => `${name}:${rows}:${checksum}`).join(' ')}`);

/** Counts the rows of each moving table. Needs a transaction with one snapshot. */
export async function countTables(client: pg.Client, account: string): Promise<readonly Counted[]> {
  await client.query(SAME_FORM);
  const counted: Counted[] = [];
  for (const table of movingTables(await readTables(client))) {
    const { rows } = await client.query<Omit<Counted, 'name'>>(countAndSum(table), [account]);
    counted.push({ name: table.name, rows: '0', checksum: '0', ...rows[0] });
  }
  return counted;
}

async function headerOf(
  { client, clock }: MoveApp,
  { id, account, cell, releaseDigest }: Move,
  tables: readonly Counted[],
): Promise<Header> {
  return {
    ...{ format: 'paygraph account 1', move: id, account, cell, releaseDigest },
    kind: await readKind(client),
    schema: await readSchema(client),
    exportedAt: clock.now().toISOString(),
    tables: [...tables],
  };
}

/** A line of the file holds so many rows. */
const LINE_ROWS = 500;

async function* rowsOf(client: pg.Client, account: string): AsyncGenerator<Rows> {
  yield* pagesOf(client, 'api_key_pair', KEY_PAIRS, account);
  for (const table of movingTables(await readTables(client))) yield* rowsOfTable(client, table, account);
}

const rowsOfTable = (client: pg.Client, table: Table, account: string): AsyncGenerator<Rows> =>
  pagesOf(client, table.name, travellingRows(table), account);

async function* pagesOf(
  client: pg.Client,
  table: string,
  text: string,
  account: string,
): AsyncGenerator<Rows> {
  // The parameters of a cursor are those of its statement.
  await client.query(`DECLARE moving NO SCROLL CURSOR FOR ${text}`, [account]);
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${LINE_ROWS} FROM moving`);
    if (rows.length === 0) break;
    yield { table, json: `[${rows.map(({ row }) => row).join(',')}]` };
  }
  await client.query('CLOSE moving');
}
