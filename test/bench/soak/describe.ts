import { KEY_DAYS } from '../../../src/modules/idempotency/index.ts';
import { parseConfig } from '../../../src/platform/process/config.ts';
import { table } from '../results.ts';
import { PAYMENTS, RETENTION_DAYS, type DaysPart } from './days.ts';
import { judgeGrowth, judgeMemory, type Judgement, type MemoryGrowth } from './growth.ts';
import { SHARE, SOCKETS_EACH, type LoadPart } from './load.ts';
import { bytesOf, paymentsOf, type Sizes } from './sizes.ts';

/** The figures of a soak in Markdown, and the judgement. */
export type Report = { readonly text: string; readonly isFlat: boolean };

/** A table of the report has about so many rows. */
const ROWS = 12;

/** Describes the slices under load. */
export function describeLoad(parts: readonly LoadPart[]): Report {
  const samples = parts.flatMap(({ samples: own }, part) =>
    own.map((sample, nth) => ({ ...sample, part: part + 1, minute: nth + 1 })),
  );
  const capacities = parts.map(({ capacity }) => capacity.toFixed(0)).join(', ');
  const judgement = judge(
    // No retention ends within an hour.
    judgeGrowth(
      samples.map(({ sizes }) => ({ day: 0, sizes })),
      KEPT_DAYS,
    ),
    parts.map((part) => part.samples.map(({ memoryMb }) => memoryMb)),
  );
  const failures = samples.flatMap(({ others }) => others);
  return {
    isFlat: judgement.isFlat && failures.length === 0,
    text: [
      `**${samples.length} minutes at ${SHARE * 100} % of the capacity.** Merchant accounts authorise payments, each with an endpoint for ` +
        `webhooks and ${SOCKETS_EACH} subscribers. Each slice has a new process on the same database. The capacity of the slices is ` +
        `${capacities} payments a second.`,
      table([
        [
          ...['slice', 'minute', 'payments a second', 'p50 in ms', 'p99 in ms', 'refused', 'failed'],
          ...['memory in MB', 'payments', 'kB a payment', 'dead rows'],
        ],
        ...thinned(samples).map((each) => [
          ...[String(each.part), String(each.minute), each.perSecond.toFixed(1)],
          ...[each.p50.toFixed(1), each.p99.toFixed(1), String(each.refused), String(each.others.length)],
          ...[each.memoryMb.toFixed(0), String(paymentsOf(each.sizes)), kbEach(each.sizes)],
          String(each.sizes.dead),
        ]),
      ]),
      ...(failures.length === 0
        ? []
        : [`**${failures.length} payments failed.** The first: \`${failures[0]}\``]),
      judgement.text,
    ].join('\n\n'),
  };
}

/** Describes the days of the service's own clock. */
export function describeDays(parts: readonly DaysPart[]): Report {
  const days = parts.flatMap((part) => part.days);
  const judgement = judge(
    judgeGrowth(days, KEPT_DAYS),
    parts.map((part) => part.days.map(({ memoryMb }) => memoryMb)),
  );
  return {
    isFlat: judgement.isFlat,
    text: [
      `**${days.length} days of the service's clock.** Each day has ${PAYMENTS} payments that are authorised and captured, with a ` +
        `webhook for each event. Events are kept for ${RETENTION_DAYS} days, and idempotency keys for ${KEY_DAYS}.`,
      table([
        ['day', 'payments', 'events', 'keys', 'MB', 'kB a payment', 'memory in MB'],
        ...thinned(days).map(({ day, sizes, memoryMb }) => [
          ...[String(day), String(paymentsOf(sizes))],
          ...['event', 'idempotency_key'].map((name) => String(sizes.rows[name])),
          ...[(bytesOf(sizes) / 1e6).toFixed(1), kbEach(sizes), memoryMb.toFixed(0)],
        ]),
      ]),
      judgement.text,
    ].join('\n\n'),
  };
}

const KEPT_DAYS = {
  events: RETENTION_DAYS,
  keys: KEY_DAYS,
  audit: parseConfig({}).PAYGRAPH_AUDIT_RETENTION_DAYS ?? Infinity,
};

const kbEach = (sizes: Sizes): string => (bytesOf(sizes) / paymentsOf(sizes) / 1e3).toFixed(2);

/** Leaves about so many rows, and always the last. */
function thinned<Row>(rows: readonly Row[]): readonly Row[] {
  const every = Math.ceil(rows.length / ROWS);
  return rows.filter((_, nth) => (rows.length - 1 - nth) % every === 0);
}

/** Says in sentences whether all is flat, and otherwise which tables, indexes or processes grow. */
function judge(
  { growths, compared, tooEarly }: Judgement,
  processes: readonly (readonly number[])[],
): Report {
  const memory = processes.map(judgeMemory);
  const isFlat = growths.length === 0 && memory.every((each) => each?.isFlat ?? true);
  const text = [
    `**Flat: ${isFlat ? 'yes' : 'no'}.** ${compared} tables and indexes are compared half way and at the end. Rows may grow with the ` +
      'payments until they expire, and the space with the rows, each by a fifth more. The memory of a process may grow by a tenth ' +
      'from its middle third to its last.',
    ...growths.map(
      ({ what, from, to, allowed }) =>
        `- The ${what} grow from ${format(from)} to ${format(to)}. Flat is up to ${format(allowed)}.`,
    ),
    ...memory.map(
      (each, nth) =>
        `- The memory of process ${nth + 1} ${each ? wordsOf(each) : 'is not judged this early'}.`,
    ),
    ...(tooEarly.length === 0 ? [] : [`- Too early to judge: ${tooEarly.join(', ')}.`]),
  ];
  return { isFlat, text: `${text[0]}\n\n${text.slice(1).join('\n')}` };
}

const wordsOf = ({ middleMb, lastMb, isFlat }: MemoryGrowth): string =>
  `${isFlat ? 'is flat' : 'grows'}: ${format(middleMb)} MB, then ${format(lastMb)} MB`;

const format = (size: number): string => Math.round(size).toLocaleString('en');
