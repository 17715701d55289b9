import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { updateWebhookEndpoint } from '../../src/modules/events/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startDispatching, type Dispatching } from './dispatching.ts';
import { pause, until } from './harness.ts';
import { becomes, pausedEndpoint, pauseLeft } from './paused-endpoint.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

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
  it('is paused: nothing is sent until the end of its pause, then one probe, which uses up no attempt', async () => {
    const id = await pausedEndpoint(
      d,
      viewer,
      receiver,
      'transaction.authorized',
      'transaction.captured',
      'transaction.voided',
      'transaction.declined',
    );

    expect(await d.endpoint(id)).toMatchObject({
      state: 'paused',
      stateReason: 'At least 3 attempts in a row failed, the last one with status 500.',
      failingSince: expect.any(Date),
      window: 1,
    });
    expect(await pauseLeft(d, id)).toBeGreaterThan(0);
    expect(await pauseLeft(d, id)).toBeLessThanOrEqual(5 * SECOND);
    d.advance(2 * SECOND);
    await pause(100);
    expect(receiver.received).toHaveLength(3);

    await d.advanceToReport(4 * SECOND);
    await pause(100);

    expect(receiver.received).toHaveLength(4);
    const rows = await d.deliveries(id);
    expect(rows.map(({ attempt, attemptsMade }) => [attempt, attemptsMade])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [0, 1],
    ]);
    expect(rows.map(({ attempts }) => attempts.map(({ number, probe }) => [number, probe]))).toEqual([
      [[1, false]],
      [[1, false]],
      [[1, false]],
      [[1, true]],
    ]);
    expect(await d.endpoint(id)).toMatchObject({ state: 'paused', pauses: 2 });
  });

  it('is active again after one success, and gets all waiting deliveries at once, however late they were due', async () => {
    const id = await pausedEndpoint(
      d,
      viewer,
      receiver,
      'transaction.authorized',
      'transaction.captured',
      'transaction.voided',
    );
    await d.seedWaiting(viewer, id, 2_500);
    await d.harness.app.db.prisma.delivery.updateMany({
      where: { endpointId: id },
      data: { nextAt: new Date(Number(d.clock.now()) + 8 * HOUR) },
    });
    receiver.answer(204);

    await d.advanceToReport(6 * SECOND);
    await becomes(d, id, { drainingSince: null });

    expect(await d.endpoint(id)).toMatchObject({
      state: 'active',
      stateReason: null,
      failingSince: null,
      pausedUntil: null,
      pauses: 0,
    });
    const later = { endpointId: id, state: 'pending', nextAt: { gt: d.clock.now() } };
    expect(await d.harness.app.db.prisma.delivery.count({ where: later })).toBe(0);
    await until(async () => ((await d.states(id))['done'] ?? 0) > 100, 'the backlog');
    expect((await d.endpoint(id)).window).toBe(8);
  });

  it('still queues events, and is not probed again and again with an event that it refuses', async () => {
    const id = await pausedEndpoint(
      d,
      viewer,
      receiver,
      'transaction.void-failed',
      'transaction.void-failed',
      'transaction.void-failed',
    );
    receiver.answer((response, { body }) =>
      response.writeHead(body.includes('transaction.void-failed') ? 500 : 204).end(),
    );
    await d.advanceToReport(6 * SECOND);
    await d.record(viewer, 'transaction.authorized');

    // Each of the three refused events is the probe once, and then the newest one.
    for (const paused of [10, 20, 40]) await d.advanceToReport((paused + 1) * SECOND);

    expect(await d.endpoint(id)).toMatchObject({ state: 'active' });
    const rows = await d.deliveries(id);
    expect(rows.map(({ state }) => state)).toEqual(['pending', 'pending', 'pending', 'done']);
    expect(rows.at(-1)).toMatchObject({ state: 'done', attempt: 0, attemptsMade: 1 });
  });

  it('is probed again with the same id when the probing process died', async () => {
    const id = await pausedEndpoint(
      d,
      viewer,
      receiver,
      'transaction.authorized',
      'transaction.captured',
      'transaction.voided',
    );
    receiver.answer(204);
    let revive = (): void => undefined;
    const dead = new Promise<void>((resolve) => (revive = resolve));
    let reached = 0;
    const remove = setFailpoint('dispatcher.sent', () => ((reached += 1) === 1 ? dead : undefined));
    d.advance(6 * SECOND);
    await until(() => reached === 1);
    d.advance(10 * SECOND);
    await pause(100);
    expect(receiver.received).toHaveLength(4);
    expect(await d.endpoint(id)).toMatchObject({ state: 'failing' });

    await d.advanceToReport(31 * SECOND);
    await until(async () => (await d.states(id))['done'] === 3);
    remove();
    const ids = receiver.received.slice(3).map(({ headers }) => headers['webhook-id']);
    revive();

    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe(ids[0]);
  });
});

