import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Operation } from '../model/operation.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { Transaction } from '../model/transaction.ts';

/** A payment with its operations at the payment service that settles. */
export type SettledPayment = { readonly transaction: Transaction; readonly operations: readonly Operation[] };

const statement = prepareFile(import.meta, 'read-settled-payment.sql');

/** Reads the payment of an entry. Throws without such a payment: entries keep theirs. */
export async function readSettledPayment(
  db: Db,
  {
    merchantAccountId: account,
    transactionId: transaction,
    paymentServiceId: service,
  }: {
    readonly merchantAccountId: string;
    readonly transactionId: string;
    readonly paymentServiceId: string;
  },
): Promise<SettledPayment> {
  const [row] = await db.query<{ transaction: JsonRow; operations: readonly JsonRow[] }>(
    statement({ account, transaction, service }),
  );
  if (!row) throw new Error('The payment of a settlement is gone');
  return { transaction: toTransaction(row.transaction), operations: row.operations.map(toOperation) };
}
