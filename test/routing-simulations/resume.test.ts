import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { simulateNextPages } from '../../src/modules/routing-simulations/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { openShop, type Input, type Shop } from '../routing/harness.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock.ts';
import { until } from '../support/until.ts';
import { copyPayments, playAll, simulatingAs, type Result, type Simulating } from './harness.ts';

/** Copies of each of three payments: two whole pages and a part of a third. */
const COPIES = 400;

/** Longer than a turn, so that each page is a turn of its own. */
const SLOW_MS = 1_000;

/** Longer than the lease of a turn. */
const LEASE_MS = 6 * 60_000;

const RETRIABLE = 200_012;
const FROM = '2026-03-01T00:00:00Z';
const PERIOD = { from: FROM, to: '2026-03-02T00:00:00Z' };

let server: TestServer;
let shop: Shop;
let simulating: Simulating;
let clock: ShiftedClock;
let versionId: string;
let readFast: () => void;
let whole: Result;
beforeAll(async () => {
  clock = createShiftedClock();
  server = await startTestServer({ clock });
  shop = await openShop(server);
  simulating = simulatingAs(server, { ...shop, ask });
  const [first, second] = shop.services;
  await shop.pay();
  await shop.pay({ amount: RETRIABLE });
  await shop.follow({ name: 'All', action: { order: { paymentServiceIds: [second] } } });
  await shop.pay();
  await copyPayments(server.app.config.DATABASE_URL ?? '', shop.id, COPIES, FROM);
  const share = (id: string) => ({ weight: 1, paymentServiceIds: [id] });
  const rules = [{ name: 'All', action: { split: [share(first), share(second)] } }];
  whole = await simulating.result(rules, PERIOD);
  versionId = (await shop.makeVersion(rules)).version?.id ?? '';
  readFast = setFailpoint('*', (name) => {
    if (name === 'simulations.read') clock.advance(SLOW_MS);
  });
});
afterAll(async () => {
  readFast();
  await server.stop();
});

/** Sends a request with a fresh token, because hours pass. */
const ask: Shop['ask'] = async <Answer>(document: string, variables: Input = {}) => {
  const token = await server.mint({ merchantAccountId: shop.id });
  const { body } = await server.graphql<{ answer: Answer }>(document, variables, { token });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.answer;
};

const start = async (change = {}): Promise<string> =>
  (await simulating.start(versionId, { ...PERIOD, ...change })).routingSimulationId ?? '';

it('counts all payments, some of which move', () => {
  expect(whole).toMatchObject({ payments: 3 * COPIES, passedBy: 0, open: 0 });
  expect(whole.compared.payments + whole.unknown.payments).toBe(3 * COPIES);
  expect(whole.moves.length).toBeGreaterThan(2);
  expect(whole.compared.authorizedHigh).toBeGreaterThan(whole.compared.authorizedLow);
});

it('shows its progress, turn by turn', async () => {
  const id = await start();
  const seen = [await simulating.find(id)];
  while (await simulateNextPages(server.app)) seen.push(await simulating.find(id));

  expect(seen.map((each) => [each?.status, each?.scanned])).toEqual([
    ['PENDING', 0],
    ['RUNNING', 500],
    ['RUNNING', 1000],
    ['RUNNING', 1200],
    ['SUCCEEDED', 1200],
  ]);
  const progress = seen.map((each) => each?.progress ?? -1);
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  expect(seen.at(-1)).toMatchObject({ progress: 1, result: whole });
});

it('takes the same part of the payments each time', async () => {
  const results: (Result | null | undefined)[] = [];
  for (let time = 1; time <= 2; time += 1) {
    const id = await start({ sample: 10 });
    await playAll(server);
    const found = await simulating.find(id);
    expect(found?.scanned).toBe(3 * COPIES);
    results.push(found?.result);
  }

  expect(results[0]?.payments).toBeGreaterThan(0.06 * 3 * COPIES);
  expect(results[0]?.payments).toBeLessThan(0.14 * 3 * COPIES);
  expect(results[0]).toEqual(results[1]);
});

