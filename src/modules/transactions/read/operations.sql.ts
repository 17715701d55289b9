import type { Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import { OPERATION_COLUMNS, type OperationColumns } from '../model/columns.sql.ts';
import type { Operation } from '../model/operation.ts';
import { toOperation, type JsonRow } from '../model/rows.sql.ts';

/** The operations of a transaction to read. Attempts come oldest first, all newest first. */
export type OperationsOf = 'all' | 'attempts';

const CHOSEN = {
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

/** The captures or the refunds of a transaction. */
export type FollowUps = { readonly transactionId: string; readonly kind: 'capture' | 'refund' };

const followUpsStatement = (columns: OperationColumns) =>
  prepare(
    `read_follow_ups_${columns}`,
    `SELECT ${OPERATION_COLUMNS[columns].select('o')}, wanted.ordinal::int
     FROM unnest(@transactions::uuid[], @kinds::text[]) WITH ORDINALITY AS wanted (transaction_id, kind, ordinal)
     CROSS JOIN LATERAL (
       SELECT * FROM operation o WHERE o.merchant_account_id = @account AND o.transaction_id = wanted.transaction_id
         AND o.kind = wanted.kind ORDER BY o.id DESC LIMIT @limit) o`,
  );

const followUpsStatements = { brief: followUpsStatement('brief'), whole: followUpsStatement('whole') };

/** Reads captures and refunds, newest first, at most `limit` of each request, in the order of the requests. */
export async function readFollowUps(
  db: Db,
  account: string,
  wanted: readonly FollowUps[],
  { columns, limit }: { readonly columns: OperationColumns; readonly limit: number },
): Promise<readonly (readonly Operation[])[]> {
  const statement = followUpsStatements[columns]({
    ...{ account, limit },
    transactions: wanted.map(({ transactionId }) => transactionId),
    kinds: wanted.map(({ kind }) => kind),
  });
  const rows = await db.query<readonly unknown[]>({ ...statement, asArrays: true });
  const found: Operation[][] = wanted.map(() => []);
  for (const values of rows)
    found[(values.at(-1) as number) - 1]?.push(OPERATION_COLUMNS[columns].read(values));
  return found;
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
