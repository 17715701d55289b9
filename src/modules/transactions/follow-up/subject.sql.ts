import type { Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import { OVER_CAPTURE_ALLOWANCE } from '../../accounts/index.ts';
import type { Transaction } from '../model/transaction.ts';
import { toTransaction, type JsonRow } from '../model/rows.sql.ts';

/** A transaction, with everything else that decides about its operations. */
export type StoredSubject = {
  readonly transaction: Transaction;
  /** The definition of its payment service. */
  readonly definitionId: string;
  /** The amount above the authorised amount that the merchant account allows to capture, in minor units. */
  readonly allowance: number;
};

const STATEMENT = prepare(
  'read_transaction_subject',
  `SELECT row_to_json(t) AS transaction, s.definition_id AS "definitionId", ${OVER_CAPTURE_ALLOWANCE} AS allowance
   FROM transaction t
   JOIN merchant_account m ON m.id = t.merchant_account_id
   JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
   WHERE t.merchant_account_id = @account AND t.id = @transaction`,
);

/** Reads a transaction with its payment service. Null when the merchant account has no such transaction. */
export async function readSubject(
  db: Db,
  merchantAccountId: string,
  transactionId: string,
): Promise<StoredSubject | null> {
  const [row] = await db.query<Omit<StoredSubject, 'transaction'> & { readonly transaction: JsonRow }>(
    STATEMENT({ account: merchantAccountId, transaction: transactionId }),
  );
  return row ? { ...row, transaction: toTransaction(row.transaction) } : null;
}
