import { readRows } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import type { PaymentMethod } from '../model/payment-method.ts';
import { PAYMENT_METHOD_COLUMNS } from './payment-method-columns.ts';
import { PER_BUYER_MAX, type BuyerSort } from './payment-methods-of-buyers.ts';

/** The order of the payment methods of one buyer. */
export type BuyerOrder = { readonly sortBy: BuyerSort; readonly orderBy: 'asc' | 'desc' };

/**
 * Reads the first payment methods of one buyer, except those of another country or currency. Among equals, `desc` puts the
 * newest first and unused ones last. `asc` is the reverse order.
 */
export async function readOfBuyer(
  db: Db,
  account: string,
  buyer: string,
  { sortBy, orderBy, country, currency }: BuyerOrder & Terms,
): Promise<readonly PaymentMethod[]> {
  const order = { sort: sortBy, sign: orderBy === 'asc' ? 1 : -1, limit: PER_BUYER_MAX };
  const statement = ofBuyer({ account, buyer, country, currency, ...order });
  return await readRows(db, statement, PAYMENT_METHOD_COLUMNS.whole);
}

type Terms = { readonly country: string | null; readonly currency: string | null };

// A buyer has few payment methods, so all of them are sorted whatever the order.
const ofBuyer = prepare(
  'payment_methods_of_buyer',
  `SELECT ${PAYMENT_METHOD_COLUMNS.whole.select('p')} FROM (
     SELECT p.*, row_number() OVER (ORDER BY CASE @sort::text
       WHEN 'last_used_at' THEN coalesce(extract(epoch FROM p.last_used_at), -1)
       WHEN 'usage_count' THEN p.usage_count
       WHEN 'cit_last_used_at' THEN coalesce(extract(epoch FROM p.cit_last_used_at), -1)
       WHEN 'cit_usage_count' THEN p.cit_usage_count
       ELSE 0 END, p.id) AS place
     FROM payment_method p
     WHERE p.merchant_account_id = @account AND p.buyer_id = @buyer::uuid AND p.deleted_at IS NULL
       AND coalesce(p.country = @country::text, true) AND coalesce(p.currency = @currency::text, true)) p
   ORDER BY place * @sign::int LIMIT @limit`,
);