describe('an endpoint that refuses one event and accepts the others', () => {
  it('is not paused', async () => {
    const { id } = await d.harness.endpoint(viewer, receiver.url, ['transaction.*']);
    receiver.answer((response, { body }) =>
      response.writeHead(body.includes('transaction.void-failed') ? 500 : 204).end(),
    );
    d.dispatch();
    await d.record(viewer, 'transaction.void-failed');
    for (let made = 1; made <= 10; made += 1) {
      await until(async () => (await d.deliveries(id))[0]?.attemptsMade === made, 'attempts');
      if (made === 2) await d.record(viewer, 'transaction.authorized');
      if (made === 2) await until(async () => (await d.endpoint(id)).consecutiveFailures === 0);
      d.advance(9 * HOUR);
    }

    // After its third failure the event no longer affects the endpoint's health, even without other traffic for days.
    expect(await d.endpoint(id)).toMatchObject({ state: 'active', pauses: 0 });
    expect(await d.healthEvents(viewer)).toEqual([]);
  });
});

describe('changes of health', () => {
  it('are published once each, to every other endpoint that asks for them', async () => {
    const watcher = await startReceiver();
    await d.harness.endpoint(viewer, watcher.url, ['webhook-endpoint.*']);
    const id = await pausedEndpoint(
      d,
      viewer,
      receiver,
      'transaction.authorized',
      'transaction.captured',
      'transaction.voided',
      'transaction.declined',
      'transaction.failed',
    );
    const { failingSince } = await d.endpoint(id);
    await d.advanceToReport(6 * SECOND);
    receiver.answer(204);
    await d.advanceToReport(11 * SECOND);
    await until(async () => (await d.states(id))['done'] === 5);
    expect(await d.states(id)).toEqual({ done: 5 });

    const target = {
      type: 'webhook-endpoint',
      id,
      url: `${receiver.url}hook`,
      failing_since: failingSince?.toISOString(),
    };
    expect(await d.healthEvents(viewer)).toMatchObject([
      {
        version: 1,
        type: 'event',
        name: 'webhook-endpoint.failing',
        merchant_account_id: viewer.merchantAccountId,
        environment: 'sandbox',
        created_at: failingSince?.toISOString(),
        target: {
          ...target,
          state: 'paused',
          state_reason: 'At least 3 attempts in a row failed, the last one with status 500.',
        },
      },
      { name: 'webhook-endpoint.recovered', target: { ...target, state: 'active', state_reason: null } },
    ]);
    await until(() => watcher.received.length === 2, 'the other endpoint');
    expect(watcher.received.map(({ body }) => (JSON.parse(body) as { name: string }).name)).toEqual([
      'webhook-endpoint.failing',
      'webhook-endpoint.recovered',
    ]);
    expect((await d.harness.feed(viewer)).map(({ name }) => name)).toContain('webhook-endpoint.recovered');
    await watcher.close();
  });

  it('report that 410 disabled the endpoint, which has no history after a restart and gets its waiting deliveries', async () => {
    const { id } = await d.harness.endpoint(viewer, receiver.url, ['transaction.*']);
    receiver.answer(410);
    d.dispatch();
    await d.record(viewer, 'transaction.authorized', 'transaction.captured');
    await becomes(d, id, { state: 'disabled' });
    await pause(50);

    expect(await d.healthEvents(viewer)).toMatchObject([
      {
        name: 'webhook-endpoint.disabled',
        target: {
          id,
          state: 'disabled',
          state_reason: 'The endpoint answered 410 Gone.',
          failing_since: null,
        },
      },
    ]);
    expect(receiver.received).toHaveLength(1);
    expect(await d.states(id)).toEqual({ pending: 2 });

    receiver.answer(204);
    await updateWebhookEndpoint(d.harness.app, viewer, id, { active: true });
    d.advance(SECOND);
    await until(async () => (await d.states(id))['done'] === 2);
    expect(await d.endpoint(id)).toMatchObject({ state: 'active', disabledAt: null, consecutiveFailures: 0 });
  });
});
