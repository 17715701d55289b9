import { readRows, type LineOrWhole } from '../../../platform/database/column-set.ts';
import { queryIn, type Db, type Tx } from '../../../platform/database/db.ts';
import type { PaymentMethod as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { PaymentMethod } from '../model/payment-method.ts';
import { PAYMENT_METHOD_COLUMNS } from './payment-method-columns.ts';
import { isAmong, prepare, prepareFile } from '../../../platform/database/statement.ts';

/** Inserts a payment method with its search terms and its sealed instrument. */
export async function insertPaymentMethod(
  tx: Tx,
  paymentMethod: PaymentMethod,
  {
    sealedInstrument,
    terms,
  }: { readonly sealedInstrument: string | null; readonly terms: readonly string[] },
): Promise<void> {
  const { merchantAccountId, id: paymentMethodId } = paymentMethod;
  await tx.paymentMethod.create({ data: { ...toRow(paymentMethod), sealedInstrument } });
  await tx.paymentMethodTerm.createMany({
    data: terms.map((term) => ({ merchantAccountId, paymentMethodId, term })),
  });
}

const lockRow = prepareFile(import.meta, 'lock-payment-method.sql');

/**
 * Returns a payment method and locks the row until the transaction ends. Null if the payment method is unknown
 * or deleted.
 */
export async function lockPaymentMethod(
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<PaymentMethod | null> {
  if (!isUuid(id)) return null;
  await queryIn(tx).query(lockRow({ account: merchantAccountId, id }));
  const row = await tx.paymentMethod.findFirst({ where: { merchantAccountId, id, deletedAt: null } });
  return row && toPaymentMethod(row);
}

/** Replaces a locked payment method. The instrument and the search terms stay. */
export async function replacePaymentMethod(tx: Tx, paymentMethod: PaymentMethod): Promise<void> {
  const { merchantAccountId, id } = paymentMethod;
  await tx.paymentMethod.updateMany({ where: { merchantAccountId, id }, data: toRow(paymentMethod) });
}

/** Replaces the search terms of a locked payment method. */
export async function replaceTerms(
  tx: Tx,
  { merchantAccountId, id: paymentMethodId }: Pick<PaymentMethod, 'merchantAccountId' | 'id'>,
  terms: readonly string[],
): Promise<void> {
  await tx.paymentMethodTerm.deleteMany({ where: { merchantAccountId, paymentMethodId } });
  await tx.paymentMethodTerm.createMany({
    data: terms.map((term) => ({ merchantAccountId, paymentMethodId, term })),
  });
}

/** Erases the instrument of a locked payment method, because only a provider knows its number now. */
export async function forgetInstrument(
  tx: Tx,
  { merchantAccountId, id }: Pick<PaymentMethod, 'merchantAccountId' | 'id'>,
): Promise<void> {
  await tx.paymentMethod.updateMany({ where: { merchantAccountId, id }, data: { sealedInstrument: null } });
}

/**
 * Erases the instrument, the tokens and the search terms of a locked payment method. The row stays for the
 * records that refer to it.
 */
export async function erasePaymentMethod(
  tx: Tx,
  { merchantAccountId, id }: Pick<PaymentMethod, 'merchantAccountId' | 'id'>,
  now: Date,
): Promise<void> {
  const ofMethod = { merchantAccountId, paymentMethodId: id };
  await tx.paymentMethodTerm.deleteMany({ where: ofMethod });
  await tx.paymentMethodToken.deleteMany({ where: ofMethod });
  await tx.paymentMethod.updateMany({
    where: { merchantAccountId, id },
    data: {
      status: 'deleted',
      sealedInstrument: null,
      fingerprint: null,
      externalIdentifier: null,
      redirectUrl: null,
      approvalUrl: null,
      deletedAt: now,
      updatedAt: now,
    },
  });
}

/** True if the merchant account had a payment method with this id that is deleted. */
export async function isPaymentMethodDeleted(
  { prisma }: Db,
  merchantAccountId: string,
  id: string,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const where = { merchantAccountId, id, deletedAt: { not: null } };
  return (await prisma.paymentMethod.findFirst({ where, select: { id: true } })) !== null;
}

const byIds = (columns: LineOrWhole) =>
  prepare(
    `read_payment_methods_${columns}`,
    `SELECT ${PAYMENT_METHOD_COLUMNS[columns].select('p')} FROM payment_method p
     WHERE p.merchant_account_id = @account AND p.deleted_at IS NULL AND ${isAmong('p.id', '@ids::uuid[]')}`,
  );

const byIdsStatements = { line: byIds('line'), whole: byIds('whole') };

/**
 * Returns the merchant account's payment methods with the given ids, unsorted, without deleted payment methods. They have the
 * fields of `columns`.
 */
export async function findPaymentMethodsByIds(
  db: Db,
  account: string,
  ids: readonly string[],
  columns: LineOrWhole = 'whole',
): Promise<readonly PaymentMethod[]> {
  const statement = byIdsStatements[columns]({ account, ids: ids.filter((id) => isUuid(id)) });
  return await readRows(db, statement, PAYMENT_METHOD_COLUMNS[columns]);
}

/** Returns the ids of a buyer's payment methods that are not deleted, oldest first. */
export async function readIdsOfBuyer(
  tx: Tx,
  merchantAccountId: string,
  buyerId: string,
): Promise<readonly string[]> {
  const where = { merchantAccountId, buyerId, deletedAt: null };
  const rows = await tx.paymentMethod.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
  return rows.map(({ id }) => id);
}

/**
 * Returns the sealed instrument. Null if the payment method is unknown or deleted, or if only a provider holds
 * the instrument.
 */
export async function readSealedInstrument(
  { prisma }: Db,
  merchantAccountId: string,
  id: string,
): Promise<string | null> {
  if (!isUuid(id)) return null;
  const where = { merchantAccountId, id, deletedAt: null };
  const row = await prisma.paymentMethod.findFirst({ where, select: { sealedInstrument: true } });
  return row?.sealedInstrument ?? null;
}

const countStatement = prepareFile(import.meta, 'count-payment-method-use.sql');

/** Counts a payment with a payment method, even if the payment method is deleted. */
export async function countUse(
  tx: Tx,
  { merchantAccountId, id }: Pick<PaymentMethod, 'merchantAccountId' | 'id'>,
  { at, customerInitiated }: { readonly at: Date; readonly customerInitiated: boolean },
): Promise<void> {
  await queryIn(tx).query(countStatement({ account: merchantAccountId, id, at, cit: customerInitiated }));
}

const toRow = ({ additionalSchemes, ...columns }: PaymentMethod) => ({
  ...columns,
  additionalSchemes: [...additionalSchemes],
});

/** Maps a row that is not deleted to a payment method. Table constraints limit the values of its enum columns. */
export const toPaymentMethod = ({
  sealedInstrument: _sealedInstrument,
  deletedAt: _deletedAt,
  ...row
}: Row): PaymentMethod => row as PaymentMethod;