describe('another process', () => {
  it.each(['simulations.claimed', 'simulations.read', 'simulations.counted'])(
    'continues after one that stands still at %s, and refuses its late counts',
    async (point) => {
      const id = await start();
      await simulateNextPages(server.app);
      let release = (): void => undefined;
      const still = new Promise<void>((resolve) => (release = resolve));
      let reached = false;
      const remove = setFailpoint(point, () => {
        reached = true;
        return still;
      });
      const frozen = simulateNextPages(server.app);
      await until(() => reached);
      remove();
      clock.advance(LEASE_MS);
      await playAll(server);
      release();
      await frozen;
      await playAll(server);

      expect(await simulating.find(id)).toMatchObject({ status: 'SUCCEEDED', scanned: 1200, result: whole });
    },
  );

  it.each(['simulations.read', 'simulations.counted', 'simulations.committed'])(
    'counts no payment twice after a failure at %s',
    async (point) => {
      const id = await start();
      await simulateNextPages(server.app);
      const remove = setFailpoint(point, () => {
        throw new Error('stopped');
      });
      await simulateNextPages(server.app);
      remove();
      clock.advance(LEASE_MS);
      await playAll(server);

      expect(await simulating.find(id)).toMatchObject({ status: 'SUCCEEDED', scanned: 1200, result: whole });
    },
  );

  it('shares the simulations of a merchant account', async () => {
    const ids = [await start(), await start(), await start()];
    await Promise.all([playAll(server), playAll(server)]);
    // A worker that found the last simulation claimed has stopped early.
    await playAll(server);

    for (const id of ids) expect((await simulating.find(id))?.result).toEqual(whole);
  });
});

it('fails after five failures in a row, and forgets its counts', async () => {
  const id = await start();
  await simulateNextPages(server.app);
  const remove = setFailpoint('simulations.read', () => {
    throw new Error('stopped');
  });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await simulateNextPages(server.app);
    clock.advance(LEASE_MS);
  }
  remove();

  expect(await simulating.find(id)).toMatchObject({ status: 'FAILED', scanned: 500, result: null });
  const row = await server.app.db.prisma.routingSimulation.findFirstOrThrow({ where: { id } });
  expect(row).toMatchObject({ tally: null, lease: null, failures: 5 });
});

it('fails after five processes in a row that died at the work', async () => {
  const id = await start();
  await simulateNextPages(server.app);
  const remove = setFailpoint('simulations.claimed', () => {
    throw new Error('killed');
  });
  for (let death = 1; death <= 5; death += 1) {
    await expect(simulateNextPages(server.app)).rejects.toThrow('killed');
    clock.advance(LEASE_MS);
  }
  remove();
  await simulateNextPages(server.app);

  expect(await simulating.find(id)).toMatchObject({ status: 'FAILED', scanned: 500, result: null });
  const row = await server.app.db.prisma.routingSimulation.findFirstOrThrow({ where: { id } });
  expect(row).toMatchObject({ tally: null, lease: null, failures: 5 });
});

describe('a cancelled simulation', () => {
  it('ends at once, while a process reads, and the process writes nothing more', async () => {
    const id = await start();
    await simulateNextPages(server.app);
    let canceled: Awaited<ReturnType<Simulating['cancel']>> | undefined;
    const remove = setFailpoint('simulations.counted', async () => {
      canceled = await simulating.cancel(id);
    });
    await simulateNextPages(server.app);
    remove();
    await playAll(server);

    expect(canceled?.routingSimulation).toMatchObject({ status: 'CANCELED', scanned: 500, result: null });
    expect(await simulating.find(id)).toEqual(canceled?.routingSimulation);
    const row = await server.app.db.prisma.routingSimulation.findFirstOrThrow({ where: { id } });
    expect(row).toMatchObject({ tally: null, lease: null });
  });

  it('was not ended before: an ended simulation stays as it is', async () => {
    const id = await start();
    await playAll(server);
    const before = await simulating.find(id);

    expect(before?.status).toBe('SUCCEEDED');
    expect(await simulating.cancel(id)).toEqual({ routingSimulation: before, userErrors: [] });
  });
});
