import { mintFromFile, sandboxKeyFile } from '../../../src/cli/run/token.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { startProcess } from '../../support/process.ts';
import type { BenchOptions, RunBench } from '../benches.ts';
import { openConnection, type Connection } from '../connection.ts';
import { describeServer, inBulk, inDatabase, type BenchSettings } from '../database.ts';
import { cpuMsWithConnections } from '../processor-time.ts';
import { table } from '../results.ts';
import { median } from '../statistics.ts';
import { ARGUMENTS, casesOf, LISTS, type Case, type ListName } from './cases.ts';
import { makeRows, READER } from './rows.ts';

/** The numbers of records of each list without `--rows`. */
const ROWS_DEFAULT = [100_000];

/** The time in which a first page must be answered or refused, in milliseconds. */
const WANTED_MS = 50;

const PAGE = 50;

/** Measures the first page of every filter, sort and search of the lists, and the count of all pages. */
export const runLists: RunBench = async (options) => {
  const sections: string[] = [];
  for (const rows of options.rows ?? ROWS_DEFAULT) {
    const lists: MeasuredList[] = [];
    for (const list of LISTS) lists.push(await inDatabase('disk', measureRows(list, rows, options)));
    const head = `**${rows.toLocaleString('en')} records of each list**, 60 % of them in the account that reads. Each list has a database of its own.`;
    sections.push(
      `${head} ${lists[0]?.server ?? ''}\n\n${describe(lists.flatMap(({ measured }) => measured))}`,
    );
  }
  return sections.join('\n\n');
};

/** The figures of one list, with a sentence about the server of its rows. */
type MeasuredList = { readonly server: string; readonly measured: readonly Measured[] };

// All lists together need more room than many disks have. So one list at a time has rows.
const measureRows =
  (list: ListName, rows: number, options: BenchOptions) =>
  async (settings: BenchSettings): Promise<MeasuredList> => {
    options.progress(`${rows.toLocaleString('en')} rows of ${list} are made`);
    await inBulk(settings.DATABASE_URL, () => makeRows(settings.DATABASE_URL, list, rows));
    return {
      server: await describeServer(settings.DATABASE_URL),
      measured: await measureList(settings, list, rows, options),
    };
  };

/** Measures one list of a database with so many rows. */
async function measureList(
  settings: BenchSettings,
  list: ListName,
  rows: number,
  options: BenchOptions,
): Promise<readonly Measured[]> {
  const server = await startProcess({ ...settings, PAYGRAPH_ROLES: 'api' });
  try {
    const key = sandboxKeyFile(server.dataFolder);
    const token = await mintFromFile(key, { merchantAccount: READER }, systemClock);
    const connection = await openConnection(server.url, token);
    const side = {
      connection,
      cpuMs: () => cpuMsWithConnections(server.pid, settings.DATABASE_URL, 'paygraph'),
    };
    const measured: Measured[] = [];
    for (const each of casesOf(rows).filter((one) => one.list === list)) {
      measured.push(await measure(side, each, 'page', options));
      // The order of a list does not change its count.
      if (isFirstOrder(each)) measured.push(await measure(side, each, 'count', options));
    }
    connection.close();
    return measured;
  } finally {
    await server.stop();
  }
}

const isFirstOrder = ({ args }: Case): boolean =>
  args['sort'] === undefined || args['sort'] === 'CREATED_AT_DESC';

type Measured = {
  readonly list: ListName;
  readonly what: string;
  /** Processor time of the server and of Postgres. A busy machine hardly changes it. */
  readonly cpu: number;
  readonly ms: number;
  readonly answer: string;
};

/** The measured server. */
type Side = { readonly connection: Connection; readonly cpuMs: () => Promise<number> };

/** Asks a few times, and keeps the median. Throws for an error other than a refusal of the filter or a time-out. */
async function measure(
  { connection, cpuMs }: Side,
  { list, what, args }: Case,
  asked: 'page' | 'count',
  { quick, progress }: BenchOptions,
): Promise<Measured> {
  const types = Object.entries(ARGUMENTS[list]).filter(([name]) => name in args);
  const declared = types.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const given = [`first: ${asked === 'page' ? PAGE : 1}`, ...types.map(([name]) => `${name}: $${name}`)].join(
    ', ',
  );
  const selected = asked === 'page' ? 'nodes { id }' : 'totalCount { count isExact }';
  const document = `query ${declared && `(${declared})`} { list: ${list}(${given}) { ${selected} } }`;
  const body = JSON.stringify({ query: document, variables: args });
  const cpus: number[] = [];
  const times: number[] = [];
  let answer = '';
  for (let round = 0; round < (quick ? 2 : 4); round += 1) {
    const before = await cpuMs();
    const startedAt = performance.now();
    answer = describeAnswer(await connection.ask(body));
    times.push(performance.now() - startedAt);
    cpus.push((await cpuMs()) - before);
    // Another round would take as long.
    if (answer === TIMED_OUT) break;
  }
  // The first round compiles the operation, and fills caches.
  const measured = (figures: readonly number[]): number =>
    median(figures.length > 1 ? figures.slice(1) : figures);
  const [cpu, ms] = [measured(cpus), measured(times)];
  progress(`${list}: ${asked} of ${what}: ${cpu.toFixed(1)} ms, ${answer}`);
  return {
    list,
    what: asked === 'page' ? what : `count of ${what.replace(/, CREATED_AT_DESC$/, '')}`,
    cpu,
    ms,
    answer,
  };
}

type Answer = {
  readonly data?: {
    readonly list: { readonly nodes?: readonly unknown[]; readonly totalCount?: Count };
  } | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions: {
      readonly code: string;
      readonly refusals?: readonly { readonly path: readonly string[] }[];
    };
  }[];
};
type Count = { readonly count: number; readonly isExact: boolean };

/** The answer to a request that Postgres ended. */
const TIMED_OUT = 'timed out';

function describeAnswer(text: string): string {
  const { data, errors } = JSON.parse(text) as Answer;
  const [error] = errors ?? [];
  if (error?.extensions.code === 'QUERY_TIMED_OUT') return TIMED_OUT;
  if (error && error.extensions.code !== 'INVALID_INPUT') throw new Error(error.message);
  if (error) return `refused: ${error.extensions.refusals?.[0]?.path.join('.') ?? ''}`;
  const { nodes, totalCount } = data?.list ?? {};
  if (nodes) return `${nodes.length} records`;
  return totalCount?.isExact ? `${totalCount.count}` : `more than ${totalCount?.count}`;
}

function describe(measured: readonly Measured[]): string {
  const isSlow = ({ cpu, answer }: Measured): boolean => cpu > WANTED_MS || answer === TIMED_OUT;
  const slow = measured.filter(isSlow);
  const verdict =
    slow.length === 0
      ? `All ${measured.length} requests were answered or refused within ${WANTED_MS} ms of processor time.`
      : `${slow.length} of ${measured.length} requests took more than ${WANTED_MS} ms of processor time, or timed out.`;
  const rows = measured.map((each) => [
    ...[each.list, each.what, each.cpu.toFixed(1), String(WANTED_MS), each.ms.toFixed(1)],
    isSlow(each) ? `**too slow**, ${each.answer}` : each.answer,
  ]);
  return [
    `The first page of ${PAGE} records and the count up to 10,000, one request at a time over HTTP. The figures are medians of three. Processor time is that of the server and its connections at Postgres.`,
    verdict,
    table([['list', 'filter and order', 'processor ms', 'wanted', 'wall ms', 'answer'], ...rows]),
  ].join('\n\n');
}
