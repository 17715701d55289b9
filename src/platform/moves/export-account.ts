import type pg from 'pg';
import { KIND, readFactOn } from '../database/installation-facts.ts';
import { countKeyPairs, countTables, type Counted } from './count.sql.ts';
import { holdAccount, type MoveApp, type Waits } from './depart.ts';
import { writeAccountFile, type Header, type Rows } from './file.ts';
import { inTransaction, stepMove, type Move } from './moves.sql.ts';
import { KEY_PAIRS } from './key-pairs.sql.ts';
import { digestOf } from './proofs.ts';
import { pagesOf } from './rows.sql.ts';
import { movingTables, readTables, travellingRows } from './tables.sql.ts';
import { readSchema } from './versions.sql.ts';

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
      const counted = [await countKeyPairs(client, account), ...(await countTables(client, account))];
      say(`Writing ${counted.reduce((sum, { rows }) => sum + Number(rows), 0)} rows.`);
      const header = await headerOf(app, move, counted);
      await writeAccountFile(path, header, rowsOf(client, account));
      return counted;
    },
    READ_ONLY,
  );
  await stepMove(client, move, 'held', { rowsDigest: rowsDigestOf(move.id, tables) });
  return { move, tables };
}

/** Returns the digest over the rows of an account. Both cells compute it from their own tables. */
export const rowsDigestOf = (move: string, tables: readonly Counted[]): string =>
  digestOf(`${move} ${tables.map(({ name, rows, checksum }) => `${name}:${rows}:${checksum}`).join(' ')}`);

async function headerOf(
  { client, clock }: MoveApp,
  { id, account, cell, publicKey }: Move,
  tables: readonly Counted[],
): Promise<Header> {
  return {
    ...{ format: 'paygraph account 1', move: id, account, cell, publicKey },
    kind: await readFactOn(client, KIND),
    schema: await readSchema(client),
    exportedAt: clock.now().toISOString(),
    tables: [...tables],
  };
}

async function* rowsOf(client: pg.Client, account: string): AsyncGenerator<Rows> {
  for await (const json of pagesOf(client, KEY_PAIRS, account)) yield { table: 'api_key_pair', json };
  for (const table of movingTables(await readTables(client)))
    for await (const json of pagesOf(client, travellingRows(table), account))
      yield { table: table.name, json };
}
