import { query } from '../../support/database.ts';
import { makeSums } from '../reports/rows.ts';
import {
  ACCOUNTS,
  makeManyRows,
  serviceId,
  storedId,
  withoutIndexes,
  WITHOUT_TRIGGERS,
} from '../../transactions/many-rows.ts';

/** The merchant account that every side reads. It has 60 % of the rows. */
export const READER = ACCOUNTS[0];

/**
 * Makes transactions of five accounts. The reader's account also has captures, some refunds, ten buyers and sums of a year. Each
 * buyer and each of two payment services has more than a page of transactions.
 */
export async function makeRows(url: string, rows: number): Promise<void> {
  await makeManyRows(url, rows, { buyer: buyer('3 + i / 2 % 10'), service: '1 + (i % 20) / 19' });
  await query(url, [WITHOUT_TRIGGERS, withoutIndexes('operation', OPERATIONS), BUYERS].join(';\n'));
  await makeSums(url, rows);
  await query(url, 'VACUUM ANALYZE');
}

/** Returns the id of one of the ten buyers, which have the numbers 3 to 12. SQL. */
const buyer = (number: string): string => `'${storedId('buyer', 1).slice(0, -1)}' || to_hex(${number})`;

/** Every transaction has a capture. Every third has two refunds. */
const OPERATIONS = `
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, status, amount, currency, sent_at,
    settled_at, created_at, updated_at)
  SELECT t.merchant_account_id, uuidv7(), t.id, '${serviceId(1)}', o.kind, 'succeeded', t.amount / o.part, t.currency,
    t.created_at, t.created_at, t.created_at, t.created_at
  FROM transaction t CROSS JOIN (VALUES ('capture', 1, 1), ('refund', 4, 3), ('refund', 5, 3)) o (kind, part, every)
  WHERE t.merchant_account_id = '${READER}' AND t.amount % o.every = 0`;

const BUYERS = `
  INSERT INTO buyer (merchant_account_id, id, display_name, created_at, updated_at)
  SELECT '${READER}', (${buyer('b')})::uuid, 'Buyer ' || b, now(), now() FROM generate_series(3, 12) b`;
