import { KEY_DAYS } from '../../../src/modules/idempotency/index.ts';
import { parseConfig } from '../../../src/platform/process/config.ts';
import { table } from '../results.ts';
import { PARTITION, RETENTION_DAYS, type DaysPart } from './days.ts';
import { judgeGrowth, OTHER_ROWS, type Judgement } from './growth.ts';
import { SHARE, SOCKETS_EACH, type LoadPart, type Sample } from './load.ts';
import {
  biggerProcesses,
  judgeMemory,
  type Held,
  type MemoryGrowth,
  type Permitted,
} from './memory-growth.ts';
import { bytesOf, paymentsOf, type Sizes } from './sizes.ts';
import { verdictOf, type Verdict } from './verdict.ts';

/** The figures of a soak in Markdown, and the judgement. */
export type Report = { readonly text: string; readonly verdict: Verdict };

/** A table of the report has about so many rows. */
const ROWS = 12;

/** A slice whose processes authorised less than this share of the wanted payments shows nothing. */
const HELD_MIN = 0.9;

type Minute = Sample & { readonly part: number; readonly minute: number };

/** Describes the slices under load. */
export function describeLoad(parts: readonly LoadPart[]): Report {
  const minutes = parts.flatMap(({ samples }, part) =>
    samples.map((sample, nth): Minute => ({ ...sample, part: part + 1, minute: nth + 1 })),
  );
  const judgement = judge(
    // No retention ends within an hour.
    judgeGrowth(
      minutes.map(({ sizes }) => ({ day: 0, sizes })),
      KEPT_DAYS,
    ),
    {
      unit: 'hour',
      permitted: { share: 0.01, samplesMin: 9 },
      processes: parts.map(({ samples }) =>
        samples.map(({ atHours, memoryMb }) => ({ at: atHours, mb: memoryMb })),
      ),
    },
  );
  const failed = minutes.filter(({ others }) => others.length > 0);
  const held = parts.map(heldOf);
  const isAllHeld = held.every((share) => share >= HELD_MIN);
  return {
    verdict:
      failed.length > 0 ? 'no' : judgement.verdict === 'yes' && !isAllHeld ? 'too early' : judgement.verdict,
    text: [
      `**${minutes.length} minutes at ${SHARE * 100} % of the capacity.** Merchant accounts authorise payments, each with an endpoint for ` +
        `webhooks and ${SOCKETS_EACH} subscribers. Each slice has a new process on the same database. Refused and failed payments are ` +
        'those since the row before.',
      tableOf(minutes),
      ...parts.map(({ capacity }, nth) => {
        const share = held[nth] ?? 0;
        const isHeld =
          share >= HELD_MIN ? 'was held' : 'was **not held**, so other figures of the slice show little';
        return `The capacity of slice ${nth + 1} is ${capacity.toFixed(0)} payments a second. The load ${isHeld}: ${format(share * 100)} %.`;
      }),
      ...failed.map(
        ({ part, minute, others }) =>
          `**${others.length} payments failed** in minute ${minute} of slice ${part}. The first: \`${others[0]}\``,
      ),
      judgement.text,
    ].join('\n\n'),
  };
}

/** Returns the share of the wanted payments that were authorised. */
const heldOf = ({ capacity, samples }: LoadPart): number =>
  samples.reduce((sum, { perSecond }) => sum + perSecond, 0) / samples.length / (capacity * SHARE);

const tableOf = (minutes: readonly Minute[]): string =>
  table([
    [
      ...['slice', 'minute', 'payments a second', 'p50 in ms', 'p99 in ms', 'refused', 'failed'],
      ...['memory in MB', 'payments', 'kB a payment', 'dead rows'],
    ],
    ...grouped(minutes).map(([last, group]) => [
      ...[String(last.part), String(last.minute), last.perSecond.toFixed(1)],
      ...[last.p50, last.p99].map((ms) => ms?.toFixed(1) ?? 'none'),
      String(group.reduce((sum, { refused }) => sum + refused, 0)),
      String(group.reduce((sum, { others }) => sum + others.length, 0)),
      ...[last.memoryMb.toFixed(0), String(paymentsOf(last.sizes)), kbEach(last.sizes)],
      String(last.sizes.dead),
    ]),
  ]);

