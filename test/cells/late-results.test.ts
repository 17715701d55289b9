import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { startDispatcher } from '../../src/modules/events/index.ts';
import { createLeaseKeeper } from '../../src/modules/events/outlets/lease-keeper.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http/http-client.ts';
import { createMoveKeys } from '../../src/platform/moves/proofs.ts';
import { writeMove } from '../../src/platform/moves/moves.sql.ts';
import { readTables } from '../../src/platform/moves/tables.sql.ts';
import { raiseWall } from '../../src/platform/moves/wall.sql.ts';
import { startEvents, until, type EventsHarness } from '../events/harness.ts';
import { query } from '../support/database.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { relayAll } from '../support/relay-all.ts';
import { openCell, type CellAtHand } from './moving.ts';

let harness: EventsHarness;
let receiver: Receiver;
let cell: CellAtHand;
let moving: Viewer;
let staying: Viewer;

beforeAll(async () => {
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  [harness, receiver] = await Promise.all([startEvents({ http }), startReceiver()]);
  cell = await openCell(harness.url);
}, 60_000);

afterAll(async () => {
  await cell.close();
  await harness.stop();
  await receiver.close();
});

beforeEach(async () => {
  [moving, staying] = [await harness.viewer(), await harness.viewer()];
  for (const viewer of [moving, staying]) await harness.endpoint(viewer, receiver.url);
  for (const viewer of [moving, staying]) await harness.record(viewer, 'test.a');
  await relayAll(harness.app);
});

/** Refuses every change of the account from now on, as at the end of a hold. */
async function hold({ merchantAccountId: account }: Viewer): Promise<void> {
  const facts = { cell: 'b', ...createMoveKeys(), rowsDigest: null, target: null };
  await writeMove(cell.client, { account, id: cell.ids.uuid(), state: 'held', ...facts });
  await raiseWall(cell.client, await readTables(cell.client));
}

const deliveryOf = async ({ merchantAccountId }: Viewer): Promise<string | undefined> => {
  const text = 'SELECT state FROM delivery WHERE merchant_account_id = $1';
  return (await query<{ state: string }>(harness.url, text, [merchantAccountId]))[0]?.state;
};

it('a webhook that ends after the hold keeps no attempt of another account waiting', async () => {
  const open: ServerResponse[] = [];
  receiver.answer((response) => void open.push(response));
  const dispatcher = startDispatcher(harness.app);
  await until(() => open.length === 2, 'two webhooks under way');
  await hold(moving);

  open.forEach((response) => response.writeHead(204).end());

  await until(async () => (await deliveryOf(staying)) === 'done', 'the attempt of the other account');
  await dispatcher.stop();
  expect(await deliveryOf(moving)).toBe('leased');
}, 30_000);

it('an outlet stores the positions of the accounts that stay', async () => {
  const keeper = createLeaseKeeper(harness.app, 'broker');
  await keeper.hold();
  await hold(moving);

  await keeper.commit(new Map([moving, staying].map(({ merchantAccountId }) => [merchantAccountId, 1n])));

  const stored = await query(
    harness.url,
    `SELECT merchant_account_id AS account FROM outlet_position WHERE outlet = 'broker'`,
  );
  expect(stored).toEqual([{ account: staying.merchantAccountId }]);
  expect(await keeper.hold()).toBe('kept');
}, 30_000);
