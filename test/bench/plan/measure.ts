import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../../../src/main.ts';
import { relayOnce } from '../../../src/modules/events/index.ts';
import { parseConfig } from '../../../src/platform/process/config.ts';
import { query } from '../../support/database.ts';
import { startProcess, startWorkerProcess } from '../../support/process.ts';
import type { BenchOptions } from '../benches.ts';
import { startChild } from '../child.ts';
import { inDatabase, type BenchSettings } from '../database.ts';
import { createEndpoint } from '../events-deliveries.ts';
import { prepareLog, whenDelivered, writeEvents } from '../events-log.ts';
import { peakMb } from '../memory.ts';
import { drained } from '../money-rates.ts';
import { openLanes, payAll } from '../pay.ts';
import { cpuMsOfAll, postgresMs } from '../processor-time.ts';
import { LIFETIMES } from '../soak/lifetimes.ts';
import { sizesOf, type Sizes } from '../soak/sizes.ts';
import type { OfPayment, Wal } from './costs.ts';
import { ASSUMED } from './reckon.ts';

/** The most memory that each process has held, in MB. */
export type Memory = { readonly apiMb: number; readonly workerMb: number };

/** Requests at once. */
const LANES = 8;

export const extentOf = ({ quick }: BenchOptions) =>
  quick
    ? { warmUp: 100, payments: 200, relayed: 2_000, restMs: 5_000 }
    : { warmUp: 1_000, payments: 1_000, relayed: 100_000, restMs: ASSUMED.checkpointSeconds * 1_000 };

/** The payments between two checkpoints of an installation with 10,000 a day. */
const FEW = 35;

/** Measures payments over a process with the role api, beside a process with the role worker. */
export const measurePayments = (
  options: BenchOptions,
): Promise<{ readonly ofPayment: OfPayment; readonly memory: Memory }> =>
  inDatabase('disk', async (settings) => {
    const { warmUp, payments } = extentOf(options);
    const api = await startProcess({ ...settings, PAYGRAPH_ROLES: 'api' });
    const worker = await startWorkerProcess(settings);
    const receiver = startChild('webhook-receiver.ts');
    try {
      await createEndpoint(api, api.token, `${await receiver.ask<string>('open')}/webhooks`);
      const state = () => stateOf(settings, [api], [worker]);
      const pay = async (number: number): Promise<void> => {
        const lanes = await openLanes([api], api.token, LANES);
        await payAll(lanes, number);
        lanes.forEach((lane) => lane.close());
        await drained(settings.DATABASE_URL);
        await whenDelivered(settings.DATABASE_URL);
      };
      options.progress(`${warmUp} payments warm up`);
      await pay(warmUp);
      // Each page that changes after a checkpoint goes to the log as a whole, once. So the figure includes these pages.
      await query(settings.DATABASE_URL, 'CHECKPOINT');
      const before = await state();
      options.progress(`${payments} payments are measured`);
      await pay(payments);
      const after = await state();
      const wal = await measureWal(settings, options, () => pay(FEW));
      const [apiMb, workerMb] = await Promise.all([peakMb(api.pid), peakMb(worker.pid)]);
      return {
        ofPayment: { ...differenceOf(before, after, payments), wal: { ...wal, many: payments } },
        memory: { apiMb: apiMb ?? NaN, workerMb: workerMb ?? NaN },
      };
    } finally {
      await receiver.end();
      await Promise.all([api.stop(), worker.stop()]);
    }
  });

/** Measures the log from one checkpoint to the time of the next, at rest and with few payments. */
async function measureWal(
  { DATABASE_URL: url }: BenchSettings,
  options: BenchOptions,
  payFew: () => Promise<void>,
): Promise<Omit<Wal, 'many'>> {
  const { restMs } = extentOf(options);
  const during = async (work: () => Promise<void>): Promise<number> => {
    await query(url, 'CHECKPOINT');
    const before = await walBytesOf(url);
    await Promise.all([work(), delay(restMs)]);
    return (await walBytesOf(url)) - before;
  };
  // Autovacuum cleans up after the payments before, and its log would count as that of rest.
  await query(url, 'VACUUM');
  options.progress('the log is measured at rest');
  const atRest = await during(() => Promise.resolve());
  options.progress(`the log is measured with ${FEW} payments`);
  const bytesEach = Math.max(0, (await during(payFew)) - atRest) / FEW;
  return { atRest, few: { payments: FEW, bytesEach } };
}

async function walBytesOf(url: string): Promise<number> {
  const [wal] = await query<{ bytes: string }>(
    url,
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
  );
  return Number(wal?.bytes);
}

type State = Pick<OfPayment, 'apiMs' | 'workerMs' | 'postgresMs' | 'walBytes'> & { readonly sizes: Sizes };
type Processes = readonly { readonly pid: number }[];

async function stateOf(
  { DATABASE_URL: url }: BenchSettings,
  apis: Processes,
  workers: Processes,
): Promise<State> {
  const walBytes = await walBytesOf(url);
  const [apiMs, workerMs] = [await cpuMsOfAll(apis), await cpuMsOfAll(workers)];
  return {
    ...{ apiMs, workerMs, postgresMs: await postgresMs(url), walBytes },
    sizes: await sizesOf(url),
  };
}

function differenceOf(before: State, after: State, payments: number): Omit<OfPayment, 'wal'> {
  const each = (part: keyof Omit<State, 'sizes'>): number => (after[part] - before[part]) / payments;
  const grown = { ever: 0, events: 0, keys: 0, audit: 0 };
  const sizes = new Map(before.sizes.relations.map(({ name, bytes }) => [name, bytes]));
  for (const { name, table, bytes } of after.sizes.relations)
    grown[LIFETIMES[table] ?? 'ever'] += (bytes - (sizes.get(name) ?? 0)) / payments;
  const rows = (table: string): number => (after.sizes.rows[table] ?? 0) - (before.sizes.rows[table] ?? 0);
  return {
    ...{ apiMs: each('apiMs'), workerMs: each('workerMs'), postgresMs: each('postgresMs') },
    ...{ walBytes: each('walBytes'), diskBytes: grown, events: rows('event') / payments },
  };
}

/** Measures the events a second that the one relay of an installation moves to the feed from a backlog. */
export const measureRelay = (options: BenchOptions): Promise<number> =>
  inDatabase('disk', async (settings) => {
    const { relayed } = extentOf(options);
    const folder = await mkdtemp(join(tmpdir(), 'paygraph-bench-'));
    const wired = await createApp(parseConfig({ ...settings, PAYGRAPH_DATA_DIR: folder }));
    const accounts = await prepareLog(settings.DATABASE_URL, ACCOUNTS);
    await writeEvents(settings.DATABASE_URL, accounts, relayed / ACCOUNTS);
    options.progress(`the relay moves ${relayed} events`);
    const from = performance.now();
    while (await relayOnce(wired.app)) continue;
    const seconds = (performance.now() - from) / 1_000;
    await wired.close();
    await rm(folder, { recursive: true });
    return relayed / seconds;
  });

const ACCOUNTS = 50;
