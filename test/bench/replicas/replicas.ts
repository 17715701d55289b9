import { mintFromFile, sandboxKeyFile } from '../../../src/cli/run/token.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { query } from '../../support/database.ts';
import { startProcess } from '../../support/process.ts';
import { startStandby, type Standby } from '../../support/standby.ts';
import { until } from '../../support/until.ts';
import type { BenchOptions, RunBench } from '../benches.ts';
import { describeServer, inBulk, inDatabase, type BenchSettings } from '../database.ts';
import { KINDS } from '../reads/kinds.ts';
import { makeRows, READER } from '../reads/rows.ts';
import { table } from '../results.ts';
import { CLIENTS, PAYMENTS_PER_SECOND, type Position } from './load.ts';
import { COLUMNS, measureReads, type Measured } from './measure.ts';

/** The lists that a dashboard asks for. Each reads one page of transactions in one statement, and some more records. */
const LISTS = ['list', 'nested', 'filtered'];

const POSITIONS = ['any', 'own'] as const;

const extentOf = ({ quick, rows }: BenchOptions) =>
  quick
    ? { rows: 10_000, warmUpMs: 500, measuredMs: 2_000 }
    : { rows: rows?.[0] ?? 100_000, warmUpMs: 10_000, measuredMs: 30_000 };

/** Measures lists with no, one and two replicas beside a steady load of payments. */
export const runReplicas: RunBench = (options) =>
  inDatabase('disk', async (settings) => {
    const extent = extentOf(options);
    options.progress(`${extent.rows.toLocaleString('en')} transactions are made`);
    await inBulk(settings.DATABASE_URL, () => makeRows(settings.DATABASE_URL, extent.rows));
    // A standby is copied while the primary runs, and then needs its log.
    await query(settings.DATABASE_URL, `ALTER SYSTEM SET wal_keep_size = '1GB'`);
    await query(settings.DATABASE_URL, 'SELECT pg_reload_conf()');
    const standbys: Standby[] = [];
    try {
      const rows = await measureWith(settings, standbys, options);
      for (const name of ['one', 'two']) {
        options.progress(`standby ${name} is copied`);
        standbys.push(await startStandby(settings.DATABASE_URL, name));
        rows.push(...(await measureWith(settings, standbys, options)));
      }
      return describe(await describeServer(settings.DATABASE_URL), extent, rows);
    } finally {
      await Promise.all(standbys.map((standby) => standby.close()));
    }
  });

type Row = readonly [replicas: number, position: Position, measured: Measured];

async function measureWith(
  settings: BenchSettings,
  standbys: readonly Standby[],
  options: BenchOptions,
): Promise<Row[]> {
  const { pathname } = new URL(settings.DATABASE_URL);
  const urls = standbys.map((standby) => standby.url(pathname.slice(1)));
  const server = await startProcess({ ...settings, ...replicasOf(urls) });
  const key = sandboxKeyFile(server.dataFolder);
  const reader = await mintFromFile(key, { merchantAccount: READER }, systemClock);
  const load = { url: server.url, reader, payer: server.token };
  try {
    await until(async () => (await following(settings.DATABASE_URL)) === urls.length, 'the standbys');
    const bodies = KINDS.filter(({ name }) => LISTS.includes(name)).map(({ query: text, variables }) =>
      JSON.stringify({ query: text, variables: variables({ account: READER, id: '', rows: 0 }) }),
    );
    const rows: Row[] = [];
    for (const position of urls.length === 0 ? (['none'] as const) : POSITIONS) {
      const at = { primary: settings.DATABASE_URL, replicas: urls };
      const measured = await measureReads({ load, at, bodies, position, ...extentOf(options) });
      options.progress(
        `${urls.length} replicas, ${WORDS[position]}: ${measured.perSecond.toFixed(0)} reads a second`,
      );
      rows.push([urls.length, position, measured]);
    }
    return rows;
  } finally {
    await server.stop();
  }
}

/** The setting that names the replicas. They have the same user and the same password. */
function replicasOf([first, ...others]: readonly string[]): Readonly<Record<string, string>> {
  if (first === undefined) return {};
  const hosts = [first, ...others].map((url) => new URL(url).host).join();
  return { DATABASE_REPLICA_URL: first.replace(new URL(first).host, hosts) };
}

async function following(url: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    url,
    `SELECT count(*)::int AS count FROM pg_stat_replication WHERE state = 'streaming'`,
  );
  return row?.count ?? 0;
}

const WORDS = { none: 'none', any: '`0`', own: "the client's last payment" } as const;

const describe = (
  server: string,
  { rows: transactions, measuredMs }: ReturnType<typeof extentOf>,
  rows: readonly Row[],
): string =>
  [
    `${server} ${CLIENTS} clients read lists of 50 of ${transactions.toLocaleString('en')} transactions one after the other for ` +
      `${measuredMs / 1_000} s. The lists are the newest, filtered ones, and those with captures and refunds. Meanwhile they authorise ${PAYMENTS_PER_SECOND} payments a ` +
      'second together. A read names no position, the position `0`, or that of the last payment of its client.',
    'Primary, replicas, server and clients share one machine, so more replicas bring no more reads a second here. The figure to use is ' +
      "the primary's processor time of a read. Replicas on other machines take the rest of it away. The time of a replica for a payment is " +
      'what it spends beside reads. Most of that is the replay. Lag is the time until a replica has replayed a commit.',
    table([['replicas', 'position', ...COLUMNS.map(([head]) => head)], ...rows.map(cellsOf)]),
  ].join('\n\n');

const cellsOf = ([replicas, position, measured]: Row): readonly string[] => [
  ...[String(replicas), WORDS[position]],
  ...COLUMNS.map(([, cell]) => cell(measured)),
];