/** Describes the days of the service's own clock. */
export function describeDays(parts: readonly DaysPart[]): Report {
  const days = parts.flatMap((part) => part.days);
  const perDay = days[0] ? paymentsOf(days[0].sizes) : 0;
  const judgement = judge(judgeGrowth(days, KEPT_DAYS), {
    unit: 'day',
    // A day takes seconds, and has few payments.
    permitted: { share: 0.001, samplesMin: 30 },
    processes: parts.map((part) => part.days.map(({ day, memoryMb }) => ({ at: day, mb: memoryMb }))),
  });
  return {
    verdict: judgement.verdict,
    text: [
      `**${days.length} days of the service's clock.** Each day has ${perDay} payments that are authorised and captured, with a ` +
        `webhook for each event. Events are kept for ${RETENTION_DAYS} days, and idempotency keys for ${KEY_DAYS}.`,
      table([
        ['day', 'payments', 'events', 'keys', 'MB', 'kB a payment', 'memory in MB'],
        ...grouped(days).map(([{ day, sizes, memoryMb }]) => [
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
  partition: PARTITION,
};

const kbEach = (sizes: Sizes): string => (bytesOf(sizes) / paymentsOf(sizes) / 1e3).toFixed(2);

/** Groups rows, so that about so many are left. Each group has its last row in front. */
function grouped<Row>(rows: readonly Row[]): readonly (readonly [last: Row, group: readonly Row[]])[] {
  const every = Math.ceil(rows.length / ROWS);
  return rows.flatMap((last, nth) =>
    (rows.length - 1 - nth) % every === 0
      ? [[last, rows.slice(Math.max(0, nth + 1 - every), nth + 1)] as const]
      : [],
  );
}

/** The memory of each process, and the growth that it may have. */
type Memory = {
  readonly unit: 'hour' | 'day';
  readonly permitted: Permitted;
  readonly processes: readonly (readonly Held[])[];
};

/** Says in sentences whether all is flat, and otherwise which tables, indexes or processes grow. */
function judge(judgement: Judgement, { unit, permitted, processes }: Memory): Report {
  const { growths, compared, tooEarly } = judgement;
  const memory = processes.map((samples) => judgeMemory(samples, permitted));
  const bigger = biggerProcesses(memory);
  const verdict = verdictOf(judgement, memory);
  const text = [
    `**Flat: ${verdict}.** ${compared} tables and indexes are compared half way and at the end. Rows may grow with the ` +
      'payments until they expire, and the space with the rows, each by a fifth more. Rows that expire are as many as come in ' +
      `their time, within one day or partition. The memory of a process may grow by ${format(permitted.share * 100)} % ${EACH[unit]}, ` +
      'besides the noise.',
    ...growths.map(
      ({ what, from, to, allowed }) =>
        `- The ${what} grow from ${format(from)} to ${format(to)}. Flat is up to ${format(allowed)}.`,
    ),
    ...memory.map((each, nth) => `- The memory of process ${nth + 1} ${wordsOf(each, EACH[unit])}.`),
    ...bigger.map((nth) => `- Process ${nth} ends with a tenth more memory than the first.`),
    ...(tooEarly.length === 0 ? [] : [`- Too early to judge: ${tooEarly.join(', ')}.`]),
    `- A table whose rows come with no payment shows a growth above ${OTHER_ROWS} rows from half way to the end.`,
  ];
  return { verdict, text: `${text[0]}\n\n${text.slice(1).join('\n')}` };
}

const EACH = { hour: 'an hour', day: 'a day' } as const;

function wordsOf(growth: MemoryGrowth | null, each: string): string {
  if (growth === null) return 'is not judged, because the samples are too few or too uneven';
  const { rate, leastSeen, lastMb, isFlat } = growth;
  return (
    `${isFlat ? 'is flat' : 'grows'}: by ${format(rate)} MB ${each}, and ${format(lastMb)} MB in the last third. ` +
    `The smallest leak to be seen is ${format(leastSeen)} MB ${each}`
  );
}

const format = (size: number): string =>
  size.toLocaleString('en', { maximumFractionDigits: Math.abs(size) < 10 ? 1 : 0 });
