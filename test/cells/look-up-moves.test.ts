import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { leaveAccount } from '../../src/platform/moves/depart.ts';
import { importAccount } from '../../src/platform/moves/import-account.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { masterKeyText } from '../support/master-key.ts';
import { until } from '../support/until.ts';
import { openLookUpShop } from '../transactions/look-up-shop.ts';
import { exportWithWorkers, keysOf, openCell, openFolder, type CellAtHand } from './moving.ts';

// The address for webhooks stays after a move. A webhook that only names a payment must reach the new cell.

const KEY = 8;

const shop = await openLookUpShop({ PAYGRAPH_MASTER_KEY: masterKeyText(KEY) });
const { harness, begun, paid, post, calls } = shop;

let database: TestDatabase;
let source: CellAtHand;
let target: CellAtHand;
let folder: Awaited<ReturnType<typeof openFolder>>;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), openFolder()]);
  const here = harness.server.app.config.DATABASE_URL ?? '';
  [source, target] = await Promise.all([openCell(here), openCell(database.url)]);
}, 120_000);
afterAll(async () => {
  await Promise.all([source.close(), target.close(), folder.close()]);
  await database.drop();
});

it('is refused while its account is on the way, and told the cell after that', async () => {
  const { payment: waiting } = await begun();
  const { payment: done } = await paid();
  const account = (await shop.prisma.transaction.findFirstOrThrow()).merchantAccountId;
  const path = folder.at('account');
  await exportWithWorkers(source, harness.server.app, { account, path });
  calls();
  expect([await post(waiting), await post(done)]).toEqual([503, 503]);

  const { receipt } = await importAccount(target, keysOf(KEY), path);
  await leaveAccount(source, account, receipt);

  // Each process knows of the move after a moment.
  await until(async () => {
    await harness.pass(1_000);
    return (await post(done)) === 421;
  });
  expect([await post(waiting), await post('tr_madeThere')]).toEqual([421, 421]);
  await harness.server.http.webhooksApplied();
  expect(calls()).toEqual([]);
}, 120_000);
