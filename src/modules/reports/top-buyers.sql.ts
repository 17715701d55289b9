import type { Db } from '../../platform/database/db.ts';
import { prepareFile } from '../../platform/database/statement.ts';

/** The lengths of the sums of buyers. All begin at midnight in UTC. */
export const BUYER_PERIODS = ['day', 'month', 'year'] as const;
export type BuyerPeriod = (typeof BUYER_PERIODS)[number];

/** The columns that name a sum of a buyer. */
export const BUYER_KEYS = ['merchant_account_id', 'grain', 'starts_at', 'currency', 'buyer_id'] as const;

/** The captures of each stored buyer, from the rows with the name `fact`. */
export const BOUGHT = `
  bought AS (
    SELECT f.merchant_account_id, g.grain, g.starts_at, f.currency, f.buyer_id, sum(f.count)::bigint AS captured_count,
      sum(f.amount)::bigint AS captured_amount
    FROM fact f CROSS JOIN LATERAL (VALUES ${BUYER_PERIODS.map(
      (period) => `('${period}', date_trunc('${period}', f.created_at, 'UTC'))`,
    ).join(', ')}) AS g (grain, starts_at)
    WHERE f.buyer_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5)`;

/** The columns of `bought`, as the table has them. */
export const BUYER_COLUMNS = [...BUYER_KEYS, 'captured_count', 'captured_amount'].join(', ');

const statement = prepareFile(import.meta, 'report-top-buyers.sql');

type Asked = {
  readonly account: string;
  readonly period: BuyerPeriod;
  readonly at: Date;
  readonly currency: string;
  readonly first: number;
};

type Row = { readonly buyer_id: string; readonly captured_count: string; readonly captured_amount: string };

/** Reads the buyers with the largest sums of a period, along an index by the sum. */
export const readTopBuyers = (db: Db, asked: Asked): Promise<readonly Row[]> =>
  db.query<Row>(statement(asked));
