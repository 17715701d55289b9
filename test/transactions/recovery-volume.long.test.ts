import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxConnectors } from '../support/sandbox-connectors.ts';
import type { Connector } from '../../src/connectors/interface/connector.ts';
import { createApp } from '../../src/main.ts';
import { startReconciler } from '../../src/modules/transactions/index.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, type ClassProvider } from './class-provider.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import { until } from '../support/until.ts';
import { PATIENCE } from '../support/patience.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const LATENCY_MS = 400;
const DEADLINE_MS = 5 * SECOND;
const COUNT = 300;

/** Half of the look-ups that a process with a test's eight connections runs at once. */
const SHARE_MAX = 32;
const SMALLEST_LIMIT = 8;

let clock: ShiftedClock;
let harness: Harness;
/** The slow provider. The other provider answers at once. */
let slow: ClassProvider;
let quick: ClassProvider;
let traffic: Traffic;
const services = new Map<ClassProvider, string>();
const serviceAt = (provider: ClassProvider): string => services.get(provider) ?? '';

const loops: Loop[] = [];
afterEach(async () => {
  await Promise.all(loops.splice(0).map((loop) => loop.stop()));
});

beforeAll(async () => {
  clock = createShiftedClock();
  const day = 24 * 60 * MINUTE;
  slow = createClassProvider('slow', { kind: 'keys', windowMs: day }, clock);
  quick = createClassProvider('quick', { kind: 'keys', windowMs: day }, clock);
  traffic = delayed(slow.connector);
  harness = await startHarness('mock-card', {
    clock,
    connectors: [...sandboxConnectors, traffic.connector, quick.connector],
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
  for (const provider of [slow, quick]) {
    const { definitionId } = provider;
    services.set(provider, await createService(harness.server, harness.provider.url, { definitionId }));
  }
});
afterAll(() => harness.stop());

describe('of 300 operations whose provider was away, over two processes', () => {
  it('more and more are looked up at once after its return, up to a bound, and all end within a minute', async () => {
    await authorizeWhileAway(COUNT);
    const { config, connectors: ours, log } = harness.server.app;
    const second = await createApp(config, { clock, connectors: ours, log });
    slow.turn('working');
    const most = traffic.watch();
    const backAt = performance.now();
    loops.push(startReconciler(harness.server.app), startReconciler(second.app));

    await until(async () => (await pending()) === 0);

    expect(performance.now() - backAt).toBeLessThan(MINUTE * PATIENCE);
    expect(most()).toBeGreaterThan(SHARE_MAX / 2);
    expect(most()).toBeLessThanOrEqual(SHARE_MAX);
    const { prisma } = harness.server.app.db;
    const done = await prisma.operation.findMany({ where: { paymentServiceId: serviceAt(slow) } });
    expect(done.map(({ status }) => status)).toEqual(Array.from({ length: COUNT }, () => 'succeeded'));
    expect(done.filter(({ id, providerKey }) => slow.effectsOf(providerKey ?? id) !== 1)).toEqual([]);
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
    await second.close();
  }, 90_000);

  it('as few as before are looked up when it falls silent again, and others do not wait', async () => {
    await authorizeWhileAway(COUNT);
    slow.turn('working');
    const most = traffic.watch();
    loops.push(startReconciler(harness.server.app));
    await until(() => Promise.resolve(most() > 2 * SMALLEST_LIMIT));

    slow.turn('silent');
    await delay(DEADLINE_MS + LATENCY_MS);
    quick.failNext('lose_answer');
    const { transaction } = await harness.create({ paymentServiceId: serviceAt(quick) });
    clock.advance(2 * SECOND);
    const looks: number[] = [];
    await until(async () => {
      looks.push(await underWay());
      return (await harness.transaction(transaction?.id ?? ''))?.status === 'AUTHORIZATION_SUCCEEDED';
    });
    for (let times = 0; times < 10; times++) {
      looks.push(await underWay());
      await delay(100);
    }

    expect(Math.max(...looks)).toBe(SMALLEST_LIMIT);
    expect(await pending()).toBeGreaterThan(SHARE_MAX);
    slow.turn('working');
  }, 90_000);
});

type Traffic = {
  readonly connector: Connector;
  /** Starts counting. The returned function gives the most authorisations that ran at once. */
  watch(): () => number;
};

/** Wraps a connector whose provider delays each authorisation. */
function delayed(connector: Connector): Traffic {
  let [now, most] = [0, 0];
  return {
    watch: () => {
      most = 0;
      return () => most;
    },
    connector: {
      ...connector,
      authorize: async (context, request) => {
        now += 1;
        most = Math.max(most, now);
        await delay(LATENCY_MS);
        now -= 1;
        return connector.authorize(context, request);
      },
    },
  };
}

/** Creates so many authorisations that have an unknown outcome and are due. */
async function authorizeWhileAway(count: number): Promise<void> {
  slow.turn('away');
  const paymentServiceId = serviceAt(slow);
  await Promise.all(Array.from({ length: count }, () => harness.create({ paymentServiceId })));
  expect(await pending()).toBe(count);
  await harness.pass(30 * SECOND);
}

const pending = (): Promise<number> =>
  harness.server.app.db.prisma.operation.count({
    where: { status: 'pending', paymentServiceId: serviceAt(slow) },
  });

/** Counts the slow provider's operations with a running look-up. */
const underWay = (): Promise<number> =>
  harness.server.app.db.prisma.operation.count({
    where: { status: 'pending', paymentServiceId: serviceAt(slow), leaseUntil: { gt: clock.now() } },
  });
