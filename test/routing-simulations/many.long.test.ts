import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { peakMb } from '../bench/memory.ts';
import { openShop, type Shop } from '../routing/harness.ts';
import { query } from '../support/database.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { copyPayments, simulatingAs, type Simulated } from './harness.ts';

/** Copies of each of three payments, a second apart. */
const COPIES = 100_000;

/** The most memory that a process may hold, at any number of payments. */
const MEMORY_MAX_MB = 600;

const FROM = '2026-03-01T00:00:00Z';
const TIME_MS = 600_000;

let server: TestServer;
let worker: WorkerProcess;
let shop: Shop;
beforeAll(async () => {
  server = await startTestServer();
  shop = await openShop(server);
  await shop.pay();
  await shop.pay({ amount: 200_012 });
  await shop.follow({ name: 'All', action: { order: { paymentServiceIds: [shop.services[1]] } } });
  await shop.pay();
  const { DATABASE_URL = '', PAYGRAPH_DATA_DIR } = server.app.config;
  await copyPayments(DATABASE_URL, shop.id, COPIES, FROM);
  await query(DATABASE_URL, 'ANALYZE transaction, operation');
  worker = await startWorkerProcess({ DATABASE_URL, PAYGRAPH_DATA_DIR });
}, TIME_MS);
afterAll(async () => {
  await worker.stop();
  await server.stop();
});

it(
  'plays many payments in a process that does not grow, and shows its progress',
  async () => {
    const [first, second] = shop.services;
    const share = (id: string) => ({ weight: 1, paymentServiceIds: [id] });
    const { version } = await shop.makeVersion([
      { name: 'All', action: { split: [share(first), share(second)] } },
    ]);
    const simulating = simulatingAs(server, shop);
    const { routingSimulationId: id } = await simulating.start(version?.id ?? '', {
      ...{ from: FROM, to: '2026-03-10T00:00:00Z' },
    });
    const seen: (Simulated | null)[] = [await simulating.find(id ?? '')];
    while (seen.at(-1)?.endedAt === null)
      await until(async () => {
        const found = await simulating.find(id ?? '');
        const isNew = found?.scanned !== seen.at(-1)?.scanned || found?.endedAt !== null;
        if (isNew) seen.push(found);
        return isNew;
      }, 'progress');

    expect(seen.at(-1)).toMatchObject({
      ...{ status: 'SUCCEEDED', progress: 1, result: { payments: 3 * COPIES } },
    });
    expect(seen.length).toBeGreaterThan(3);
    expect(await peakMb(worker.pid)).toBeLessThan(MEMORY_MAX_MB);
  },
  TIME_MS,
);
