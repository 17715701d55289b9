import type { Db, Tx } from '../../../platform/db.ts';
import type { PaymentMethod as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { PaymentMethod } from '../stored/payment-method.ts';

/** Inserts a payment method with what it is found by and, sealed, what is paid with. */
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

/** A payment method as it is now, kept from being changed until the transaction ends; null when there is none, or no more. */
export async function lockPaymentMethod(
  tx: Tx,
  merchantAccountId: string,
  id: string,
): Promise<PaymentMethod | null> {
  if (!isUuid(id)) return null;
  await tx.$executeRaw`
    SELECT FROM payment_method WHERE merchant_account_id = ${merchantAccountId} AND id = ${id}::uuid FOR NO KEY UPDATE`;
  const row = await tx.paymentMethod.findFirst({ where: { merchantAccountId, id, deletedAt: null } });
  return row && toPaymentMethod(row);
}

/** Writes a payment method that is locked in place of what was; what is paid with and what it is found by stay. */
export async function replacePaymentMethod(tx: Tx, paymentMethod: PaymentMethod): Promise<void> {
  const { merchantAccountId, id } = paymentMethod;
  await tx.paymentMethod.updateMany({ where: { merchantAccountId, id }, data: toRow(paymentMethod) });
}

/**
 * Erases what could pay from a payment method that is locked, with its tokens and what it is found by. The row stays, for what
 * refers to it.
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

/** Whether the merchant account had a payment method of this id that has been deleted. */
export async function isPaymentMethodDeleted(
  { prisma }: Db,
  merchantAccountId: string,
  id: string,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const where = { merchantAccountId, id, deletedAt: { not: null } };
  return (await prisma.paymentMethod.findFirst({ where, select: { id: true } })) !== null;
}

/** Those of the ids that name a payment method of the merchant account, in no order; deleted ones are left out. */
export async function findPaymentMethodsByIds(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
): Promise<readonly PaymentMethod[]> {
  const rows = await prisma.paymentMethod.findMany({
    where: { merchantAccountId, deletedAt: null, id: { in: ids.filter((id) => isUuid(id)) } },
  });
  return rows.map(toPaymentMethod);
}

/** The ids of a buyer's payment methods that are not deleted, oldest first. */
export async function readIdsOfBuyer(
  tx: Tx,
  merchantAccountId: string,
  buyerId: string,
): Promise<readonly string[]> {
  const where = { merchantAccountId, buyerId, deletedAt: null };
  const rows = await tx.paymentMethod.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
  return rows.map(({ id }) => id);
}

/** What is paid with, sealed; null when the payment method is unknown or deleted, or when only a provider has it. */
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

/** Counts a payment with a payment method, also when it has been deleted meanwhile. */
export async function countUse(
  tx: Tx,
  { merchantAccountId, id }: Pick<PaymentMethod, 'merchantAccountId' | 'id'>,
  { at, customerInitiated }: { readonly at: Date; readonly customerInitiated: boolean },
): Promise<void> {
  const cit = customerInitiated ? 1 : 0;
  await tx.$executeRaw`
    UPDATE payment_method SET
      usage_count = usage_count + 1, last_used_at = greatest(last_used_at, ${at}),
      cit_usage_count = cit_usage_count + ${cit}::int,
      cit_last_used_at = CASE WHEN ${cit}::int = 1 THEN greatest(cit_last_used_at, ${at}) ELSE cit_last_used_at END
    WHERE merchant_account_id = ${merchantAccountId} AND id = ${id}::uuid`;
}

const toRow = ({ additionalSchemes, ...columns }: PaymentMethod) => ({
  ...columns,
  additionalSchemes: [...additionalSchemes],
});

/** What may be shown of a row that is not deleted. Its words are those that the constraints of the table let in. */
export const toPaymentMethod = ({
  sealedInstrument: _sealedInstrument,
  deletedAt: _deletedAt,
  ...row
}: Row): PaymentMethod => row as PaymentMethod;
