import { columnSet, readRows, readRowsOfEach } from '../../platform/database/column-set.ts';
import { queryIn, type Db, type Tx } from '../../platform/database/db.ts';
import { Prisma, type Dispute as Row } from '../../platform/generated/prisma/client.ts';
import { hidden, isAmong, prepare, prepareFile } from '../../platform/database/statement.ts';
import type { Dispute } from './dispute.ts';
import type { DisputedPayment, DisputeEntry, DisputePatch } from './record-rules.ts';

/** A dispute of a provider: the payment service with the provider's id. */
export type DisputeName = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  readonly providerReference: string;
};

const lockStatement = prepareFile(import.meta, 'lock-disputed-payment.sql');

/** Reads a payment and locks it until the end of the database transaction. Null when the account has no such payment. */
export async function lockDisputedPayment(
  tx: Tx,
  account: string,
  transaction: string,
): Promise<DisputedPayment | null> {
  const [row] = await queryIn(tx).query<DisputedPayment>(lockStatement({ account, transaction }));
  return row ?? null;
}

/** Returns the provider's id of the disputed payment. Null if unknown. The caller holds the lock of the payment. */
export async function readPaymentReference(
  tx: Tx,
  { merchantAccountId, transactionId: id }: Pick<Dispute, 'merchantAccountId' | 'transactionId'>,
): Promise<string | null> {
  const row = await tx.transaction.findFirst({
    where: { merchantAccountId, id },
    select: { paymentServiceTransactionId: true },
  });
  return row?.paymentServiceTransactionId ?? null;
}

/** Reads a dispute by the provider's id. The caller holds the lock of its payment. */
export async function readReportedDispute(tx: Tx, name: DisputeName): Promise<Dispute | null> {
  const row = await tx.dispute.findFirst({ where: name });
  return row && toDispute(row);
}

/** Reads a dispute as it is now. The caller holds the lock of its payment. */
export async function readDispute(tx: Tx, merchantAccountId: string, id: string): Promise<Dispute | null> {
  const row = await tx.dispute.findFirst({ where: { merchantAccountId, id } });
  return row && toDispute(row);
}

/**
 * Returns the operation to book a loss of a dispute to. Without a known one, it is the payment's successful authorisation.
 * Null while none succeeded. The caller holds the lock of the payment.
 */
export async function readLossOperation(
  tx: Tx,
  {
    merchantAccountId,
    transactionId,
    paymentServiceId,
    operationId,
  }: Pick<Dispute, 'merchantAccountId' | 'transactionId' | 'paymentServiceId' | 'operationId'>,
): Promise<string | null> {
  if (operationId !== null) return operationId;
  const found = await tx.operation.findFirst({
    where: { merchantAccountId, transactionId, paymentServiceId, kind: 'authorize', status: 'succeeded' },
    orderBy: { id: 'desc' },
    select: { id: true },
  });
  return found?.id ?? null;
}

/** Reads a dispute without a lock. Null if the account has no such dispute. */
export async function findDispute(db: Db, merchantAccountId: string, id: string): Promise<Dispute | null> {
  const [dispute] = await readDisputes(db, merchantAccountId, [id]);
  return dispute ?? null;
}

/** Writes a new dispute. */
export const insertDispute = async (tx: Tx, dispute: Dispute): Promise<Dispute> =>
  toDispute(await tx.dispute.create({ data: dispute }));

/** Changes a dispute. The caller holds the lock of its payment. */
export const changeDispute = async (
  tx: Tx,
  { merchantAccountId, id }: Pick<Dispute, 'merchantAccountId' | 'id'>,
  patch: Partial<DisputePatch & Pick<Dispute, 'operationId' | 'updatedAt'>>,
): Promise<Dispute> =>
  toDispute(
    await tx.dispute.update({ where: { merchantAccountId_id: { merchantAccountId, id } }, data: patch }),
  );

const countStatement = prepareFile(import.meta, 'count-disputes.sql');

/** The effect of a report on its payment. `opened` changes the count of disputes that hold refunds. */
export type Effect = {
  readonly opened: number;
  readonly entry: (DisputeEntry & { readonly id: string }) | null;
  /** The currency of the payment. */
  readonly currency: string;
  readonly now: Date;
};

const markStatement = prepareFile(import.meta, 'mark-disputed.sql');

/** Marks the payment of a dispute beyond an inquiry, for the filter of lists. The caller holds the lock of the payment. */
export async function markDisputed(
  tx: Tx,
  { merchantAccountId: account, transactionId: transaction, stage }: Dispute,
): Promise<void> {
  if (stage !== 'inquiry') await queryIn(tx).query(markStatement({ account, transaction }));
}

/** Books the effect of a report. `dispute` is the written dispute. */
export async function bookDispute(
  tx: Tx,
  dispute: Dispute,
  { opened, entry, currency, now }: Effect,
): Promise<void> {
  const { merchantAccountId, transactionId, operationId, id, decidedStage, lostAmount } = dispute;
  if (opened === 0 && entry === null) return;
  const amount = entry?.amount ?? 0;
  const lost = entry?.kind === 'dispute_loss_reversal' ? -amount : amount;
  await queryIn(tx).query(
    countStatement({ account: merchantAccountId, transaction: transactionId, opened, lost, now }),
  );
  if (entry === null || operationId === null) return;
  await tx.ledgerEntry.create({
    data: {
      ...{ ...entry, merchantAccountId, transactionId, operationId, currency, createdAt: now },
      // A stage may book twice: a part, and the rest.
      reversalKey: `dispute ${id} ${decidedStage} ${lostAmount}`,
    },
  });
}

const FIELDS = Object.values(Prisma.DisputeScalarFieldEnum);

/** The columns of a dispute. The database checks their words. */
export const DISPUTE_COLUMNS = columnSet<Dispute>('whole', FIELDS, FIELDS);

const byIds = prepare(
  'disputes_by_id',
  `SELECT ${DISPUTE_COLUMNS.select('d')} FROM dispute d
   WHERE d.merchant_account_id = @account AND ${isAmong('d.id', '@ids::uuid[]')}`,
);

/** Reads disputes of one merchant account, in no order. Leaves out ids that the account lacks. */
export const readDisputes = (db: Db, account: string, ids: readonly string[]): Promise<readonly Dispute[]> =>
  readRows(db, byIds({ account, ids }), DISPUTE_COLUMNS);

const ofTransactions = prepare(
  'disputes_of_transactions',
  `SELECT wanted.ordinal::int, ${DISPUTE_COLUMNS.select('d')}
   FROM unnest(${hidden('@transactions::uuid[]')}) WITH ORDINALITY AS wanted (transaction_id, ordinal)
   CROSS JOIN LATERAL (
     SELECT * FROM dispute d WHERE d.merchant_account_id = @account AND d.transaction_id = wanted.transaction_id
     ORDER BY d.id DESC LIMIT @limit) d
   ORDER BY wanted.ordinal, d.id DESC`,
);

/** Reads the latest disputes of each payment, newest first. Returns at most `limit` for each, in the order of the payments. */
export const readDisputesOf = (
  db: Db,
  account: string,
  transactions: readonly string[],
  limit: number,
): Promise<readonly (readonly Dispute[])[]> =>
  readRowsOfEach(db, ofTransactions({ account, transactions, limit }), DISPUTE_COLUMNS, transactions.length);

/** The database checks the words of the columns. */
const toDispute = (row: Row): Dispute => row as Dispute;
