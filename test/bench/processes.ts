import { setTimeout as delay } from 'node:timers/promises';
import { startProcess, startWorkerProcess, type ServerProcess } from '../support/process.ts';
import type { BenchOptions } from './benches.ts';
import { inDatabase, type BenchSettings } from './database.ts';
import { drained } from './money-rates.ts';
import { openLanes, payAll } from './pay.ts';
import { cpuMsOfAll, postgresMs } from './processor-time.ts';
import { table } from './results.ts';

/** The numbers of processes of each role. */
const SIZES = [1, 2, 4, 8] as const;

/** Requests at once, over all processes. */
const LANES = 16;

/** The processor time of each part so far, in milliseconds. */
type Spent = { readonly api: number; readonly worker: number; readonly postgres: number };

const PARTS = ['api', 'worker', 'postgres'] as const;

/** Measures the cost of a payment with 1, 2, 4 and 8 processes of each role on one Postgres. Measures them at rest, too. */
export async function runProcesses(options: BenchOptions): Promise<string> {
  const rows: string[][] = [];
  for (const size of SIZES) {
    options.progress(`${size} processes with the role api, and ${size} with the role worker`);
    rows.push(await inDatabase('disk', (settings) => measure(settings, size, options)));
  }
  return (
    `Payments that are authorised and captured, ${LANES} at once, over so many processes with the role api and as many with the role ` +
    'worker, on one machine with one Postgres. Processor time is that of one payment, and at rest that of one second.\n\n' +
    table([
      [
        'of each role',
        'payments a second',
        'api',
        'worker',
        'Postgres',
        'api at rest',
        'worker at rest',
        'Postgres at rest',
      ],
      ...rows,
    ])
  );
}

async function measure(
  settings: BenchSettings,
  size: number,
  { quick, progress }: BenchOptions,
): Promise<string[]> {
  // All together have fewer connections than Postgres allows.
  const pools = { DATABASE_POOL: String(Math.max(4, 32 / size)), DATABASE_READ_POOL: '2' };
  const given = { ...settings, ...pools };
  const api = (): Promise<ServerProcess> => startProcess({ ...given, PAYGRAPH_ROLES: 'api' });
  const first = await api();
  const apis = [first, ...(await Promise.all(Array.from({ length: size - 1 }, api)))];
  const workers = await Promise.all(Array.from({ length: size }, () => startWorkerProcess(given)));
  const url = settings.DATABASE_URL;
  const spent = async (): Promise<Spent> => ({
    api: await cpuMsOfAll(apis),
    worker: await cpuMsOfAll(workers),
    postgres: await postgresMs(url),
  });
  const lanes = await openLanes(apis, first.token, LANES);
  try {
    await payAll(lanes, quick ? 50 : 800);
    await drained(url);
    const [number, before, startedAt] = [quick ? 50 : 1_500, await spent(), performance.now()];
    await payAll(lanes, number);
    const seconds = (performance.now() - startedAt) / 1_000;
    await drained(url);
    const after = await spent();
    progress(`${(number / seconds).toFixed(0)} payments a second`);
    const restMs = quick ? 1_000 : 10_000;
    await delay(restMs);
    const rested = await spent();
    return [
      String(size),
      (number / seconds).toFixed(0),
      ...PARTS.map((part) => `${((after[part] - before[part]) / number).toFixed(2)} ms`),
      ...PARTS.map((part) => `${(((rested[part] - after[part]) / restMs) * 1_000).toFixed(0)} ms`),
    ];
  } finally {
    for (const lane of lanes) lane.close();
    await Promise.all([...apis, ...workers].map((each) => each.stop()));
  }
}
