import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { countReadKeyPairs } from '../../src/platform/moves/count.sql.ts';
import { forgetAccount, leaveAccount } from '../../src/platform/moves/depart.ts';
import type { Header } from '../../src/platform/moves/file.ts';
import { abortMove } from '../../src/platform/moves/give-up.ts';
import { importAccount, openAccount } from '../../src/platform/moves/import-account.ts';
import { readMove } from '../../src/platform/moves/moves.sql.ts';
import { recordNamed } from '../events/harness.ts';
import { createTestDatabase, query, type TestDatabase } from '../support/database.ts';
import { masterKeyText } from '../support/master-key.ts';
import { relayAll } from '../support/relay-all.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import {
  closeWithWorkers,
  exportWithWorkers,
  keysOf,
  openCell,
  openFolder,
  type CellAtHand,
} from './moving.ts';

const KEY = 9;
const keys = keysOf(KEY);

let server: TestServer;
let databases: { readonly a: TestDatabase; readonly b: TestDatabase; readonly c: TestDatabase };
let a: CellAtHand;
let b: CellAtHand;
let c: CellAtHand;
let folder: Awaited<ReturnType<typeof openFolder>>;
let account: string;
let token: string;
let path: string;

beforeAll(async () => {
  const [from, to, other] = await Promise.all([
    createTestDatabase(),
    createTestDatabase(),
    createTestDatabase(),
  ]);
  databases = { a: from, b: to, c: other };
  server = await startTestServer({ database: from, settings: { PAYGRAPH_MASTER_KEY: masterKeyText(KEY) } });
  folder = await openFolder();
  [a, b, c] = await Promise.all([openCell(from.url), openCell(to.url), openCell(other.url)]);
}, 60_000);

afterAll(async () => {
  await Promise.all([a.close(), b.close(), c.close(), folder.close()]);
  await server.stop();
  await Promise.all([databases.b.drop(), databases.c.drop()]);
}, 30_000);

/** Each test moves an account of its own, with an endpoint and a key pair that names it. */
beforeEach(async () => {
  ({ id: account, token } = await server.createMerchantAccount());
  await server.graphql(
    'mutation { createWebhookEndpoint(input: { url: "https://shop.example/hook" }) { userErrors { message } } }',
    {},
    { token },
  );
  await query(
    databases.a.url,
    `INSERT INTO api_key_pair (id, display_name, thumbprint, algorithm, public_key, scopes, merchant_account_ids, created_at, updated_at)
     VALUES (gen_random_uuid(), 'Shop', 'of ' || $1, 'es256', '{"kty":"EC"}', '{*.read}', ARRAY[$1], now(), now())`,
    [account],
  );
  path = folder.at(account);
  await exportWithWorkers(a, server.app, { account, path });
}, 60_000);

const pairsIn = (database: TestDatabase) =>
  query<{ thumbprint: string; accounts: string[]; active: boolean }>(
    database.url,
    `SELECT thumbprint, merchant_account_ids AS accounts, active FROM api_key_pair WHERE $1 = ANY (merchant_account_ids)`,
    [account],
  );

const stateIn = async (cell: CellAtHand): Promise<string | null> =>
  (await readMove(cell.client, account))?.state ?? null;

/** Writes a copy of the file that was changed by somebody who also mends its checks. */
async function forged(change: (lines: string[], header: Header) => void): Promise<string> {
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -2);
  const header = JSON.parse(lines.shift() ?? '') as Header;
  change(lines, header);
  const text = [JSON.stringify(header), ...lines].map((line) => `${line}\n`).join('');
  const copy = `${path}.forged`;
  await writeFile(copy, `${text}end ${createHash('sha256').update(text).digest('hex')}\n`);
  return copy;
}

const lineOf = (lines: readonly string[], table: string): number =>
  lines.findIndex((line) => line.startsWith(`${table} `));

describe('one file in two cells', () => {
  it('is opened in the one that the account has left for', async () => {
    const [here, elsewhere] = [await importAccount(b, keys, path), await importAccount(c, keys, path)];

    const key = await leaveAccount(a, account, here.receipt);

    await expect(openAccount(c, account, key)).rejects.toThrow(/key is not that of this import/);
    await expect(leaveAccount(a, account, elsewhere.receipt)).rejects.toThrow(/left for another import/);
    expect(await stateIn(c)).toBe('arriving');
    await openAccount(b, account, key);
    await abortMove(c, account);
    expect([await stateIn(b), await stateIn(c)]).toEqual(['open', null]);
  }, 60_000);

  it('is opened in no cell a second time', async () => {
    const key = await leaveAccount(a, account, (await importAccount(b, keys, path)).receipt);
    const confirmation = await openAccount(b, account, key);
    await forgetAccount(a, account, confirmation);

    // The former source takes its own old file, as if the account came back.
    await importAccount(a, keys, path);

    await expect(openAccount(a, account, key)).rejects.toThrow(/key is not that of this import/);
    await abortMove(a, account);
  }, 60_000);
});

