import { GRAINS } from '../../../src/modules/reports/cover.ts';
import { QUARTER_MS } from '../../../src/modules/reports/interval.ts';
import { query } from '../../support/database.ts';

/** The merchant account that the bench reads. */
export const READER = 'account-1';

/** The year that has sums. */
export const YEAR = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' } as const;

/** The quarters of an hour of the year. */
const QUARTERS = 365 * 96;

/**
 * Fills a migrated database that has no sums with the sums of so many payments in a year. The payments have three currencies and
 * four payment services. Each quarter of an hour has some.
 */
export async function makeSums(url: string, payments: number): Promise<void> {
  await query(url, quarters(payments));
  for (const { grain, lengthMs } of GRAINS.filter((each) => each.grain !== 'quarter')) {
    const start = `date_bin('${lengthMs / 60_000} minutes', starts_at, '2000-01-01Z')`;
    await query(url, rollUp(grain, start));
  }
  for (const { grain, lengthMs } of GRAINS) await query(url, bins(grain, lengthMs / QUARTER_MS));
  await query(url, 'VACUUM ANALYZE');
}

/** The dimensions with the number of their values. */
const VALUES = { all: 1, payment_service: 4 } as const;

const quarters = (payments: number): string => `
  CREATE TEMP TABLE line AS
  SELECT d.dimension, CASE d.dimension WHEN 'all' THEN '' ELSE d.dimension || v END AS value, c.currency,
    ${payments} / ${QUARTERS}.0 * c.share / d.count AS payments
  FROM (VALUES ${Object.entries(VALUES)
    .map(([dimension, count]) => `('${dimension}', ${count})`)
    .join(', ')}) AS d (dimension, count)
  CROSS JOIN LATERAL generate_series(1, d.count) AS v
  CROSS JOIN (VALUES ('EUR', 0.6), ('USD', 0.3), ('GBP', 0.1)) AS c (currency, share);
  INSERT INTO merchant_account (id, display_name, created_at, updated_at) VALUES ('${READER}', 'x', now(), now())
    ON CONFLICT DO NOTHING;
  INSERT INTO report_bucket (merchant_account_id, dimension, grain, starts_at, value, currency, created_count, created_amount,
    authorized_count, authorized_amount, captured_count, captured_amount, refunded_count, refunded_amount, voided_count, voided_amount,
    declined_count, declined_amount)
  SELECT '${READER}', l.dimension, 'quarter', s.starts_at, l.value, l.currency, n, n * 4999, n - n / 10, (n - n / 10) * 4999,
    n - n / 5, (n - n / 5) * 4999, n / 20, n / 20 * 1999, n / 50, n / 50 * 4999, n / 10, n / 10 * 4999
  FROM line l CROSS JOIN LATERAL (
    SELECT timestamptz '${YEAR.from}' + i * interval '15 minutes' AS starts_at, greatest(1, l.payments * (0.5 + i % 96 / 96.0))::int AS n
    FROM generate_series(0, ${QUARTERS} - 1) AS i) AS s`;

const SUMS = ['created', 'authorized', 'captured', 'refunded', 'voided', 'declined'].flatMap((measure) => [
  `${measure}_count`,
  `${measure}_amount`,
]);

const rollUp = (grain: string, start: string): string => `
  INSERT INTO report_bucket (merchant_account_id, dimension, grain, starts_at, value, currency, ${SUMS.join(', ')})
  SELECT merchant_account_id, dimension, '${grain}', ${start}, value, currency, ${SUMS.map((sum) => `sum(${sum})`).join(', ')}
  FROM report_bucket WHERE grain = 'quarter' GROUP BY 1, 2, 4, 5, 6`;

/** Sixty bins of amounts and sixty of answer times, for the sums of all payments. */
const bins = (grain: string, count: number): string => `
  INSERT INTO report_histogram (merchant_account_id, dimension, grain, starts_at, value, currency, amount_bins, answer_bins)
  SELECT merchant_account_id, dimension, grain, starts_at, value, currency,
    (SELECT array_agg(((300 + e * 3)::bigint << 32) + ${count} ORDER BY e) FROM generate_series(1, 60) AS e),
    (SELECT array_agg(((250 + e)::bigint << 32) + ${count} ORDER BY e) FROM generate_series(1, 60) AS e)
  FROM report_bucket WHERE dimension = 'all' AND grain = '${grain}'`;
