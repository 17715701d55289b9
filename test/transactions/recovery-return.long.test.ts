import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sandboxConnectors } from '../support/sandbox-connectors.ts';
import { reconcileDue, startReconciler } from '../../src/modules/transactions/index.ts';
import type { Loop } from '../../src/platform/loop.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, type ClassProvider } from './class-provider.ts';
import { unresolvedOn, reconcileAfter } from './unresolved.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import { until } from '../support/until.ts';
import { PATIENCE } from '../support/patience.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const COUNT = 500;

const clock = createShiftedClock();
const [keyed, other] = ['keyed', 'other'].map((name) =>
  createClassProvider(name, { kind: 'keys', windowMs: 24 * HOUR }, clock),
) as [ClassProvider, ClassProvider];
const services = new Map<ClassProvider, string>();

let harness: Harness;
let reconciler: Loop | null = null;

beforeAll(async () => {
  harness = await startHarness('mock-card', {
    clock,
    connectors: [...sandboxConnectors, keyed.connector, other.connector],
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: '150' },
  });
  for (const provider of [keyed, other]) {
    const { definitionId } = provider;
    services.set(provider, await createService(harness.server, harness.provider.url, { definitionId }));
  }
});
afterAll(async () => {
  await reconciler?.stop();
  await harness.stop();
});

const authorized = async (provider: ClassProvider): Promise<string> => {
  const { transaction } = await harness.create({ amount: 1000, paymentServiceId: services.get(provider) });
  return transaction?.id ?? '';
};

const pending = (): Promise<number> =>
  harness.server.app.db.prisma.operation.count({ where: { status: 'pending' } });

it('has 500 operations resolved a minute after the provider returns, and delays no other', async () => {
  const alone = await authorized(other);
  keyed.turn('away');
  const ids: string[] = [];
  for (let batch = 0; batch < COUNT / 25; batch++) {
    ids.push(...(await Promise.all(Array.from({ length: 25 }, () => authorized(keyed)))));
  }
  await reconcileAfter(harness, 3 * HOUR);
  expect(await pending()).toBe(COUNT);

  // One operation at another service gets an unknown outcome. All of those are due then, and their provider is
  // silent.
  keyed.turn('silent');
  await harness.pass(MINUTE);
  const before = keyed.requested.length;
  await reconcileDue(harness.server.app);
  expect(keyed.requested.length - before).toBe(8);
  other.failNext('lose_answer');
  await harness.capture(alone);
  await harness.pass(2 * SECOND);
  reconciler = startReconciler(harness.server.app);
  await until(async () => (await unresolvedOn(harness, alone)) === null);
  const requested = keyed.requested.length - before;
  expect(await harness.transaction(alone)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  expect(requested).toBeLessThan(COUNT / 10);

  keyed.turn('working');
  const backAt = clock.now().getTime();
  await harness.pass(30 * SECOND);
  await until(async () => (await pending()) === 0);

  expect(clock.now().getTime() - backAt).toBeLessThan(MINUTE * PATIENCE);
  const { prisma } = harness.server.app.db;
  const done = await prisma.operation.findMany({ where: { transactionId: { in: ids } } });
  expect(done.filter(({ status }) => status === 'succeeded')).toHaveLength(COUNT);
  expect(done.filter(({ id, providerKey }) => keyed.effectsOf(providerKey ?? id) !== 1)).toEqual([]);
  expect(await prisma.event.count({ where: { targetId: { in: ids } } })).toBe(COUNT);
}, 90_000);