describe('a forged file', () => {
  it('writes no row of another account', async () => {
    const victim = (await server.createMerchantAccount()).id;
    const copy = await forged((lines) => {
      const line = lines[lineOf(lines, 'webhook_endpoint')] ?? '';
      const id = /"id":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? '';
      const other = `${id.slice(0, -4)}${id.endsWith('0000') ? '1111' : '0000'}`;
      lines.push(line.replaceAll(`"${account}"`, `"${victim}"`).replace(id, other));
    });

    await expect(importAccount(b, keys, copy)).rejects.toThrow(/differ from the export: webhook_endpoint/);

    const rows = await query(databases.b.url, 'SELECT FROM webhook_endpoint WHERE merchant_account_id = $1', [
      victim,
    ]);
    expect(rows).toEqual([]);
  }, 60_000);

  it('gives a key pair no other account, and no receipt fits its key pairs', async () => {
    const changed = (await readFile(path, 'utf8'))
      .split('\n')
      .find((line) => line.startsWith('api_key_pair '));
    const json = (changed ?? '').slice('api_key_pair '.length).replace(`["${account}"]`, '[]');
    const counted = await countReadKeyPairs(b.client, json);
    const copy = await forged((lines, header) => {
      lines[lineOf(lines, 'api_key_pair')] = `api_key_pair ${json}`;
      header.tables.splice(0, 1, counted);
    });

    const { receipt } = await importAccount(b, keys, copy);

    expect(await pairsIn(databases.b)).toEqual([
      { thumbprint: `of ${account}`, accounts: [account], active: true },
    ]);
    await expect(leaveAccount(a, account, receipt)).rejects.toThrow(/receipt does not fit/);
    await abortMove(b, account);
    expect(await pairsIn(databases.b)).toEqual([]);
  }, 60_000);
});

it('an account whose webhooks find no partition is refused with a command to run', async () => {
  await abortMove(a, account);
  await server.app.db.transaction((tx) =>
    recordNamed(server.app, tx, { merchantAccountId: account }, 'test.a'),
  );
  await relayAll(server.app);
  await query(
    databases.a.url,
    `INSERT INTO delivery_attempt (merchant_account_id, id, endpoint_id, position, number, probe, started_at, duration_ms)
     SELECT merchant_account_id, gen_random_uuid(), endpoint_id, position, 1, false, now(), 1 FROM delivery
     WHERE merchant_account_id = $1`,
    [account],
  );
  await exportWithWorkers(a, server.app, { account, path });
  await query(databases.c.url, `SELECT setval('event_position_seq', 1000000000000)`);

  await expect(importAccount(c, keys, path)).rejects.toThrow(/too few partitions.*paygraph migrate/);

  expect(await stateIn(c)).toBeNull();
}, 60_000);

it('a key pair that the source has ended is not live in the target from an import before', async () => {
  await importAccount(b, keys, path);
  await abortMove(a, account);
  await query(databases.a.url, 'UPDATE api_key_pair SET active = false WHERE thumbprint = $1', [
    `of ${account}`,
  ]);
  await abortMove(b, account);
  await exportWithWorkers(a, server.app, { account, path });

  await importAccount(b, keys, path);

  expect(await pairsIn(databases.b)).toMatchObject([{ active: false }]);
}, 60_000);

it('a command that gives the move up never removes an account that another opens', async () => {
  const key = await leaveAccount(a, account, (await importAccount(b, keys, path)).receipt);
  const second = await openCell(databases.b.url);

  const [opened, aborted] = await Promise.allSettled([
    openAccount(b, account, key),
    abortMove(second, account),
  ]);

  const rows = await query(databases.b.url, 'SELECT FROM webhook_endpoint WHERE merchant_account_id = $1', [
    account,
  ]);
  const isOpened = opened.status === 'fulfilled';
  expect({ aborted: aborted.status, state: await stateIn(b), rows: rows.length }).toEqual(
    isOpened
      ? { aborted: 'rejected', state: 'open', rows: 1 }
      : { aborted: 'fulfilled', state: null, rows: 0 },
  );
  await second.close();
}, 60_000);

describe('an account that has left', () => {
  it('comes back only by the word of an operator that the target is lost', async () => {
    const key = await leaveAccount(a, account, (await importAccount(b, keys, path)).receipt);
    await expect(abortMove(a, account)).rejects.toThrow(/has left this cell/);
    await abortMove(b, account);

    await abortMove(a, account, { isTargetLost: true });

    expect(await stateIn(a)).toBeNull();
    await importAccount(b, keys, path);
    await expect(openAccount(b, account, key)).rejects.toThrow(/key is not that of this import/);
    await abortMove(b, account);
  }, 60_000);

  it('is closed again in a source that was restored from a backup', async () => {
    const { receipt } = await importAccount(b, keys, path);
    const key = await leaveAccount(a, account, receipt);
    const confirmation = await openAccount(b, account, key);
    // The backup is of the time between the export and the departure.
    await query(databases.a.url, `UPDATE account_move SET state = 'held', target = NULL WHERE account = $1`, [
      account,
    ]);

    await closeWithWorkers(a, server.app, account);

    await expect(abortMove(a, account)).rejects.toThrow(/has left this cell/);
    await expect(forgetAccount(a, account, confirmation)).rejects.toThrow(/confirmation is not/);
    expect(await leaveAccount(a, account, receipt)).toBe(key);
    expect(await forgetAccount(a, account, confirmation)).toBeGreaterThan(0);
  }, 60_000);

  it('is closed in a source whose backup knows no move', async () => {
    await query(databases.a.url, 'DELETE FROM account_move WHERE account = $1', [account]);
    await query(
      databases.a.url,
      `INSERT INTO installation_fact (name, value) VALUES ('payments_held', '{}')`,
    );

    await closeWithWorkers(a, server.app, account);

    await until(async () => {
      const { status, headers } = await server.graphql('{ __typename }', {}, { token });
      return status === 421 && headers.get('x-paygraph-cell') === 'b';
    }, 'the answer that names the cell');
    await expect(forgetAccount(a, account, 'invented')).rejects.toThrow(/confirmation is not/);
    await query(databases.a.url, `DELETE FROM installation_fact WHERE name = 'payments_held'`);
  }, 60_000);
});
