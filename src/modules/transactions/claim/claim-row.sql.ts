import type { ConnectionRow } from '../../payment-services/index.ts';
import type { Operation } from '../model/operation.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/** The row that every claim statement selects. */
export type ClaimRow = {
  readonly operation: JsonRow;
  readonly transaction: JsonRow;
  /** The version of the transaction after the claim. Null where the statement returns none. */
  readonly version: string | null;
  readonly connection: ConnectionRow;
  readonly authorizationKey: string | null;
};

/** Turns the row of a claim statement into a claim. Further columns stay as they are. */
export const toClaim = <Row extends ClaimRow>(
  row: Row,
): Omit<Row, 'operation' | 'transaction'> & {
  readonly operation: Operation;
  readonly transaction: Transaction;
} => ({
  ...row,
  operation: toOperation(row.operation),
  transaction: toTransaction(row.transaction),
});
