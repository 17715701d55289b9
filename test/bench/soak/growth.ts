import { LIFETIMES, type Lifetime } from './lifetimes.ts';
import { paymentsOf, type Relation, type Sizes } from './sizes.ts';

/** A relation may grow by a fifth. Indexes split unevenly, and a vacuum comes when a fifth of a table has changed. */
const SHARE = 1.2;

/** Less growth than this shows nothing. Small tables grow by some pages, and sums of a quarter of an hour by rows. */
const FLOOR = { bytes: 1_000_000, rows: 1_000 } as const;

/** A table whose rows don't come with payments may grow by so many. */
export const OTHER_ROWS = 50;

/** The sizes at one moment of a soak. The time is that of the service's clock. */
export type Moment = { readonly day: number; readonly sizes: Sizes };

/** The days for which rows are kept, and the rows of a partition, which go together. */
export type Kept = Readonly<Record<Exclude<Lifetime, 'ever'>, number>> & { readonly partition: number };

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
 * with the payments. Rows that go are as many as come in their time, within one day or partition. All others may grow with the
 * merchant accounts alone. No relation may grow faster than the rows of its table.
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
  const rows = rowsOf(table);
  const allowedRows = isFull && lifetime ? mostRows(table, { moments, kept }) : null;
  if (isFull && lifetime && allowedRows === null) return null;
  const grown = (unit: 'rows' | 'bytes', size: (moment: Moment) => number, allowed: number): Growth[] =>
    size(last) > allowed
      ? [{ what: `${unit} of \`${name}\``, from: size(from), to: size(last), allowed }]
      : [];
  const byPayments = rows(from.sizes) * ratio(from, last, paymentsOf) * SHARE + FLOOR.rows;
  const byAccounts =
    rows(from.sizes) * Math.max(1, ratio(from, last, rowsOf('merchant_account'))) + OTHER_ROWS;
  const bytes = ({ sizes }: Moment): number => bytesOf(sizes, name);
  return [
    ...(name === table
      ? grown('rows', ({ sizes }) => rows(sizes), allowedRows ?? (lifetime ? byPayments : byAccounts))
      : []),
    ...grown('bytes', bytes, bytes(from) * Math.max(1, ratio(from, last, rows)) * SHARE + FLOOR.bytes),
  ];
}

/** Returns the most rows of a table whose rows go as they come. Null if no two moments tell the rows of a day. */
function mostRows(table: string, { moments, kept }: Omit<Soak, 'last'>): number | null {
  const lifetime = LIFETIMES[table];
  const days = lifetime === undefined || lifetime === 'ever' ? Infinity : kept[lifetime];
  // On the last day, the first rows may be gone already.
  const young = moments.filter(({ day }) => day < days);
  const [first, end] = [young[0], young.at(-1)];
  if (!first || !end || first.day === end.day) return null;
  const rows = rowsOf(table);
  const perDay = (rows(end.sizes) - rows(first.sizes)) / (end.day - first.day);
  const atOnce = lifetime === 'events' ? Math.max(perDay, kept.partition) : perDay;
  return Math.ceil(perDay * days + atOnce);
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
