import type { Db } from '../../platform/database/db.ts';
import { prepare } from '../../platform/database/statement.ts';
import { binIn, countIn, sizeOf } from './projection/bins.sql.ts';
import type { Buckets } from './buckets.ts';
import { chosenFrom, LINE, type Asked } from './report.sql.ts';

/** The shares of the percentiles. */
export const SHARES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99 } as const;

const percentiles = Object.entries(SHARES).map(
  ([name, share]) => `min(size) FILTER (WHERE upto >= ${share} * total) AS ${name}`,
);

const statement = prepare(
  'report_spreads',
  // The line of each bucket is known before the bins are unpacked, because a bucket has many bins.
  `WITH chosen AS MATERIALIZED (
    SELECT ${LINE}, r.sign, b.amount_bins, b.answer_bins FROM ${chosenFrom('report_histogram')}),
  element AS (
    SELECT c.span, c.value, c.currency, c.sign, 'amount' AS kind, unnest(c.amount_bins) AS e FROM chosen c
    UNION ALL
    SELECT c.span, c.value, c.currency, c.sign, 'answer', unnest(c.answer_bins) FROM chosen c),
  bin AS (
    SELECT span, value, currency, kind, ${binIn('e')} AS bin, sum(sign * ${countIn('e')})::float8 AS count
    FROM element GROUP BY 1, 2, 3, 4, 5 HAVING sum(sign * ${countIn('e')}) <> 0),
  ranked AS (
    SELECT *, ${sizeOf('bin')} AS size,
      sum(count) OVER (PARTITION BY span, value, currency, kind ORDER BY bin) AS upto,
      sum(count) OVER (PARTITION BY span, value, currency, kind) AS total
    FROM bin)
  SELECT span, value, currency, kind, sum(count) AS count, sum(count * size) / sum(count) AS average, ${percentiles.join(', ')}
  FROM ranked GROUP BY 1, 2, 3, 4`,
);

/** The percentiles of sizes, each by nearest rank. At most 1 % and half a unit from the size of that rank. */
export type Percentiles = Readonly<Record<keyof typeof SHARES, number>>;

/** The number of sizes, their average and their percentiles. */
export type Spread = Percentiles & { readonly count: number; readonly average: number };

export type SpreadRow = Spread & {
  /** The number of the interval. */
  readonly span: number;
  readonly value: string | null;
  readonly currency: string;
  readonly kind: 'amount' | 'answer';
};

/** Reads the spreads of authorised amounts and of answer times, by the lines of a report. */
export const readSpreads = (db: Db, asked: Asked, buckets: Buckets): Promise<readonly SpreadRow[]> => {
  const { limit: _, ...given } = asked;
  return db.query<SpreadRow>(statement({ ...given, ...buckets }));
};
