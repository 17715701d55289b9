import { query } from '../../support/database.ts';
import type { BenchOptions, RunBench } from '../benches.ts';
import { describeServer, inBulk, inDatabase } from '../database.ts';
import { table } from '../results.ts';
import { median, spread } from '../statistics.ts';
import { differenceOf } from './answers.ts';
import { KINDS, type Body, type Kind, type Known } from './kinds.ts';
import { makeRows, READER } from './rows.ts';
import { PARALLEL, SIDES, startSide, type Side, type SideName } from './sides.ts';

const extent = ({ quick }: BenchOptions) =>
  quick ? { rounds: 1, requests: 80 } : { rounds: 7, requests: 800 };

/** The numbers of transactions without `--rows`. */
const ROWS_DEFAULT = [100_000];

/** Measures reads beside PostGraphile, Mercurius and node:http, by turns, after comparing all answers. */
export const runReads: RunBench = async (options) => {
  const sections: string[] = [];
  for (const rows of options.rows ?? ROWS_DEFAULT) sections.push(await measureRows(rows, options));
  return sections.join('\n\n');
};

const measureRows = (rows: number, options: BenchOptions): Promise<string> =>
  inDatabase('disk', async (settings) => {
    options.progress(`${rows.toLocaleString('en')} transactions are made`);
    await inBulk(settings.DATABASE_URL, () => makeRows(settings.DATABASE_URL, rows));
    const sides = await Promise.all(SIDES.map((name) => startSide(name, settings)));
    try {
      const known = { ...(await someTransaction(settings.DATABASE_URL)), rows };
      for (const kind of KINDS) await compare(sides, kind, known);
      options.progress('all sides give the same answers');
      const figures = await measure(sides, known, options);
      const head = `**${rows.toLocaleString('en')} transactions.** ${await describeServer(settings.DATABASE_URL)}`;
      return `${head}\n\n${describe(figures, options)}`;
    } finally {
      await Promise.all(sides.map((side) => side.stop()));
    }
  });

async function someTransaction(url: string): Promise<Omit<Known, 'rows'>> {
  const [row] = await query<{ id: string }>(
    url,
    `SELECT id FROM transaction WHERE merchant_account_id = '${READER}' ORDER BY id LIMIT 1 OFFSET 1000`,
  );
  return { account: READER, id: row?.id ?? '' };
}

/** Returns the request of a side. Null if the side does not offer the kind. */
function bodyFor(
  side: SideName,
  { name, query: ours, postgraphile, variables }: Kind,
  known: Known,
): Body | null {
  const text = side === 'PostGraphile' ? postgraphile : ours;
  return text === null ? null : { name, query: text, variables: variables(known) };
}

/**
 * Throws when a side answers other than Paygraph, so that no figure compares different work. Throws also when records are missing.
 */
async function compare([ours, ...peers]: readonly Side[], kind: Kind, known: Known): Promise<void> {
  const answerOf = async (side: Side): Promise<string | null> => {
    const body = bodyFor(side.name, kind, known);
    if (!body) return null;
    const lane = await side.connect();
    const answer = await lane.ask(JSON.stringify(body));
    lane.close();
    return answer;
  };
  const expected = ours ? await answerOf(ours) : null;
  const records = expected?.match(/"id":/g)?.length;
  if (kind.records !== undefined && records !== kind.records)
    throw new Error(`${kind.title}: ${records} records, and not ${kind.records}`);
  for (const peer of peers) {
    const answered = await answerOf(peer);
    const difference = expected !== null && answered !== null && differenceOf(expected, answered);
    if (difference) throw new Error(`${kind.title}: ${peer.name} answers otherwise: ${difference}`);
  }
}

/** Answers a second, and milliseconds of processor time for one answer. */
type Figures = { readonly rate: number[]; readonly cpu: number[] };
type Row = { readonly kind: Kind; readonly of: Readonly<Record<SideName, Figures>> };

async function measure(sides: readonly Side[], known: Known, options: BenchOptions): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const kind of KINDS) {
    const of = await measureKind(sides, kind, known, options);
    rows.push({ kind, of });
    options.progress(
      `${kind.title}: ${SIDES.filter((name) => of[name].cpu.length > 0)
        .map((name) => `${name} ${median(of[name].cpu).toFixed(2)} ms`)
        .join(', ')}`,
    );
  }
  return rows;
}

async function measureKind(
  sides: readonly Side[],
  kind: Kind,
  known: Known,
  options: BenchOptions,
): Promise<Row['of']> {
  const of = Object.fromEntries(SIDES.map((name) => [name, { rate: [], cpu: [] }])) as unknown as Row['of'];
  for (let round = 1 - WARM_UP; round <= extent(options).rounds; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const body = bodyFor(side.name, kind, known);
      const figures = body && (await measureRound(side, body, extent(options).requests * (kind.share ?? 1)));
      if (figures && round > 0) add(of[side.name], figures);
    }
  }
  return of;
}

/** The rounds that do not count. Compilers of the sides still optimise in them. Later rounds are alike. */
const WARM_UP = 8;

type Round = { readonly rate: number; readonly cpu: number };

function add(figures: Figures, { rate, cpu }: Round): void {
  figures.rate.push(rate);
  figures.cpu.push(cpu);
}

async function measureRound(side: Side, body: Body, requests: number): Promise<Round> {
  const text = JSON.stringify(body);
  // A connection that waits for its turn would be closed by some of the servers.
  const lanes = await Promise.all(Array.from({ length: PARALLEL }, () => side.connect()));
  const before = await side.cpuMs();
  const startedAt = performance.now();
  let left = requests;
  await Promise.all(
    lanes.map(async (lane) => {
      while (left > 0) {
        left -= 1;
        await lane.ask(text);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  lanes.forEach((lane) => lane.close());
  return { rate: requests / seconds, cpu: ((await side.cpuMs()) - before) / requests };
}

/** The figure of a side that does not offer a kind. */
const NONE = 'none';

function describe(rows: readonly Row[], options: BenchOptions): string {
  const { rounds, requests } = extent(options);
  const lines = (figure: keyof Figures, digits: number) =>
    rows.map(({ kind, of }) => [
      kind.title,
      ...SIDES.map((name) => (of[name][figure].length === 0 ? NONE : spread(of[name][figure], digits))),
    ]);
  const ratios = rows.map(({ kind, of }) => [
    kind.title,
    ...SIDES.slice(1).map((name) =>
      of[name].rate.length === 0 ? NONE : (median(of.Paygraph.rate) / median(of[name].rate)).toFixed(2),
    ),
  ]);
  return [
    `${PARALLEL} requests at once over HTTP, ${rounds} rounds of ${requests} by turns after ${WARM_UP} to warm up. A report has a fifth of ` +
      'these requests, one record has five times as many, and `{ __typename }` ten times. All answers are equal. Paygraph authenticates each request, the others none. The figures are medians (lowest to highest).',
    'Answers a second:',
    table([['', ...SIDES], ...lines('rate', 0)]),
    'Processor time of server and Postgres for one answer, in milliseconds:',
    table([['', ...SIDES], ...lines('cpu', 2)]),
    "Paygraph's rate as a multiple of a peer's. Wanted: at least 1.30 of PostGraphile and 0.50 of node:http.",
    table([['', ...SIDES.slice(1)], ...ratios]),
  ].join('\n\n');
}
