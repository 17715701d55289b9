import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { leaveAccount } from '../../src/platform/moves/depart.ts';
import { importAccount, openAccount } from '../../src/platform/moves/import-account.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { masterKeyText } from '../support/master-key.ts';
import { ask, startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { exportWithWorkers, keysOf, openCell, openFolder, type CellAtHand } from './moving.ts';

const KEY = 7;
const ACCOUNT = 'default';
const LEASE_MS = 60_000;

let source: Harness;
let database: TestDatabase;
let cells: { readonly source: CellAtHand; readonly target: CellAtHand };
let folder: Awaited<ReturnType<typeof openFolder>>;
let target: TestServer | undefined;

beforeAll(async () => {
  const from = await createTestDatabase();
  [source, database, folder] = await Promise.all([
    startHarness('mock-card', { database: from, settings: { PAYGRAPH_MASTER_KEY: masterKeyText(KEY) } }),
    createTestDatabase(),
    openFolder(),
  ]);
  cells = { source: await openCell(from.url), target: await openCell(database.url) };
}, 60_000);

afterAll(async () => {
  await Promise.all([cells.source.close(), cells.target.close(), folder.close()]);
  await target?.stop();
  await source.stop();
}, 60_000);

const CAPTURE = `mutation ($id: ID!) { captureTransaction(id: $id, input: { amount: 400 }, idempotencyKey: "once") {
  replayed capture { status } userErrors { code } } }`;

type Captured = {
  readonly captureTransaction: {
    readonly replayed: boolean;
    readonly capture: { readonly status: string } | null;
  };
};

it('a capture whose answer comes after the hold is settled in the target alone', async () => {
  const id = await source.authorized(1000);
  let answer = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    const clear = setFailpoint('capture.called', () => {
      clear();
      resolve();
      return new Promise<void>((go) => (answer = go));
    });
  });
  const capture = ask(source.server.url, source.server.token)<Captured>(CAPTURE, { id });
  await reached;
  const path = folder.at('default');

  await exportWithWorkers(cells.source, source.server.app, { account: ACCOUNT, path });
  answer();
  const late = await capture;

  expect({ status: late.status, code: late.body.errors?.[0]?.extensions.code }).toEqual({
    status: 503,
    code: 'ACCOUNT_MOVING',
  });
  const { prisma } = source.server.app.db;
  expect(await prisma.operation.count({ where: { kind: 'capture', status: 'pending' } })).toBe(1);
  expect(await reconcileDue(source.server.app)).toBe(false);

  const { receipt } = await importAccount(cells.target, keysOf(KEY), path);
  const key = await leaveAccount(cells.source, ACCOUNT, receipt);
  await openAccount(cells.target, ACCOUNT, key);
  source.clock.advance(LEASE_MS);
  const { clock } = source;
  target = await startTestServer({ database, clock, settings: { PAYGRAPH_MASTER_KEY: masterKeyText(KEY) } });
  const { app } = target;
  await until(async () => {
    await reconcileDue(app);
    return (await app.db.prisma.operation.count({ where: { status: 'pending' } })) === 0;
  }, 'the outcome in the target');

  const repeated = await target.graphql<Captured>(CAPTURE, { id });
  expect(repeated.body.data?.captureTransaction).toMatchObject({
    replayed: true,
    capture: { status: 'SUCCEEDED' },
  });
  const captures = { where: { kind: 'capture' }, select: { amount: true } } as const;
  expect(await app.db.prisma.ledgerEntry.findMany(captures)).toEqual([{ amount: 400 }]);
  expect(await prisma.ledgerEntry.findMany(captures)).toEqual([]);
  const keys = source.provider.calls
    .filter(({ operation }) => operation === 'capture')
    .map((call) => call.idempotency_key);
  expect(new Set(keys).size).toBe(1);
  // Authorised once, captured once.
  expect(source.provider.books.size).toBe(2);
}, 120_000);
