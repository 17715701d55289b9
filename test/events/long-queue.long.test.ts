import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deleteWebhookEndpoint, startDispatcher, startRelay } from '../../src/modules/events/index.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startEvents, until, type EventsHarness } from './harness.ts';

const COUNT = 2_500;

let harness: EventsHarness;
let receiver: Receiver;
const loops: Loop[] = [];

beforeAll(async () => {
  [harness, receiver] = [await startEvents(), await startReceiver()];
  loops.push(startRelay(harness.app));
});
afterAll(async () => {
  await Promise.all(loops.map((loop) => loop.stop()));
  await receiver.close();
  await harness.stop();
});

it('confirms the deletion of an endpoint with a long queue at once, and cancels the queue soon', async () => {
  const viewer = await harness.viewer();
  const { id } = await harness.endpoint(viewer, receiver.url);
  const states = () =>
    harness.app.db.prisma.delivery.groupBy({ by: 'state', where: { endpointId: id }, _count: true });
  const counts = async () => Object.fromEntries((await states()).map(({ state, _count }) => [state, _count]));
  await harness.record(viewer, ...Array.from({ length: COUNT }, () => 'test.a'));
  await until(async () => (await counts())['pending'] === COUNT, 'the relay');

  await deleteWebhookEndpoint(harness.app, viewer, id);

  expect(await counts()).toEqual({ cancelled: 1_000, pending: 1_500 });
  loops.push(startDispatcher(harness.app));
  await until(async () => (await counts())['cancelled'] === COUNT, 'the cancellation');
  expect(receiver.received).toHaveLength(0);
});
