import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { query } from '../support/database.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from './harness.ts';
import { ended, startReplays, type Merchant, type Replays } from './replays.ts';

const MASTER_KEY = randomBytes(32).toString('base64');
const EVENTS = 300;

/** Three processes start one after the other. */
const TIMEOUT_MS = 180_000;

let harness: Replays;
let merchant: Merchant;
let receiver: Receiver;
const processes: ServerProcess[] = [];

beforeAll(async () => {
  [harness, receiver] = await Promise.all([
    startReplays({ PAYGRAPH_MASTER_KEY: MASTER_KEY }),
    startReceiver(),
  ]);
  merchant = await harness.merchant();
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.stop()));
  await Promise.all([harness.stop(), receiver.close()]);
});

/** Starts a process on the test's database, which dies at the given failpoints. */
async function work(failpoints = ''): Promise<ServerProcess> {
  const one = await startProcess({
    DATABASE_URL: harness.server.app.config.DATABASE_URL ?? '',
    PAYGRAPH_MASTER_KEY: MASTER_KEY,
    PAYGRAPH_FAILPOINTS: failpoints,
  });
  processes.push(one);
  return one;
}

const active = (id: string, is: boolean): Promise<unknown> =>
  merchant.ask(
    'mutation ($id: ID!, $is: Boolean) { updateWebhookEndpoint(id: $id, input: { active: $is }) { userErrors { code } } }',
    { id, is },
  );

it(
  'a replay whose processes are killed before and after a commit continues, and every event arrives',
  async () => {
    const ids = await merchant.record(...Array.from({ length: EVENTS }, () => 'test.a'));
    const endpoint = await merchant.endpoint(receiver.url);
    await active(endpoint, false);

    const first = await work('replay.committed=kill');
    const { replayJob } = await merchant.replay('events', {
      input: { webhookEndpointId: endpoint, scope: 'MISSING' },
    });
    const id = replayJob?.id ?? '';
    await first.ended;
    const afterCommit = await merchant.job(id);
    const second = await work('replay.moved=kill');
    await active(endpoint, true);
    await second.ended;
    const beforeCommit = await merchant.job(id);
    // The dead process owns its delivery for half a minute more. The test shortens this time.
    await query(
      harness.server.app.config.DATABASE_URL ?? '',
      `UPDATE delivery SET lease_until = now() WHERE state = 'leased'`,
    );
    await work();
    const done = await ended(merchant, replayJob);
    const arrived = (): Set<unknown> =>
      new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    await until(() => arrived().size === EVENTS, 'every event');

    expect(afterCommit).toMatchObject({ state: 'RUNNING', doneSequence: 200, queuedCount: 200 });
    expect(beforeCommit).toEqual(afterCommit);
    expect(done).toMatchObject({ state: 'DONE', doneSequence: EVENTS, queuedCount: EVENTS, progress: 1 });
    expect([...arrived()].sort()).toEqual([...ids].sort());
    expect(
      await query(
        harness.server.app.config.DATABASE_URL ?? '',
        'SELECT count(*)::int AS rows, count(DISTINCT replay_id)::int AS replays FROM delivery WHERE endpoint_id = $1',
        [endpoint],
      ),
    ).toEqual([{ rows: EVENTS, replays: 1 }]);
  },
  TIMEOUT_MS,
);
