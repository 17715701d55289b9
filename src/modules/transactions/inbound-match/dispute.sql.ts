import type { DisputeNotice } from '../../../connectors/notices/disputes.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import type { InboundWebhook } from '../notices/webhook.ts';

/** A payment that a dispute may be about. Both operations are null unless they succeeded. */
export type Disputed = {
  readonly transaction: Transaction;
  /** The id of the authorisation or capture that the notice names. */
  readonly named: string | null;
  /** The id of the payment's authorisation at the payment service. */
  readonly authorization: string | null;
};

const byKeyStatement = prepareFile(import.meta, 'match-dispute-by-key.sql');

const byReferenceStatement = prepareFile(import.meta, 'match-dispute-by-reference.sql');

type Row = Omit<Disputed, 'transaction'> & { readonly transaction: JsonRow };

/** Finds the payments of the notice's payment service that the dispute may be about. A key matches its operation or nothing. */
export async function findDisputed(
  db: Db,
  { merchantAccountId: account, paymentServiceId: service, notice }: InboundWebhook<DisputeNotice>,
): Promise<readonly Disputed[]> {
  const { key, reference, paymentReference } = notice;
  const references = [reference, paymentReference].filter((each) => each !== null);
  const rows = await db.query<Row>(
    key === null
      ? byReferenceStatement({ account, service, references })
      : byKeyStatement({ account, service, key }),
  );
  return rows.map((row) => ({ ...row, transaction: toTransaction(row.transaction) }));
}
