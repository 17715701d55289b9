import { setTimeout as delay } from 'node:timers/promises';
import { findPgBouncer } from '../deploy/pgbouncer.ts';
import { startPooler, type Pooler } from '../support/pooler.ts';
import { startProcess, startWorkerProcess, type ServerProcess } from '../support/process.ts';
import type { BenchOptions } from './benches.ts';
import { inDatabase, type BenchSettings } from './database.ts';
import { drained } from './money-rates.ts';
import { openLanes, payAll } from './pay.ts';
import { cpuMsOfAll, postgresMs } from './processor-time.ts';
import { table } from './results.ts';

/** The numbers of processes of each role, and those behind PgBouncer. */
const sizesOf = ({ quick }: BenchOptions) =>
  quick ? { direct: [1, 2], pooled: [1] } : { direct: [1, 2, 4, 8], pooled: [1, 8] };

/** Requests at once, over all processes. */
const LANES = 16;

/** The processor time of each part, in milliseconds. */
type Spent = {
  readonly api: number;
  readonly worker: number;
  readonly postgres: number;
  readonly pooler: number;
};

const PARTS = ['api', 'worker', 'postgres', 'pooler'] as const;

/** The measurements of so many processes. */
type Measured = {
  readonly size: number;
  readonly isPooled: boolean;
  readonly perSecond: number;
  /** The processor time of one payment, and of one second at rest. */
  readonly ofPayment: Spent;
  readonly atRest: Spent;
};

/**
 * Measures the cost of a payment with 1, 2, 4 and 8 processes of each role on one Postgres. The fewest and the most of them also run
 * behind PgBouncer. Measures them at rest, too.
 */
export async function runProcesses(options: BenchOptions): Promise<string> {
  const found = await findPgBouncer();
  const { direct, pooled } = sizesOf(options);
  const runs = [
    ...direct.map((size) => ({ size, root: null })),
    ...('root' in found ? pooled.map((size) => ({ size, root: found.root })) : []),
  ];
  const measured: Measured[] = [];
  for (const { size, root } of runs) {
    const way = root === null ? '' : ', behind PgBouncer';
    options.progress(`${size} processes with the role api, and ${size} with the role worker${way}`);
    measured.push(await inDatabase('disk', (settings) => measureVia(root, settings, size, options)));
  }
  return describe(measured, 'root' in found ? null : found.missing);
}

/** Measures behind a pooler if there is a root folder with one. */
async function measureVia(
  root: string | null,
  settings: BenchSettings,
  size: number,
  options: BenchOptions,
): Promise<Measured> {
  if (root === null) return await measure({ settings, pooler: null, size }, options);
  const pooler = await startPooler({ root, server: settings.DATABASE_URL, readTimeoutMs: 5_000 });
  try {
    return await measure({ settings, pooler, size }, options);
  } finally {
    await pooler.close();
  }
}

type Run = { readonly settings: BenchSettings; readonly pooler: Pooler | null; readonly size: number };

async function measure(
  { settings, pooler, size }: Run,
  { quick, progress }: BenchOptions,
): Promise<Measured> {
  const url = settings.DATABASE_URL;
  const through = pooler?.settings(new URL(url).pathname.slice(1)) ?? {};
  // All together have fewer connections than Postgres allows.
  const pools = { DATABASE_POOL: String(Math.max(4, 32 / size)), DATABASE_READ_POOL: '2' };
  const given = { ...settings, ...pools, ...through };
  const api = (): Promise<ServerProcess> => startProcess({ ...given, PAYGRAPH_ROLES: 'api' });
  const first = await api();
  const apis = [first, ...(await Promise.all(Array.from({ length: size - 1 }, api)))];
  const workers = await Promise.all(Array.from({ length: size }, () => startWorkerProcess(given)));
  const spent = async (): Promise<Spent> => ({
    api: await cpuMsOfAll(apis),
    worker: await cpuMsOfAll(workers),
    postgres: await postgresMs(url),
    pooler: await cpuMsOfAll(pooler ? [pooler] : []),
  });
  const lanes = await openLanes(apis, first.token, LANES);
  try {
    await payAll(lanes, quick ? 50 : 800);
    await drained(url);
    const [number, before, startedAt] = [quick ? 50 : 1_500, await spent(), performance.now()];
    await payAll(lanes, number);
    const perSecond = number / ((performance.now() - startedAt) / 1_000);
    await drained(url);
    const after = await spent();
    progress(`${perSecond.toFixed(0)} payments a second`);
    const restMs = quick ? 1_000 : 10_000;
    await delay(restMs);
    const atRest = perUnit(after, await spent(), restMs / 1_000);
    return { size, isPooled: pooler !== null, perSecond, ofPayment: perUnit(before, after, number), atRest };
  } finally {
    for (const lane of lanes) lane.close();
    await Promise.all([...apis, ...workers].map((each) => each.stop()));
  }
}

const perUnit = (before: Spent, after: Spent, units: number): Spent =>
  Object.fromEntries(PARTS.map((part) => [part, (after[part] - before[part]) / units])) as Spent;

function describe(measured: readonly Measured[], missing: string | null): string {
  return [
    `Payments are authorised and captured, ${LANES} at once. So many processes have the role api, and as many the role worker. All run on ` +
      'one machine with one Postgres. Processor time is that of one payment, and at rest that of one second. A core of the ' +
      'servers, or of Postgres, is one that does nothing else.' +
      (missing === null ? '' : ` PgBouncer was not measured: ${missing}.`),
    table([
      [
        ...['of each role', 'database', 'payments a second', 'api', 'worker', 'Postgres', 'PgBouncer'],
        ...['payments a second of a core of the servers', 'of a core of Postgres', 'api at rest'],
        ...['worker at rest', 'Postgres at rest'],
      ],
      ...measured.map(cellsOf),
    ]),
    describeGrowth(measured.filter(({ isPooled }) => !isPooled)),
  ].join('\n\n');
}

function cellsOf({ size, isPooled, perSecond, ofPayment, atRest }: Measured): readonly string[] {
  return [
    ...[String(size), isPooled ? 'behind PgBouncer' : 'direct', perSecond.toFixed(0)],
    ...PARTS.map((part) => (part === 'pooler' && !isPooled ? '' : `${ofPayment[part].toFixed(2)} ms`)),
    ...[ofPayment.api + ofPayment.worker, ofPayment.postgres].map((ms) => (1_000 / ms).toFixed(0)),
    ...(['api', 'worker', 'postgres'] as const).map((part) => `${atRest[part].toFixed(0)} ms`),
  ];
}

/** Says what one process of each role more brings and costs. */
function describeGrowth(direct: readonly Measured[]): string {
  const [fewest, most] = [direct[0], direct.at(-1)];
  if (!fewest || !most || fewest === most) return '';
  const more = most.size - fewest.size;
  const core = 1_000 / most.ofPayment.api;
  const restMs = (most.atRest.postgres - fewest.atRest.postgres) / more;
  const dearer = most.ofPayment.postgres / fewest.ofPayment.postgres;
  return (
    `One more process with the role api, on its own core, brings ${core.toFixed(0)} payments a second, while Postgres has cores. ` +
    `A process of each role more costs Postgres ${restMs.toFixed(1)} ms a second at rest. With ${most.size} of each role, a payment takes ` +
    `${dearer.toFixed(2)} times the processor time of Postgres that it takes with ${fewest.size}.`
  );
}
