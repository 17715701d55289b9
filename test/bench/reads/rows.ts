import { query } from '../../support/database.ts';
import { makeSums } from '../reports/rows.ts';
import { ACCOUNTS, makeManyRows, serviceId, storedId } from '../../transactions/many-rows.ts';

/** The merchant account that every side reads. It has 60 % of the rows. */
export const READER = ACCOUNTS[0];

/** Makes transactions of five accounts. The reader's account also has captures, some refunds, ten buyers and sums of a year. */
export async function makeRows(url: string, rows: number): Promise<void> {
  await makeManyRows(url, rows);
  await query(url, [OPERATIONS, BUYERS].join(';\n'));
  await makeSums(url, rows);
  await query(url, 'VACUUM ANALYZE');
}

/** Every transaction has a capture. Every third has two refunds. */
const OPERATIONS = `
  SET session_replication_role = replica;
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, status, amount, currency, sent_at,
    settled_at, created_at, updated_at)
  SELECT t.merchant_account_id, uuidv7(), t.id, '${serviceId(1)}', o.kind, 'succeeded', t.amount / o.part, t.currency,
    t.created_at, t.created_at, t.created_at, t.created_at
  FROM transaction t CROSS JOIN (VALUES ('capture', 1, 1), ('refund', 4, 3), ('refund', 5, 3)) o (kind, part, every)
  WHERE t.merchant_account_id = '${READER}' AND t.amount % o.every = 0`;

/** Ten buyers share the transactions of the first buyer. */
const BUYERS = `
  INSERT INTO buyer (merchant_account_id, id, display_name, created_at, updated_at)
  SELECT '${READER}', ('${storedId('buyer', 1).slice(0, -1)}' || to_hex(b))::uuid, 'Buyer ' || b, now(), now() FROM generate_series(3, 12) b;
  UPDATE transaction SET buyer_id = ('${storedId('buyer', 1).slice(0, -1)}' || to_hex(3 + amount % 10))::uuid
  WHERE merchant_account_id = '${READER}' AND buyer_id = '${storedId('buyer', 1)}'`;
