import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { forgetAccount, leaveAccount } from '../../src/platform/moves/depart.ts';
import { countAccount, exportAccount } from '../../src/platform/moves/export-account.ts';
import { abortMove } from '../../src/platform/moves/give-up.ts';
import { importAccount, openAccount } from '../../src/platform/moves/import-account.ts';
import { createTestServerService } from '../http/inbound-service.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { masterKeyText } from '../support/master-key.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { inboxAt, type Inbox } from '../transactions/inbox.ts';
import { exportWithWorkers, keysOf, openCell, openFolder, type CellAtHand } from './moving.ts';

const KEY = 8;
const keys = keysOf(KEY);

let server: TestServer;
let database: TestDatabase;
let source: CellAtHand;
let target: CellAtHand;
let folder: Awaited<ReturnType<typeof openFolder>>;
let account: string;
let token: string;
let path: string;
/** The address of the account for webhooks of a provider, in the source. */
let inbox: Inbox;

beforeAll(async () => {
  const from = await createTestDatabase();
  [server, database, folder] = await Promise.all([
    startTestServer({ database: from, settings: { PAYGRAPH_MASTER_KEY: masterKeyText(KEY) } }),
    createTestDatabase(),
    openFolder(),
  ]);
  [source, target] = await Promise.all([openCell(from.url), openCell(database.url)]);
  ({ id: account, token } = await server.createMerchantAccount());
  inbox = inboxAt((await createTestServerService(server, null, token)).webhookUrl);
  // The secret of a webhook needs a data key.
  await createEndpoint();
  path = folder.at('account');
  await exportWithWorkers(source, server.app, { account, path });
}, 120_000);

afterAll(async () => {
  await Promise.all([source.close(), target.close(), folder.close()]);
  await server.stop();
  await database.drop();
}, 30_000);

const createEndpoint = () =>
  server.graphql(
    `mutation ($description: String!) { createWebhookEndpoint(input: { url: "https://shop.example/hook",
       description: $description }) { secret userErrors { message } } }`,
    // A separator of lines, as Unicode has it.
    { description: 'first\u2028second' },
    { token },
  );

const tell = async () => {
  const { status, headers } = await inbox.post(
    JSON.stringify({ id: randomUUID(), payment_service_transaction_id: 'pay_1', event: 'capture.succeeded' }),
  );
  return { status, cell: headers.get('x-paygraph-cell') };
};

const rowsIn = async (cell: CellAtHand): Promise<number> =>
  (await countAccount(cell.client, account)).reduce((sum, { rows }) => sum + Number(rows), 0);

/** Writes a changed copy of the file. */
async function changed(name: string, change: (text: string) => string): Promise<string> {
  const copy = folder.at(name);
  await writeFile(copy, change(await readFile(path, 'utf8')));
  return copy;
}

describe('an account that is held', () => {
  it('refuses a change with a code, and leaves nothing', async () => {
    const before = await rowsIn(source);

    const { status, headers, body } = await createEndpoint();

    expect({ status, code: body.errors?.[0]?.extensions.code }).toEqual({
      status: 503,
      code: 'ACCOUNT_MOVING',
    });
    expect(headers.get('retry-after')).toBe('2');
    expect(await rowsIn(source)).toBe(before);
  });

  it('refuses the webhook of a provider, which sends it again', async () => {
    expect(await tell()).toEqual({ status: 503, cell: null });
  });

  it('refuses a change of every table with its rows', async () => {
    const filled = (await countAccount(source.client, account)).filter(({ rows }) => rows !== '0');
    for (const { name } of filled) {
      const column = name === 'merchant_account' ? 'id' : 'merchant_account_id';
      const change = query(
        server.app.config.DATABASE_URL ?? '',
        `DELETE FROM "${name}" WHERE ${column} = $1`,
        [account],
      );
      await expect(change).rejects.toMatchObject({ code: 'PH002' });
    }
    expect(filled.length).toBeGreaterThan(5);
  });

  it('lets other accounts change', async () => {
    const { body } = await server.graphql<{ createWebhookEndpoint: { userErrors: unknown[] } }>(
      'mutation { createWebhookEndpoint(input: { url: "https://other.example/hook" }) { userErrors { message } } }',
    );

    expect(body.data?.createWebhookEndpoint.userErrors).toEqual([]);
  });
});

