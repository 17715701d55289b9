import { readRows, type LineOrWhole } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { PaymentMethod } from '../model/payment-method.ts';
import { PAYMENT_METHOD_COLUMNS } from './payment-method-columns.ts';
import { isAmong, prepare } from '../../../platform/database/statement.ts';

/** Limit for the payment methods that one buyer returns. */
export const PER_BUYER_MAX = 50;

/** Sort fields of a buyer's payment methods, highest value first. */
export type BuyerSort =
  | 'created_at'
  | 'last_used_at'
  | 'usage_count'
  | 'cit_last_used_at'
  | 'cit_usage_count';

/**
 * Returns the first payment methods of each buyer by a sort field, then by newest. Unused payment methods come
 * last.
 */
export async function readOfBuyers(
  db: Db,
  merchantAccountId: string,
  buyerIds: readonly string[],
  { sort, columns, limit }: OfBuyers & { readonly limit: number },
): Promise<readonly PaymentMethod[]> {
  const statement = ofBuyers[columns][sort]({ account: merchantAccountId, buyers: buyerIds, limit });
  return await readRows(db, statement, PAYMENT_METHOD_COLUMNS[columns]);
}

/** The order and the columns of a buyer's payment methods. */
export type OfBuyers = { readonly sort: BuyerSort; readonly columns: LineOrWhole };

const ORDERS = {
  created_at: 'p.id DESC',
  last_used_at: 'p.last_used_at DESC NULLS LAST, p.id DESC',
  usage_count: 'p.usage_count DESC, p.id DESC',
  cit_last_used_at: 'p.cit_last_used_at DESC NULLS LAST, p.id DESC',
  cit_usage_count: 'p.cit_usage_count DESC, p.id DESC',
} as const satisfies Record<BuyerSort, string>;

const ofBuyersBy = (sort: BuyerSort, columns: LineOrWhole) =>
  prepare(
    `payment_methods_of_buyers_by_${sort}_${columns}`,
    `SELECT ${PAYMENT_METHOD_COLUMNS[columns].select('p')} FROM (
       SELECT p.*, row_number() OVER (PARTITION BY p.buyer_id ORDER BY ${ORDERS[sort]}) AS place
       FROM payment_method p
       WHERE p.merchant_account_id = @account AND ${isAmong('p.buyer_id', '@buyers::uuid[]')} AND p.deleted_at IS NULL) p
     WHERE place <= @limit ORDER BY p.buyer_id, place`,
  );

const ofBuyersIn = (columns: LineOrWhole) => ({
  created_at: ofBuyersBy('created_at', columns),
  last_used_at: ofBuyersBy('last_used_at', columns),
  usage_count: ofBuyersBy('usage_count', columns),
  cit_last_used_at: ofBuyersBy('cit_last_used_at', columns),
  cit_usage_count: ofBuyersBy('cit_usage_count', columns),
});

const ofBuyers = { line: ofBuyersIn('line'), whole: ofBuyersIn('whole') };
