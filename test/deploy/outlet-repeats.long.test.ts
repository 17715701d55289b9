import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { createOutlet, type Outlet } from '../../src/modules/events/outlets/outlet.ts';
import { readBacklog } from '../../src/modules/events/outlets/outlets.sql.ts';
import { configuredBrokers } from '../../src/platform/brokers/configured.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { startEvents, until, type EventsHarness } from '../events/harness.ts';
import { query } from '../support/database.ts';
import { relayAll } from '../support/relay-all.ts';
import { startNats, type NatsServer } from './nats-server.ts';
import { NATS, withTools } from './tools.ts';

const WINDOW_MS = 100;
const tools = withTools(NATS);

let harness: EventsHarness;
let nats: NatsServer | undefined;
beforeAll(async () => void (harness = await startEvents()));
afterAll(async () => {
  await nats?.close();
  await harness.stop();
});

/** Starts a server with a stream whose duplicate window is the shortest. */
async function startStream(): Promise<NatsServer> {
  await nats?.close();
  nats = await startNats();
  const window = { duplicate_window: WINDOW_MS * 1_000_000 };
  await nats.createStream({ name: 'paygraph', subjects: ['paygraph.>'], ...window });
  return nats;
}

const outletTo = ({ url }: NatsServer): Outlet => {
  const [broker] = configuredBrokers(parseConfig({ PAYGRAPH_OUTLET_NATS_URL: url }));
  if (!broker) throw new Error('no broker');
  return createOutlet(harness.app, broker);
};

async function record(viewer: Viewer, ...names: readonly string[]): Promise<void> {
  await harness.record(viewer, ...names);
  await relayAll(harness.app);
}

/** Removes the events of a merchant account up to a sequence, as the retention does. */
async function remove({ merchantAccountId }: Viewer, floor: number): Promise<void> {
  const { DATABASE_URL: url = '' } = harness.app.config;
  const values = [merchantAccountId, floor];
  await query(url, 'DELETE FROM feed_entry WHERE merchant_account_id = $1 AND sequence <= $2', values);
  await query(url, 'UPDATE feed_head SET floor = $2 WHERE merchant_account_id = $1', values);
}

const publishAll = (outlet: Outlet): Promise<void> =>
  until(async () => {
    await outlet.publishBatch();
    return (await readBacklog(harness.app.db, 'nats:paygraph')).events === 0;
  }, 'the outlet');

/** Publishes, and dies before the positions are stored. */
async function dieAfter(outlet: Outlet): Promise<void> {
  const remove = setFailpoint('outlet.published', () => {
    throw new Error('died');
  });
  await expect(publishAll(outlet)).rejects.toThrow('died');
  remove();
  // Afterwards the server has forgotten the ids.
  await delay(WINDOW_MS * 5);
}

const bodiesOf = async (viewer: Viewer): Promise<readonly string[]> =>
  ((await nats?.read('paygraph')) ?? [])
    .filter(({ subject }) => subject.startsWith(`paygraph.${viewer.merchantAccountId}.test.`))
    .map(({ body }) => body);

const payloadsOf = async (viewer: Viewer): Promise<readonly string[]> =>
  (await harness.feed(viewer)).map(({ payload }) => payload);

describe('an outlet to NATS', () => {
  tools('publishes no event twice, although the duplicate window has passed', async () => {
    const server = await startStream();
    const viewers = [await harness.viewer(), await harness.viewer()];
    for (const viewer of viewers) await record(viewer, 'test.a', 'test.b');
    const outlet = outletTo(server);

    await dieAfter(outlet);
    await publishAll(outlet);
    for (const viewer of viewers) await record(viewer, 'test.c');
    await dieAfter(outlet);
    await outlet.close();
    await server.kill();
    await server.start();
    const successor = outletTo(server);
    await record(viewers[0] as Viewer, 'test.d');
    await publishAll(successor);
    await successor.close();

    for (const viewer of viewers) expect(await bodiesOf(viewer)).toEqual(await payloadsOf(viewer));
    expect((await server.read('paygraph')).length).toBe(7);
  });

  tools('goes on behind events that the retention removed, and tells how many it missed', async () => {
    const server = await startStream();
    const [gone, known] = [await harness.viewer(), await harness.viewer()] as const;
    await record(gone, 'test.a', 'test.b');
    await record(known, 'test.a');
    const outlet = outletTo(server);
    await remove(gone, 2);
    await publishAll(outlet);
    await record(known, 'test.b', 'test.c', 'test.d');
    await remove(known, 3);
    await publishAll(outlet);
    const hasMore = await outlet.publishBatch();
    await outlet.close();

    expect(hasMore).toBe(false);
    expect(await bodiesOf(gone)).toEqual([]);
    expect(
      (await bodiesOf(known)).map((body) => (JSON.parse(body) as { sequence: number }).sequence),
    ).toEqual([1, 4]);
  });

  tools('leaves out no event, although somebody else published, or the database was restored', async () => {
    const server = await startStream();
    const viewer = await harness.viewer();
    await record(viewer, 'test.a');
    const outlet = outletTo(server);
    await publishAll(outlet);
    // An event that the restored database does not have. Its sequence is that of another event now.
    await server.publish(`paygraph.${viewer.merchantAccountId}.lost.event`, {
      'paygraph-event-id': '01a229a7-0000-7000-8000-000000000000',
      'paygraph-sequence': '3',
    });
    await record(viewer, 'test.b', 'test.c', 'test.d');
    await publishAll(outlet);
    await outlet.close();

    expect(await bodiesOf(viewer)).toEqual(await payloadsOf(viewer));
  });
});
