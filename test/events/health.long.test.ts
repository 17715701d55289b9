import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startDispatching, type Dispatching } from './dispatching.ts';
import { becomes, pausedEndpoint, pauseLeft } from './paused-endpoint.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

let d: Dispatching;
let receiver: Receiver;
let viewer: Viewer;

beforeAll(async () => {
  d = await startDispatching();
});
afterAll(() => d.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  viewer = await d.harness.viewer();
});
afterEach(async () => {
  await d.clear();
  await receiver.close();
});

describe('an endpoint that fails three times in a row', () => {
  it('is probed after 5 s, then after twice the time, up to 5 min, even when nothing is due', async () => {
    const id = await pausedEndpoint(
      d,
      viewer,
      receiver,
      'transaction.authorized',
      'transaction.captured',
      'transaction.voided',
    );
    await d.harness.app.db.prisma.delivery.updateMany({
      where: { endpointId: id },
      data: { nextAt: new Date(Number(d.clock.now()) + 8 * HOUR) },
    });

    const pauses: number[] = [];
    for (let nth = 1; nth <= 9; nth += 1) {
      pauses.push(Math.ceil((await pauseLeft(d, id)) / (5 * SECOND)) * 5);
      await d.advanceToReport(await pauseLeft(d, id));
    }

    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
    expect(receiver.received).toHaveLength(3 + 9);
    expect((await d.deliveries(id)).map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
  });
});

describe('changes of health', () => {
  it('are published once when many attempts of several processes fail at the same time', async () => {
    const { id } = await d.harness.endpoint(viewer, receiver.url, ['transaction.*']);
    await d.harness.app.db.prisma.webhookEndpoint.updateMany({ where: { id }, data: { window: 8 } });
    receiver.answer((response) => void setTimeout(() => response.writeHead(503).end(), 100));
    await d.record(viewer, ...Array.from({ length: 30 }, () => 'transaction.authorized'));
    const loops = [
      d.dispatch(),
      d.dispatch(await d.harness.another()),
      d.dispatch(await d.harness.another()),
    ];
    await becomes(d, id, { state: 'paused' });
    await Promise.all(loops.map((loop) => loop.stop()));

    expect((await d.healthEvents(viewer)).map(({ name }) => name)).toEqual(['webhook-endpoint.failing']);
    expect((await d.endpoint(id)).pauses).toBe(1);
  });

  it.each([
    [true, 'disabled', ['webhook-endpoint.failing', 'webhook-endpoint.disabled']],
    [false, 'paused', ['webhook-endpoint.failing']],
  ])('after seven days of failing, with auto-disable %s', async (autoDisable, state, notified) => {
    const id = await pausedEndpoint(
      d,
      viewer,
      receiver,
      'transaction.authorized',
      'transaction.captured',
      'transaction.voided',
    );
    await d.harness.app.db.prisma.webhookEndpoint.updateMany({ where: { id }, data: { autoDisable } });
    for (let day = 1; day <= 6; day += 1) await d.advanceToReport(DAY);
    await d.record(viewer, 'transaction.declined');
    expect((await d.endpoint(id)).disabledAt).toBeNull();

    await d.advanceToReport(DAY);

    expect(await d.endpoint(id)).toMatchObject({ state });
    expect((await d.healthEvents(viewer)).map(({ name }) => name)).toEqual(notified);
    expect((await d.states(id))['pending']).toBe(1);
  });
});
