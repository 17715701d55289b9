import { median } from '../statistics.ts';
import { LIFETIMES, type Lifetime } from './lifetimes.ts';
import { paymentsOf, type Relation, type Sizes } from './sizes.ts';

/** A relation may grow by a fifth. Indexes split unevenly, and a vacuum comes when a fifth of a table has changed. */
const SHARE = 1.2;

/** Less growth than this shows nothing. Small tables grow by some pages, and the statistics of Postgres by rows. */
const FLOOR = { bytes: 1_000_000, rows: 1_000 } as const;

/** The sizes at one moment of a soak. The time is that of the service's clock. */
export type Moment = { readonly day: number; readonly sizes: Sizes };

/** The days for which rows are kept. */
export type Kept = Readonly<Record<Exclude<Lifetime, 'ever'>, number>>;

/** A growth that the payments don't explain. */
export type Growth = {
  /** For example "rows of `delivery`", or "bytes of `delivery_pkey`". */
  readonly what: string;
  readonly from: number;
  readonly to: number;
  /** The size at which the relation is flat. */
  readonly allowed: number;
};

export type Judgement = {
  readonly growths: readonly Growth[];
  /** The number of tables and indexes that were compared. */
  readonly compared: number;
  /** The tables that no two moments can compare yet. */
  readonly tooEarly: readonly string[];
};

/**
 * Compares the last moment with an earlier one, half way through. Rows that stay, and rows that are too young to go, may grow
 * with the payments. All others may not grow. No relation may grow faster than the rows of its table.
 */
export function judgeGrowth(moments: readonly Moment[], kept: Kept): Judgement {
  const last = moments.at(-1);
  const judged = (last?.sizes.relations ?? []).map((relation) => ({
    relation,
    growths: last ? growthsOf(relation, { moments, last, kept }) : null,
  }));
  return {
    growths: judged.flatMap(({ growths }) => growths ?? []),
    compared: judged.filter(({ growths }) => growths !== null).length,
    tooEarly: [
      ...new Set(judged.filter(({ growths }) => growths === null).map((each) => each.relation.table)),
    ],
  };
}

type Soak = { readonly moments: readonly Moment[]; readonly last: Moment; readonly kept: Kept };

/** Returns null if no earlier moment compares with the last one. */
function growthsOf({ name, table }: Relation, { moments, last, kept }: Soak): readonly Growth[] | null {
  const lifetime = LIFETIMES[table];
  const fullDay = lifetime === undefined ? 0 : lifetime === 'ever' ? Infinity : kept[lifetime] + 1;
  const isFull = last.day >= fullDay;
  const from = halfWay(moments.filter(({ day }) => !isFull || day >= fullDay));
  if (from === undefined || from === last) return null;
  const [payments, rows] = [ratio(from, last, paymentsOf), ratio(from, last, rowsOf(table))];
  const growth = (unit: 'rows' | 'bytes', size: (moment: Moment) => number, by: number): Growth[] => {
    const [before, after] = [size(from), size(last)];
    const allowed = before * by * SHARE + FLOOR[unit];
    const what = `${unit} of \`${name}\``;
    return after > allowed ? [{ what, from: before, to: after, allowed }] : [];
  };
  return [
    ...(name === table ? growth('rows', ({ sizes }) => rowsOf(table)(sizes), isFull ? 1 : payments) : []),
    ...growth('bytes', ({ sizes }) => bytesOf(sizes, name), Math.max(1, rows)),
  ];
}

/** The moment half way, so that caches and free space have filled before. */
const halfWay = (moments: readonly Moment[]): Moment | undefined =>
  moments[Math.floor((moments.length - 1) / 2)];

const rowsOf =
  (table: string) =>
  ({ rows }: Sizes): number =>
    rows[table] ?? 0;

const bytesOf = ({ relations }: Sizes, name: string): number =>
  relations.find((each) => each.name === name)?.bytes ?? 0;

function ratio(from: Moment, to: Moment, size: (sizes: Sizes) => number): number {
  const before = size(from.sizes);
  return before === 0 ? 1 : size(to.sizes) / before;
}

/**
 * The median memory of the middle third and of the last third of a process's life, in MB. The least is no measure, because the
 * memory falls at times by a quarter, and rises again at once.
 */
export type MemoryGrowth = { readonly middleMb: number; readonly lastMb: number; readonly isFlat: boolean };

/** Memory may grow by a tenth from the middle third to the last. */
const MEMORY_SHARE = 1.1;

/** Fewer samples show only how a process warms up. */
const SAMPLES_MIN = 6;

/** Judges the memory of one process. Null if it is too early. */
export function judgeMemory(samples: readonly number[]): MemoryGrowth | null {
  if (samples.length < SAMPLES_MIN) return null;
  const third = Math.floor(samples.length / 3);
  const middleMb = median(samples.slice(third, -third));
  const lastMb = median(samples.slice(-third));
  return { middleMb, lastMb, isFlat: lastMb <= middleMb * MEMORY_SHARE };
}
