import { table } from '../results.ts';
import { median, spread } from '../statistics.ts';
import type { Extent, Figures, Measured, Row } from './figures.ts';
import { PARALLEL, SIDES } from './sides.ts';

/** Describes the figures of each number of transactions, and compares the numbers. */
export const describe = (measured: readonly Measured[], extent: Extent): string =>
  [conditions(extent), ...measured.map(describeOne), ...growth(measured)].join('\n\n');

const conditions = ({ warmUp, rounds, requests }: Extent): string =>
  `${PARALLEL} requests at once over HTTP, ${rounds} rounds of ${requests} by turns after ${warmUp} to warm up. A report has a fifth of ` +
  'these requests, one record has five times as many, and `{ __typename }` ten times. All answers are equal. About 130 transactions ' +
  'match the search. Paygraph authenticates each request, the others none. It remembers payment services for a second, ' +
  'and the others read them each time. The figures are medians (lowest to highest). A multiple is the median of the multiples of ' +
  'each round.';

/** The figure of a side that does not offer a kind. */
const NONE = 'none';

function describeOne({ rows, head, kinds }: Measured): string {
  const lines = (figure: keyof Figures, digits: number) =>
    kinds.map(({ kind, of }) => [
      kind.title,
      ...SIDES.map((name) => (of[name][figure].length === 0 ? NONE : spread(of[name][figure], digits))),
    ]);
  const ratios = kinds.map(({ kind, of }) => [
    kind.title,
    ...SIDES.slice(1).map((name) => ratio(of.Paygraph.rate, of[name].rate)),
  ]);
  return [
    `**${count(rows)} transactions.** ${head}`,
    'Answers a second:',
    table([['', ...SIDES], ...lines('rate', 0)]),
    'Processor time of server and Postgres for one answer, in milliseconds:',
    table([['', ...SIDES], ...lines('cpu', 2)]),
    "Paygraph's rate as a multiple of a peer's. Wanted: at least 1.30 of PostGraphile and 0.50 of node:http.",
    table([['', ...SIDES.slice(1)], ...ratios]),
  ].join('\n\n');
}

/** Compares the processor time with each larger number of transactions to that with the first number. */
function growth([first, ...larger]: readonly Measured[]): readonly string[] {
  if (!first) return [];
  return larger.flatMap(({ rows, kinds }) => [
    `Processor time with ${count(rows)} transactions as a multiple of that with ${count(first.rows)}. Wanted of Paygraph: at most 1.20.`,
    table([['', ...SIDES], ...kinds.map((row, index) => growthOf(row, first.kinds[index]))]),
  ]);
}

const growthOf = ({ kind, of }: Row, before: Row | undefined): readonly string[] => [
  kind.title,
  ...SIDES.map((name) => ratio(of[name].cpu, before?.of[name].cpu ?? [])),
];

/** Returns the median ratio of two figures of the same round. The machine may be slower in another round. */
const ratio = (one: readonly number[], other: readonly number[]): string =>
  one.length === 0 || other.length === 0
    ? NONE
    : median(one.map((value, round) => value / (other[round] ?? NaN))).toFixed(2);

const count = (rows: number): string => rows.toLocaleString('en');
