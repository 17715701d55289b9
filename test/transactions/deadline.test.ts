import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { longestDeadlineMs } from '../../src/modules/payment-services/index.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';
import { createClassProvider, type ClassProvider } from './class-provider.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import { unresolvedOn } from './unresolved.ts';

const KEYS = { kind: 'keys', windowMs: 24 * 3_600_000 } as const;

let harness: Harness;
let quick: ClassProvider;
beforeAll(async () => {
  const clock = createShiftedClock();
  quick = createClassProvider('quick', KEYS, clock, { deadlineMs: 150 });
  const slow = createClassProvider('slow', KEYS, clock, { deadlineMs: 30_000 });
  harness = await startHarness('slow-card', { clock, connectors: [quick.connector, slow.connector] });
});
afterAll(() => harness.stop());

it('ends a call at the time limit of its definition, and leaves the outcome unknown', async () => {
  const paymentServiceId = await createService(harness.server, harness.provider.url, {
    definitionId: quick.definitionId,
  });
  quick.failNext('hang');
  const startedAt = performance.now();
  const { transaction } = await harness.create({ paymentServiceId });

  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(transaction).toMatchObject({ status: 'PROCESSING' });
  expect(await unresolvedOn(harness, transaction?.id ?? '')).toMatchObject({ unknown: { cause: 'TIMEOUT' } });
});

it('leases an operation for longer than the slowest definition may take', async () => {
  const { app } = harness.server;

  expect(longestDeadlineMs(app)).toBe(30_000);
  expect(longestDeadlineMs({ ...app, config: { ...app.config, PAYGRAPH_PROVIDER_DEADLINE_MS: 700 } })).toBe(
    700,
  );
});
