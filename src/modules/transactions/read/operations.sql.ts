import { readRows, readRowsOfEach } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { hidden, isAmong, prepare } from '../../../platform/database/statement.ts';
import { OPERATION_COLUMNS, type OperationColumns } from '../rows/columns.sql.ts';
import type { Operation } from '../model/operation.ts';

/** The operations of a transaction to read. Attempts come oldest first, all newest first. */
export type OperationsOf = 'all' | 'attempts';

const CHOSEN = {
  all: 'ORDER BY o.id DESC',
  attempts: `AND o.kind = 'authorize' ORDER BY o.id`,
} as const satisfies Record<OperationsOf, string>;

const statementOf = (which: OperationsOf, columns: OperationColumns) =>
  prepare(
    `read_operations_${which}_${columns}`,
    `SELECT wanted.ordinal::int, o.*
     FROM unnest(${hidden('@transactions::uuid[]')}) WITH ORDINALITY AS wanted (transaction_id, ordinal)
     CROSS JOIN LATERAL (
       SELECT ${OPERATION_COLUMNS[columns].select('o')} FROM operation o WHERE o.merchant_account_id = @account AND o.transaction_id = wanted.transaction_id
         ${CHOSEN[which]} LIMIT @limit) o`,
  );

const statementsOf = (which: OperationsOf) => ({
  brief: statementOf(which, 'brief'),
  whole: statementOf(which, 'whole'),
});

const statements = { all: statementsOf('all'), attempts: statementsOf('attempts') };

/** The operations to read of a transaction, with their columns. */
export type OperationsWanted = {
  readonly which: OperationsOf;
  readonly columns: 'brief' | 'whole';
};

/** Reads operations of each transaction in their order, at most `limit` of each. Answers in the order of the transactions. */
export async function readOperations(
  db: Db,
  account: string,
  transactions: readonly string[],
  { which, columns, limit }: OperationsWanted & { readonly limit: number },
): Promise<readonly (readonly Operation[])[]> {
  const statement = statements[which][columns]({ account, transactions, limit });
  return await readRowsOfEach(db, statement, OPERATION_COLUMNS[columns], transactions.length);
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
    `SELECT wanted.ordinal::int, o.*
     FROM unnest(${hidden('@transactions::uuid[]')}) WITH ORDINALITY AS wanted (transaction_id, ordinal), unnest(${hidden('@kinds::text[]')}) AS kind
     CROSS JOIN LATERAL (
       SELECT ${OPERATION_COLUMNS[columns].select('o')} FROM operation o WHERE o.merchant_account_id = @account AND o.transaction_id = wanted.transaction_id
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
  `SELECT ${OPERATION_COLUMNS.whole.select('o')} FROM operation o
   WHERE o.merchant_account_id = @account AND ${isAmong('o.id', '@ids::uuid[]')}`,
);

/** Reads operations of one merchant account, in no order. Leaves out ids that the account lacks. */
export async function readOperationsById(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<readonly Operation[]> {
  return await readRows(db, byIds({ account, ids }), OPERATION_COLUMNS.whole);
}
