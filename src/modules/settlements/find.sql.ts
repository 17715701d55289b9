import type { Db } from '../../platform/db.ts';
import { prepare } from '../../platform/statement.ts';
import type { Settlement, SettlementTotal } from './settlement.ts';
import { toSettlement } from './store.ts';

/** Reads entries of one merchant account, in no order. Leaves out ids that the account lacks. */
export async function readSettlements(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly Settlement[]> {
  const rows = await prisma.settlement.findMany({ where: { merchantAccountId, id: { in: [...ids] } } });
  return rows.map(toSettlement);
}

const ofTransactions = prepare(
  'settlements_of_transactions',
  `SELECT s.id FROM unnest(@transactions::uuid[]) AS wanted (transaction_id)
   CROSS JOIN LATERAL (
     SELECT id FROM settlement s WHERE s.merchant_account_id = @account AND s.transaction_id = wanted.transaction_id
     ORDER BY s.id DESC LIMIT @limit) s`,
);

/** Reads the latest entries of some payments, newest first. Returns at most `limit` for each payment. */
export async function readSettlementsOf(
  db: Db,
  account: string,
  transactions: readonly string[],
  limit: number,
): Promise<readonly Settlement[]> {
  const rows = await db.query<{ id: string }>(ofTransactions({ account, transactions, limit }));
  if (rows.length === 0) return [];
  const found = await readSettlements(
    db,
    account,
    rows.map(({ id }) => id),
  );
  return found.toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

const totalsStatement = prepare(
  'settlement_totals',
  `SELECT s.transaction_id AS "transactionId", s.currency, sum(s.gross)::bigint::text AS gross, sum(s.fee)::bigint::text AS fee,
     sum(s.net)::bigint::text AS net
   FROM settlement s
   WHERE s.merchant_account_id = @account AND s.transaction_id = ANY (@transactions::uuid[])
   GROUP BY s.transaction_id, s.currency ORDER BY s.currency`,
);

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
