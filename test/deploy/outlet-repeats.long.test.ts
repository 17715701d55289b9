import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { createOutlet, type Outlet } from '../../src/modules/events/outlets/outlet.ts';
import { readBacklog } from '../../src/modules/events/outlets/outlets.sql.ts';
import { configuredBrokers } from '../../src/platform/brokers/configured.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { startEvents, until, type EventsHarness } from '../events/harness.ts';
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
