import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { LIFETIMES, type Lifetime } from '../soak/lifetimes.ts';
import { sizesOf, type Sizes } from '../soak/sizes.ts';

/** The costs of one payment that is authorised and captured, with a webhook for each event. */
export type OfPayment = {
  /** Processor time in milliseconds. */
  readonly apiMs: number;
  readonly workerMs: number;
  readonly postgresMs: number;
  /** Bytes of the log of Postgres. */
  readonly walBytes: number;
  /** Bytes of tables and indexes by the time for which they are kept. */
  readonly diskBytes: Readonly<Record<Lifetime, number>>;
  readonly events: number;
};

/** The most memory that each process has held, in MB. */
export type Memory = { readonly apiMb: number; readonly workerMb: number };

/** Requests at once. */
const LANES = 8;

export const extentOf = ({ quick }: BenchOptions) =>
  quick
    ? { warmUp: 100, payments: 200, relayed: 2_000 }
    : { warmUp: 1_000, payments: 1_000, relayed: 100_000 };

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
      const [apiMb, workerMb] = await Promise.all([peakMb(api.pid), peakMb(worker.pid)]);
      return {
        ofPayment: differenceOf(before, after, payments),
        memory: { apiMb: apiMb ?? NaN, workerMb: workerMb ?? NaN },
      };
    } finally {
      await receiver.end();
      await Promise.all([api.stop(), worker.stop()]);
    }
  });

type State = Pick<OfPayment, 'apiMs' | 'workerMs' | 'postgresMs' | 'walBytes'> & { readonly sizes: Sizes };
type Processes = readonly { readonly pid: number }[];

async function stateOf(
  { DATABASE_URL: url }: BenchSettings,
  apis: Processes,
  workers: Processes,
): Promise<State> {
  const [wal] = await query<{ bytes: string }>(
    url,
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
  );
  const [apiMs, workerMs] = [await cpuMsOfAll(apis), await cpuMsOfAll(workers)];
  return {
    ...{ apiMs, workerMs, postgresMs: await postgresMs(url), walBytes: Number(wal?.bytes) },
    sizes: await sizesOf(url),
  };
}

function differenceOf(before: State, after: State, payments: number): OfPayment {
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