describe('an import', () => {
  it.each<[string, (text: string) => string, RegExp]>([
    ['a changed row', (text) => text.replace('shop.example', 'evil.example'), /is not whole, or was changed/],
    ['a file that breaks off', (text) => text.slice(0, -80), /is not whole, or was changed/],
    ['a file that goes on', (text) => `${text}event []\n`, /goes on behind its end/],
    ['another file', () => 'nothing\n', /is not whole, or was changed/],
  ])('refuses %s', async (_, change, sentence) => {
    const copy = await changed('copy', change);

    await expect(importAccount(target, keys, copy)).rejects.toThrow(sentence);
    expect(await rowsIn(target)).toBe(0);
  });

  it('refuses a file of another schema', async () => {
    const [last] = await query<{ name: string }>(
      database.url,
      `UPDATE _prisma_migrations SET migration_name = migration_name || '_x'
       WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations) RETURNING migration_name AS name`,
    );

    await expect(importAccount(target, keys, path)).rejects.toThrow(/Bring both cells to the same release/);

    await query(
      database.url,
      'UPDATE _prisma_migrations SET migration_name = left($1, -2) WHERE migration_name = $1',
      [last?.name],
    );
  });

  it('refuses an account whose data keys it cannot open, and leaves nothing', async () => {
    await expect(importAccount(target, keysOf(9), path)).rejects.toThrow(/Configure the former key too/);

    expect(await rowsIn(target)).toBe(0);
  });

  it('refuses an account while payments are held back after a restore', async () => {
    await query(database.url, `INSERT INTO installation_fact (name, value) VALUES ('payments_held', '{}')`);

    await expect(importAccount(target, keys, path)).rejects.toThrow(/held back after a restore/);

    await query(database.url, `DELETE FROM installation_fact WHERE name = 'payments_held'`);
  });

  it('refuses an account that is here', async () => {
    await expect(importAccount(source, keys, path)).rejects.toThrow(/is held for a move/);
  });
});

describe('the steps of a move', () => {
  it('come in their order, and each wants the proof of the one before', async () => {
    await expect(leaveAccount(source, account, 'invented')).rejects.toThrow(/receipt does not fit/);
    await expect(openAccount(target, account, 'invented')).rejects.toThrow(/is not on the way/);
    const { receipt } = await importAccount(target, keys, path);
    await expect(openAccount(target, account, 'invented')).rejects.toThrow(/key is not that of this import/);
    await expect(forgetAccount(source, account, 'invented')).rejects.toThrow(/is held for a move/);
    await expect(
      exportAccount(target, { account, cell: 'a', path }, { callsMs: 0, logsMs: 0 }),
    ).rejects.toThrow(/is arriving/);

    await abortMove(target, account);
    expect(await rowsIn(target)).toBe(0);
    const again = await importAccount(target, keys, path);
    expect(again.receipt).not.toBe(receipt);
    expect((await importAccount(target, keys, path)).receipt).toBe(again.receipt);
    const key = await leaveAccount(source, account, again.receipt);
    expect(await leaveAccount(source, account, again.receipt)).toBe(key);
    // The proxy sends the webhook to that cell.
    await until(async () => (await tell()).status === 421);
    expect(await tell()).toEqual({ status: 421, cell: 'b' });
    await expect(leaveAccount(source, account, receipt)).rejects.toThrow(/has left for another import/);
    await expect(abortMove(source, account)).rejects.toThrow(/has left this cell/);
    await expect(forgetAccount(source, account, 'invented')).rejects.toThrow(/confirmation is not/);
    const confirmation = await openAccount(target, account, key);
    expect(await openAccount(target, account, key)).toBe(confirmation);
    await expect(abortMove(target, account)).rejects.toThrow(/is not on the way/);
    expect(await forgetAccount(source, account, confirmation)).toBeGreaterThan(0);
    expect(await rowsIn(source)).toBe(1);
    // Background work of all accounts looks here, so the list must not grow with every account that has left.
    expect((await source.client.query('SELECT FROM account_away')).rowCount).toBe(0);
  }, 60_000);

  it('bring an account back to the cell that has forgotten it', async () => {
    const back = folder.at('back');
    const opened = await startTestServer({ database, settings: { PAYGRAPH_MASTER_KEY: masterKeyText(KEY) } });
    await exportWithWorkers(target, opened.app, { account, path: back });
    const { receipt } = await importAccount(source, keys, back);
    await openAccount(source, account, await leaveAccount(target, account, receipt));

    // The audit log tells the arrival.
    expect(await rowsIn(source)).toBe((await rowsIn(target)) + 1);
    await opened.http.close();
  }, 60_000);
});
