import type { PageRequest } from '../../../kernel/page.ts';
import { readRows, type LineOrWhole } from '../../../platform/column-set.ts';
import type { Db } from '../../../platform/db.ts';
import type { PaymentMethodFilter } from '../model/filter.ts';
import type { PaymentMethod } from '../model/payment-method.ts';
import { PAYMENT_METHOD_COLUMNS } from './payment-method-columns.ts';
import { prepare, type Statement } from '../../../platform/statement.ts';

/** Conditions of a list of payment methods. Null matches every value. The buyer is given by id. */
export type PaymentMethodConditions = Omit<PaymentMethodFilter, 'buyerExternalIdentifier'>;

/**
 * Reads a page with one row more than requested, newest first, or oldest first if backward. A cursor must be a
 * UUID.
 */
export const readPaymentMethodPage = (
  db: Db,
  merchantAccountId: string,
  page: PageRequest,
  read: PaymentMethodsRead,
): Promise<readonly PaymentMethod[]> =>
  readRows(db, listStatement(merchantAccountId, page, read), PAYMENT_METHOD_COLUMNS[read.columns]);

/** The payment methods to read, and their columns. */
export type PaymentMethodsRead = {
  readonly conditions: PaymentMethodConditions;
  readonly columns: LineOrWhole;
};

/**
 * Builds the statement of a page from the given filters only. A condition that accepts null would keep the
 * planner from every index.
 */
export function listStatement(
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  { conditions, columns }: PaymentMethodsRead,
): Statement {
  const values: unknown[] = [];
  const value = (each: unknown): string => `$${values.push(each)}`;
  const account = value(merchantAccountId);
  const forward = direction === 'forward';
  const where = [
    `p.merchant_account_id = ${account}`,
    'p.deleted_at IS NULL',
    ...(cursor === null ? [] : [`p.id ${forward ? '<' : '>'} ${value(cursor)}::uuid`]),
    ...conditionsOf(conditions, account, value),
  ];
  return {
    name: null,
    text: `SELECT ${PAYMENT_METHOD_COLUMNS[columns].select('p')} FROM payment_method p WHERE ${where.join(' AND ')}
      ORDER BY p.id ${forward ? 'DESC' : 'ASC'} LIMIT ${value(limit + 1)}`,
    values,
  };
}

/** Counts the payment methods that meet every condition. The count ends at `atMost`. */
export async function countPaymentMethodRows(
  db: Db,
  merchantAccountId: string,
  conditions: PaymentMethodConditions,
  atMost: number,
): Promise<number> {
  const values: unknown[] = [];
  const value = (each: unknown): string => `$${values.push(each)}`;
  const account = value(merchantAccountId);
  const where = [
    `p.merchant_account_id = ${account}`,
    'p.deleted_at IS NULL',
    ...conditionsOf(conditions, account, value),
  ];
  const text = `SELECT count(*)::int AS count FROM (
    SELECT FROM payment_method p WHERE ${where.join(' AND ')} LIMIT ${value(atMost)}) matches`;
  const [row] = await db.query<{ readonly count: number }>({ name: null, text, values });
  return row?.count ?? 0;
}

function conditionsOf(
  { buyerId, method, status, fingerprint, externalIdentifier, search }: PaymentMethodConditions,
  account: string,
  value: (each: unknown) => string,
): readonly string[] {
  /** Uses `=` for a single value, because an index then also gives the order. */
  const oneOf = (column: string, words: readonly string[] | null): string[] => {
    if (words === null) return [];
    return [
      words.length === 1 ? `${column} = ${value(words[0])}` : `${column} = ANY (${value(words)}::text[])`,
    ];
  };
  const same = (column: string, text: string | null, type = 'text'): string[] =>
    text === null ? [] : [`${column} = ${value(text)}::${type}`];
  return [
    ...same('p.buyer_id', buyerId, 'uuid'),
    ...oneOf('p.method', method),
    ...oneOf('p.status', status),
    ...same('p.fingerprint', fingerprint),
    ...same('p.external_identifier', externalIdentifier),
    ...(search ?? []).map((word) => {
      // Range condition for a prefix, which an index in code point order supports. No text sorts after the last
      // code point.
      const begins = `${value(word)}::text`;
      return `p.id IN (SELECT x.payment_method_id FROM payment_method_term x
        WHERE x.merchant_account_id = ${account} AND x.term >= ${begins} AND x.term < ${begins} || chr(1114111))`;
    }),
  ];
}

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
       WHERE p.merchant_account_id = @account AND p.buyer_id = ANY (@buyers::uuid[]) AND p.deleted_at IS NULL) p
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
