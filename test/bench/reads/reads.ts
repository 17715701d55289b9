import { query } from '../../support/database.ts';
import type { BenchOptions, RunBench } from '../benches.ts';
import { describeServer, inBulk, inDatabase } from '../database.ts';
import { median } from '../statistics.ts';
import { differenceOf } from './answers.ts';
import { describe } from './describe.ts';
import type { Extent, Figures, Measured, Row } from './figures.ts';
import { KINDS, type Body, type Kind, type Known } from './kinds.ts';
import { makeRows, READER } from './rows.ts';
import { PARALLEL, SIDES, startSide, type Side, type SideName } from './sides.ts';

/** The rounds that do not count. Compilers of the sides still optimise in them. Later rounds are alike. */
const WARM_UP = 8;

const extentOf = ({ quick }: BenchOptions): Extent => ({
  warmUp: WARM_UP,
  ...(quick ? { rounds: 1, requests: 80 } : { rounds: 15, requests: 800 }),
});

/** The numbers of transactions without `--rows`. */
const ROWS_DEFAULT = [100_000];

/**
 * Measures reads beside PostGraphile, Mercurius and node:http, by turns, after comparing all answers. All numbers of rows are
 * measured by turns, too.
 */
export const runReads: RunBench = async (options) =>
  withSizes(options.rows ?? ROWS_DEFAULT, options, [], async (sizes) => {
    const extent = extentOf(options);
    const measured: Measured[] = sizes.map(({ known, head }) => ({ rows: known.rows, head, kinds: [] }));
    for (const kind of KINDS) {
      const found = await measureKind(sizes, kind, extent);
      for (const [index, row] of found.entries()) measured[index]?.kinds.push(row);
      options.progress(`${kind.title}: ${found.map(shortly).join('; ')}`);
    }
    return describe(measured, extent);
  });

const shortly = ({ of }: Row): string =>
  SIDES.filter((name) => of[name].cpu.length > 0)
    .map((name) => `${name} ${median(of[name].cpu).toFixed(2)} ms`)
    .join(', ');

/** A database with a number of transactions, and the servers that read it. */
type Size = { readonly known: Known; readonly sides: readonly Side[]; readonly head: string };

/** Opens a database for each number of transactions, and runs a function with all of them. */
async function withSizes(
  [rows, ...rest]: readonly number[],
  options: BenchOptions,
  opened: readonly Size[],
  run: (sizes: readonly Size[]) => Promise<string>,
): Promise<string> {
  if (rows === undefined) return await run(opened);
  return await inDatabase('disk', async (settings) => {
    options.progress(`${rows.toLocaleString('en')} transactions are made`);
    await inBulk(settings.DATABASE_URL, () => makeRows(settings.DATABASE_URL, rows));
    const sides = await Promise.all(SIDES.map((name) => startSide(name, settings)));
    try {
      const known = { ...(await someTransaction(settings.DATABASE_URL)), rows };
      for (const kind of KINDS) await compare(sides, kind, known);
      options.progress('all sides give the same answers');
      const head = await describeServer(settings.DATABASE_URL);
      return await withSizes(rest, options, [...opened, { known, sides, head }], run);
    } finally {
      await Promise.all(sides.map((side) => side.stop()));
    }
  });
}

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

/** Measures a kind with each number of transactions. All sides of all numbers take turns, every second round backward. */
async function measureKind(sizes: readonly Size[], kind: Kind, extent: Extent): Promise<readonly Row[]> {
  const found = sizes.map((size) => ({ size, row: { kind, of: noFigures() } }));
  const turns = found.flatMap(({ size, row }) =>
    size.sides.flatMap((side) => {
      const body = bodyFor(side.name, kind, size.known);
      return body ? [{ side, text: JSON.stringify(body), figures: row.of[side.name] }] : [];
    }),
  );
  const requests = extent.requests * (kind.share ?? 1);
  for (let round = 1 - extent.warmUp; round <= extent.rounds; round += 1) {
    for (const { side, text, figures } of round % 2 === 0 ? turns : turns.toReversed()) {
      const { rate, cpu } = await measureRound(side, text, requests);
      if (round < 1) continue;
      figures.rate.push(rate);
      figures.cpu.push(cpu);
    }
  }
  return found.map(({ row }) => row);
}

const noFigures = (): Row['of'] =>
  Object.fromEntries(SIDES.map((name): [SideName, Figures] => [name, { rate: [], cpu: [] }])) as Row['of'];

async function measureRound(
  side: Side,
  text: string,
  requests: number,
): Promise<{ readonly rate: number; readonly cpu: number }> {
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
