import { columnSet, readRows, readRowsOfEach } from '../../platform/database/column-set.ts';
import type { Db } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/generated/prisma/client.ts';
import { hidden, isAmong, prepare, prepareFile } from '../../platform/database/statement.ts';
import type { Settlement, SettlementTotal } from './settlement.ts';
import { toSettlement, type StoredSettlement } from './store.ts';

const FIELDS = Object.values(Prisma.SettlementScalarFieldEnum);

/** The columns of an entry. */
export const SETTLEMENT_COLUMNS = columnSet<StoredSettlement>('whole', FIELDS, FIELDS, {
  settledOn: (alias) => `to_char(${alias}.settled_on, 'YYYY-MM-DD')`,
});

const byIds = prepare(
  'settlements_by_id',
  `SELECT ${SETTLEMENT_COLUMNS.select('s')} FROM settlement s
   WHERE s.merchant_account_id = @account AND ${isAmong('s.id', '@ids::uuid[]')}`,
);

/** Reads entries of one merchant account, in no order. Leaves out ids that the account lacks. */
export const readSettlements = async (
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<readonly Settlement[]> =>
  (await readRows(db, byIds({ account, ids }), SETTLEMENT_COLUMNS)).map(toSettlement);

const ofTransactions = prepare(
  'settlements_of_transactions',
  `SELECT wanted.ordinal::int, ${SETTLEMENT_COLUMNS.select('s')}
   FROM unnest(${hidden('@transactions::uuid[]')}) WITH ORDINALITY AS wanted (transaction_id, ordinal)
   CROSS JOIN LATERAL (
     SELECT * FROM settlement s WHERE s.merchant_account_id = @account AND s.transaction_id = wanted.transaction_id
     ORDER BY s.id DESC LIMIT @limit) s
   ORDER BY wanted.ordinal, s.id DESC`,
);

/** Reads the latest entries of each payment, newest first. Returns at most `limit` for each, in the order of the payments. */
export async function readSettlementsOf(
  db: Db,
  account: string,
  transactions: readonly string[],
  limit: number,
): Promise<readonly (readonly Settlement[])[]> {
  const statement = ofTransactions({ account, transactions, limit });
  const found = await readRowsOfEach(db, statement, SETTLEMENT_COLUMNS, transactions.length);
  return found.map((rows) => rows.map(toSettlement));
}

const totalsStatement = prepareFile(import.meta, 'settlement-totals.sql');

type Total = SettlementTotal & { readonly transactionId: string };

type Sums = Record<'transactionId' | 'currency' | 'gross' | 'fee' | 'net', string>;

/** Reads the sums of all entries of some payments, one for each currency. */
export async function readTotals(
  db: Db,
  account: string,
  transactions: readonly string[],
): Promise<readonly Total[]> {
  const rows = await db.query<Sums>(totalsStatement({ account, transactions }));
  return rows.map(({ gross, fee, net, ...of }) => ({
    ...{ ...of, gross: Number(gross), fee: Number(fee), net: Number(net) },
  }));
}
