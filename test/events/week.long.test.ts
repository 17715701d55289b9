import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Viewer } from '../../src/app.ts';
import { PAUSE_MAX_MS, PAUSES_MS } from '../../src/modules/events/dispatch/endpoint-health.ts';
import { replayEvents, startReplayer } from '../../src/modules/events/index.ts';
import { delayBefore, dueAfter, RETRY_MAX } from '../../src/modules/events/dispatch/schedule.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startDispatching, type Dispatching } from './dispatching.ts';
import { until } from './harness.ts';

// Weeks of an endpoint, in seconds: the clock jumps, everything else is real.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The real time that passes while the simulated clock stands. */
const SLACK = 30_000;

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

const deliveryOf = async (endpointId: string) => {
  const [first] = await d.deliveries(endpointId);
  if (!first) throw new Error('There is no delivery.');
  return first;
};

describe('a delivery that fails while the endpoint answers others', () => {
  it('is attempted 29 times, each retry at its time, the last one after exactly seven days, and expires', async () => {
    const { id } = await d.harness.endpoint(viewer, receiver.url, ['transaction.*']);
    receiver.answer((response, { body }) =>
      response.writeHead(body.includes('transaction.void-failed') ? 500 : 204).end(),
    );
    d.dispatch();
    await d.record(viewer, 'transaction.void-failed');

    for (let made = 1; made <= RETRY_MAX; made += 1) {
      await until(async () => (await deliveryOf(id)).attemptsMade === made, 'attempts');
      // A success in between: this delivery fails, not the endpoint.
      await d.record(viewer, 'transaction.captured');
      await until(async () => (await d.states(id))['done'] === made, 'the other delivery');
      d.advance(Number((await deliveryOf(id)).nextAt) - Number(d.clock.now()));
    }
    await until(async () => (await deliveryOf(id)).state === 'expired', 'the end');

    const { attempts, createdAt, attempt, attemptsMade } = await deliveryOf(id);
    expect({ attempt, attemptsMade, numbers: attempts.map(({ number }) => number) }).toEqual({
      attempt: 29,
      attemptsMade: 29,
      numbers: Array.from({ length: 29 }, (_, index) => index + 1),
    });
    attempts.forEach(({ startedAt, probe }, retry) => {
      const late = Number(startedAt) - Number(createdAt) - (retry === 0 ? 0 : dueAfter(retry));
      const jitter = retry === 0 || retry === RETRY_MAX ? 0 : 0.1 * delayBefore(retry);
      expect(probe).toBe(false);
      expect(late).toBeGreaterThanOrEqual(-jitter);
      expect(late).toBeLessThan(jitter + SLACK);
    });
    expect(await d.endpoint(id)).toMatchObject({ state: 'active', pauses: 0 });
    expect(await d.healthEvents(viewer)).toEqual([]);
    const refused = receiver.received.filter(({ body }) => body.includes('transaction.void-failed'));
    expect(refused).toHaveLength(29);
    expect(new Set(refused.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(
      1,
    );
  });
});

describe('an endpoint that is down', () => {
  /** Lets every pause until a moment pass. The probe at the end of each pause starts the next pause. */
  const probeUntil = async (id: string, moment: number): Promise<void> => {
    for (;;) {
      const pausedUntil = Number((await d.endpoint(id)).pausedUntil);
      if (pausedUntil > moment) return;
      await d.advanceToReport(pausedUntil - Number(d.clock.now()));
    }
  };

  /** Sends eight events at first, and one more at the end of each of six days. */
  const downFor = async (ms: number): Promise<string> => {
    const { id } = await d.harness.endpoint(viewer, receiver.url, ['transaction.*']);
    receiver.answer(503);
    d.dispatch();
    const startedAt = Number(d.clock.now());
    await d.record(viewer, ...Array.from({ length: 8 }, () => 'transaction.authorized'));
    await until(async () => (await d.endpoint(id)).pauses === 1, 'the first pause');
    for (let day = 1; day <= 6; day += 1) {
      await probeUntil(id, startedAt + day * DAY);
      await d.record(viewer, 'transaction.captured');
    }
    await probeUntil(id, startedAt + ms);
    d.clock.advance(startedAt + ms - Number(d.clock.now()));
    return id;
  };

  /** Lists the times of all attempts at the endpoint in order: scheduled attempts and probes. */
  const attemptsAt = async (id: string) => {
    const all = (await d.deliveries(id)).flatMap(({ attempts }) => attempts);
    const timesOf = (probes: boolean): readonly number[] =>
      all
        .flatMap(({ probe, startedAt }) => (probe === probes ? [Number(startedAt)] : []))
        .toSorted((a, b) => a - b);
    return { attempts: timesOf(false), probes: timesOf(true) };
  };

  it('for 6 days and 23 hours is probed at the end of each pause, and gets every event after its return', async () => {
    const id = await downFor(6 * DAY + 23 * HOUR);
    const { attempts, probes } = await attemptsAt(id);
    // After three failures the endpoint counts as failing.
    expect(attempts).toHaveLength(3);
    expect(Math.abs(probes.length - probesWithin(6 * DAY + 23 * HOUR))).toBeLessThanOrEqual(1);
    probes.forEach((at, nth) => {
      const waitedMs = at - (probes[nth - 1] ?? attempts.at(-1) ?? 0) - (PAUSES_MS[nth] ?? PAUSE_MAX_MS);
      expect(waitedMs).toBeGreaterThanOrEqual(0);
      expect(waitedMs).toBeLessThan(SLACK);
    });
    receiver.answer(204);
    const before = receiver.received.length;
    await d.advanceToReport(5 * MINUTE);
    await until(async () => (await d.states(id))['done'] === 14, 'all of them');

    expect(await d.states(id)).toEqual({ done: 14 });
    expect(receiver.received).toHaveLength(before + 14);
    expect(await d.endpoint(id)).toMatchObject({ state: 'active' });
  }, 240_000);

  it('for 7 days and 1 minute loses older events, which are kept as expired', async () => {
    const id = await downFor(7 * DAY + MINUTE);
    receiver.answer(204);
    await d.advanceToReport(5 * MINUTE);
    await until(async () => (await d.states(id))['done'] === 6, 'the later ones');

    expect(await d.states(id)).toEqual({ done: 6, expired: 8 });
    const rows = await d.deliveries(id);
    expect(rows.slice(0, 8).every(({ state, settledAt }) => state === 'expired' && settledAt)).toBe(true);

    const input = { webhookEndpointId: id, scope: 'failed' as const };
    expect((await replayEvents(d.harness.app, viewer, input, null)).ok).toBe(true);
    const replayer = startReplayer(d.harness.app);
    await until(async () => (await d.states(id))['done'] === 14, 'the replay');
    await replayer.stop();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(14);
  }, 240_000);

  it('or disabled keeps waiting deliveries until their deadline, and then as expired', async () => {
    const { id } = await d.harness.endpoint(viewer, receiver.url, ['transaction.*']);
    receiver.answer(410);
    d.dispatch();
    await d.record(viewer, 'transaction.authorized');
    await until(async () => (await d.endpoint(id)).state === 'disabled', 'the end');
    await d.seedWaiting(viewer, id, 2_500);
    d.advance(7 * DAY - MINUTE);
    await d.record(viewer, 'transaction.captured');
    expect(await d.states(id)).toEqual({ pending: 2_502 });

    d.advance(2 * MINUTE);
    await until(async () => (await d.states(id))['expired'] === 2_501, 'the sweep');

    expect(await d.states(id)).toEqual({ pending: 1, expired: 2_501 });
    expect(receiver.received).toHaveLength(1);
  });

  it('with 10,000 waiting deliveries costs one probe in five minutes, and none of their attempts', async () => {
    const { id } = await d.harness.endpoint(viewer, 'http://127.0.0.1:9/', ['transaction.*']);
    await d.seedWaiting(viewer, id, 10_000);
    const started = d.nextReport();
    d.dispatch();
    await started;
    await until(async () => (await d.endpoint(id)).pauses === 1, 'the first pause');
    const pausedAt = Number(d.clock.now());
    let probes = 0;
    for (; Number(d.clock.now()) < pausedAt + 12 * HOUR; probes += 1)
      await d.advanceToReport(Number((await d.endpoint(id)).pausedUntil) - Number(d.clock.now()));

    expect(probes).toBeGreaterThanOrEqual(probesWithin(12 * HOUR) - 2);
    expect(probes).toBeLessThanOrEqual(probesWithin(12 * HOUR) + 1);
    expect(probesWithin(7 * DAY)).toBe(2_020);
    const { _sum, _max } = await d.harness.app.db.prisma.delivery.aggregate({
      where: { endpointId: id },
      _sum: { attempt: true, attemptsMade: true },
      _max: { attemptsMade: true },
    });
    // The first three failures were attempts. All later ones were probes, each of another delivery.
    expect(_sum).toEqual({ attempt: 3, attemptsMade: 3 + probes });
    expect(_max.attemptsMade).toBeLessThanOrEqual(2);
    expect(await d.states(id)).toEqual({ pending: 10_000 });
  }, 240_000);
});

/** Counts the probes of a receiver that is down for so long. */
function probesWithin(ms: number): number {
  let [count, at] = [0, 0];
  for (;;) {
    at += PAUSES_MS[count] ?? PAUSE_MAX_MS;
    if (at > ms) return count;
    count += 1;
  }
}

describe('a receiver that asks for time', () => {
  it.each<[string, number, string, number]>([
    ['less than the schedule has', 503, '1', 5_000],
    ['an hour', 503, '3600', HOUR],
    ['a day, and gets eight hours', 503, '86400', 8 * HOUR],
    ['a day with 429, and gets eight hours', 429, '86400', 8 * HOUR],
    ['nothing with 429, and gets a minute', 429, '', MINUTE],
  ])('%s', async (_, status, retryAfter, expected) => {
    const { id } = await d.harness.endpoint(viewer, receiver.url, ['transaction.*']);
    await d.harness.app.db.prisma.webhookEndpoint.updateMany({ where: { id }, data: { window: 8 } });
    receiver.answer((response) =>
      response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end(),
    );
    d.dispatch();
    await d.record(viewer, 'transaction.authorized');
    await until(async () => (await deliveryOf(id)).attemptsMade === 1, 'the attempt');

    const { nextAt, attempt, attempts } = await deliveryOf(id);
    const wait = Number(nextAt) - Number(attempts[0]?.startedAt);
    const jitter = retryAfter === '1' ? 500 : 0;
    expect(wait).toBeGreaterThanOrEqual(expected - jitter);
    expect(wait).toBeLessThan(expected + jitter + SLACK);
    expect(attempt).toBe(status === 429 ? 0 : 1);
    expect((await d.endpoint(id)).window).toBe(status === 429 ? 4 : 1);
  });
});
