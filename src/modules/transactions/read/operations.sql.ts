import type { Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import type { Operation } from '../model/operation.ts';
import { toOperation, type JsonRow } from '../model/rows.sql.ts';

/** The operations of a transaction to read. Attempts come oldest first, the others newest first. */
export type OperationsOf = 'capture' | 'refund' | 'all' | 'attempts';

const CHOSEN = {
  capture: `AND o.kind = 'capture' ORDER BY o.id DESC`,
  refund: `AND o.kind = 'refund' ORDER BY o.id DESC`,
  all: 'ORDER BY o.id DESC',
  attempts: `AND o.kind = 'authorize' ORDER BY o.id`,
} as const satisfies Record<OperationsOf, string>;

const statementOf = (which: OperationsOf) =>
  prepare(
    `read_operations_${which}`,
    `SELECT row_to_json(o) AS operation FROM unnest(@transactions::uuid[]) AS wanted (transaction_id)
     CROSS JOIN LATERAL (
       SELECT * FROM operation o WHERE o.merchant_account_id = @account AND o.transaction_id = wanted.transaction_id
         ${CHOSEN[which]} LIMIT @limit) o`,
  );

const statements = {
  capture: statementOf('capture'),
  refund: statementOf('refund'),
  all: statementOf('all'),
  attempts: statementOf('attempts'),
} as const;

/** Reads operations of each transaction in their order, at most `limit` of each transaction. */
export async function readOperations(
  db: Db,
  merchantAccountId: string,
  transactionIds: readonly string[],
  { which, limit }: { readonly which: OperationsOf; readonly limit: number },
): Promise<readonly Operation[]> {
  const rows = await db.query<{ operation: JsonRow }>(
    statements[which]({ account: merchantAccountId, transactions: transactionIds, limit }),
  );
  return rows.map(({ operation }) => toOperation(operation));
}

const byIds = prepare(
  'read_operations_by_id',
  `SELECT row_to_json(o) AS operation FROM operation o
   WHERE o.merchant_account_id = @account AND o.id = ANY(@ids::uuid[])`,
);

/** Reads operations of one merchant account, in no order. Leaves out ids that the account lacks. */
export async function readOperationsById(
  db: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly Operation[]> {
  const rows = await db.query<{ operation: JsonRow }>(byIds({ account: merchantAccountId, ids }));
  return rows.map(({ operation }) => toOperation(operation));
}
