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

/** The operations that follow an authorisation, and that a transaction lists by their kind. */
export type FollowUpKind = 'capture' | 'refund';

/** The captures and refunds of a transaction. A kind that was not asked for is missing. */
export type FollowUps = Partial<Record<FollowUpKind, readonly Operation[]>>;

/** The transactions whose follow-ups to read, and the kinds to read of each. */
export type WantedFollowUps = {
  readonly transactions: readonly string[];
  readonly kinds: readonly FollowUpKind[];
};

const followUpsStatement = (columns: OperationColumns) =>
  prepare(
    `read_follow_ups_${columns}`,
    `SELECT wanted.ordinal::int, ${OPERATION_COLUMNS[columns].select('o')}
     FROM unnest(@transactions::uuid[]) WITH ORDINALITY AS wanted (transaction_id, ordinal), unnest(@kinds::text[]) AS kind
     CROSS JOIN LATERAL (
       SELECT * FROM operation o WHERE o.merchant_account_id = @account AND o.transaction_id = wanted.transaction_id
         AND o.kind = kind.kind ORDER BY o.id DESC LIMIT @limit) o`,
  );

const followUpsStatements = {
  core: followUpsStatement('core'),
  brief: followUpsStatement('brief'),
  whole: followUpsStatement('whole'),
};

/** Reads captures and refunds, newest first, at most `limit` of each kind, in the order of the transactions. */
export async function readFollowUps(
  db: Db,
  account: string,
  { transactions, kinds }: WantedFollowUps,
  { columns, limit }: { readonly columns: OperationColumns; readonly limit: number },
): Promise<readonly FollowUps[]> {
  const statement = followUpsStatements[columns]({ account, limit, transactions, kinds });
  const rows = await db.query<readonly unknown[]>({ ...statement, asArrays: true });
  const found = transactions.map(() => emptyOf(kinds));
  for (const values of rows) {
    const operation = OPERATION_COLUMNS[columns].read(values, 1);
    found[(values[0] as number) - 1]?.[operation.kind as FollowUpKind]?.push(operation);
  }
  return found;
}

const emptyOf = (kinds: readonly FollowUpKind[]): { capture?: Operation[]; refund?: Operation[] } => ({
  ...(kinds.includes('capture') && { capture: [] }),
  ...(kinds.includes('refund') && { refund: [] }),
});

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
