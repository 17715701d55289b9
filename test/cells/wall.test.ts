import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type pg from 'pg';
import { readTables } from '../../src/platform/moves/tables.sql.ts';
import { abortMove } from '../../src/platform/moves/give-up.ts';
import { readMove } from '../../src/platform/moves/moves.sql.ts';
import { lowerWall, raiseWall, walledTables } from '../../src/platform/moves/wall.sql.ts';
import { paygraph } from '../support/command.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { masterKeyText } from '../support/master-key.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { exportWithWorkers, openCell, openFolder, type CellAtHand } from './moving.ts';

let database: TestDatabase;
let server: TestServer;
let cell: CellAtHand;
let other: CellAtHand;
let folder: Awaited<ReturnType<typeof openFolder>>;
let walled: readonly string[];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer({ database, settings: { PAYGRAPH_MASTER_KEY: masterKeyText(6) } });
  [cell, other, folder] = await Promise.all([openCell(database.url), openCell(database.url), openFolder()]);
  walled = walledTables(await readTables(cell.client));
}, 60_000);

afterAll(async () => {
  await Promise.all([cell.close(), other.close(), folder.close()]);
  await server.stop();
}, 30_000);

beforeEach(async () => {
  await lowerWall(cell.client);
});

const raise = async (client: pg.Client): Promise<void> => raiseWall(client, await readTables(client));

const raised = async (): Promise<number> => {
  const [row] = await query<{ count: number }>(
    database.url,
    `SELECT count(*)::int AS count FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE tgname = 'account_away' AND tgenabled <> 'D' AND NOT c.relispartition`,
  );
  return row?.count ?? -1;
};

/** Runs work while another transaction is open. */
async function beside(text: string, work: () => Promise<void>): Promise<void> {
  await other.client.query('BEGIN');
  try {
    await other.client.query(text);
    await work();
  } finally {
    await other.client.query('ROLLBACK');
  }
}

it('goes down beside a transaction that has read every table', async () => {
  await raise(cell.client);
  expect(await raised()).toBe(walled.length);
  const reads = walled.map((name) => `SELECT FROM "${name}" LIMIT 1`).join('; ');

  await beside(reads, async () => {
    expect(await lowerWall(cell.client)).toBe(true);
  });

  expect(await raised()).toBe(0);
}, 60_000);

it('stays up while a transaction writes for long, and says so', async () => {
  await raise(cell.client);

  await beside('UPDATE payment_service SET active = active WHERE false', async () => {
    expect(await lowerWall(cell.client)).toBe(false);
  });

  expect(await raised()).toBeGreaterThan(0);
  expect(await lowerWall(cell.client)).toBe(true);
  expect(await raised()).toBe(0);
}, 60_000);

it('a command tells its result although the triggers cannot be switched off', async () => {
  await raise(cell.client);

  await beside('UPDATE payment_service SET active = active WHERE false', async () => {
    const { code, stdout, stderr } = await paygraph(['move', '--json'], {
      DATABASE_URL: database.url,
      PAYGRAPH_MASTER_KEY: masterKeyText(6),
    }).ended;

    expect({ code, told: JSON.parse(stdout) as unknown }).toEqual({ code: 0, told: { moves: [] } });
    expect(stderr).toContain('Run "paygraph move" again later.');
  });
}, 60_000);

it('does not go down under the move of another account', async () => {
  const { id } = await server.createMerchantAccount();
  await exportWithWorkers(cell, server.app, { account: id, path: folder.at(id) });

  expect(await lowerWall(other.client)).toBe(true);

  expect(await raised()).toBe(walled.length);
  await abortMove(cell, id);
  await lowerWall(cell.client);
  expect(await raised()).toBe(0);
}, 60_000);

it('ends an automatic vacuum that is in the way', async () => {
  await raise(cell.client);

  const { rows } = await cell.client.query<{ deadlock_timeout: string }>('SHOW deadlock_timeout');

  expect(rows).toEqual([{ deadlock_timeout: '20ms' }]);
});

it('a hold that waits for a long claim lets the claims of others pass', async () => {
  const { id } = await server.createMerchantAccount();
  let isHeld = false;
  let exporting: Promise<unknown> = Promise.resolve();

  await beside('UPDATE operation SET status = status WHERE false', async () => {
    exporting = exportWithWorkers(cell, server.app, { account: id, path: folder.at(id) }).then(
      () => (isHeld = true),
    );
    await until(async () => (await readMove(other.client, id))?.state === 'draining', 'the hold');
    for (let nth = 0; nth < 20; nth += 1)
      await query(database.url, `UPDATE operation SET status = status WHERE merchant_account_id = 'none'`);
    expect(isHeld).toBe(false);
    expect((await readMove(other.client, id))?.state).toBe('draining');
  });

  await exporting;
  expect((await readMove(cell.client, id))?.state).toBe('held');
  await abortMove(cell, id);
}, 60_000);
