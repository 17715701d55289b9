import type { Db, Tx } from '../../../platform/database/db.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { ConnectionRow } from '../../payment-services/index.ts';

/**
 * A provider's token of a payment method. A `mandate` must be revoked at the provider before the row is
 * deleted.
 */
export type NewToken = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly paymentMethodId: string;
  readonly paymentServiceId: string;
  readonly sealedToken: string;
  /** The keyed digest of the token. */
  readonly tokenDigest: string;
  readonly mandate: boolean;
};

/** Writes the token of a locked payment method at a payment service, and replaces an earlier token. */
export async function replaceToken(tx: Tx, token: NewToken, now: Date): Promise<void> {
  const { merchantAccountId, paymentMethodId, paymentServiceId } = token;
  await tx.paymentMethodToken.deleteMany({ where: { merchantAccountId, paymentMethodId, paymentServiceId } });
  await tx.paymentMethodToken.create({
    data: { ...token, status: 'active', createdAt: now, updatedAt: now },
  });
}

/** Returns the token of a payment method at a payment service, or null. */
export async function readToken(
  { prisma }: Db,
  merchantAccountId: string,
  { paymentMethodId, paymentServiceId }: Pick<NewToken, 'paymentMethodId' | 'paymentServiceId'>,
): Promise<Pick<NewToken, 'id' | 'sealedToken'> | null> {
  if (!isUuid(paymentMethodId) || !isUuid(paymentServiceId)) return null;
  const where = { merchantAccountId, paymentMethodId, paymentServiceId, status: 'active' };
  return await prisma.paymentMethodToken.findFirst({ where, select: { id: true, sealedToken: true } });
}

/** Lists the payment services that have a token for a payment method. */
export async function readTokenServices(
  { prisma }: Db,
  merchantAccountId: string,
  paymentMethodId: string,
): Promise<readonly string[]> {
  const where = { merchantAccountId, paymentMethodId, status: 'active' };
  const rows = await prisma.paymentMethodToken.findMany({ where, select: { paymentServiceId: true } });
  return rows.map(({ paymentServiceId }) => paymentServiceId);
}

/** Returns the id of the token of a locked payment method, or null. */
export async function readTokenIn(
  tx: Tx,
  merchantAccountId: string,
  { paymentMethodId, paymentServiceId }: Pick<NewToken, 'paymentMethodId' | 'paymentServiceId'>,
): Promise<Pick<NewToken, 'id'> | null> {
  const where = { merchantAccountId, paymentMethodId, paymentServiceId, status: 'active' };
  return await tx.paymentMethodToken.findFirst({ where, select: { id: true } });
}

/** A mandate that is being revoked, with the data for the call of its provider. */
export type RevokingToken = Pick<NewToken, 'merchantAccountId' | 'id' | 'paymentMethodId' | 'sealedToken'> & {
  readonly revocationKey: string;
  readonly connection: ConnectionRow;
};

/**
 * Marks the mandates of a locked payment method as being revoked and returns them, oldest first.
 *
 * A mandate that is marked already keeps its key. The others get new keys.
 */
export async function claimRevocations(
  tx: Tx,
  merchantAccountId: string,
  paymentMethodId: string,
  { now, newKey }: { readonly now: Date; readonly newKey: () => string },
): Promise<readonly RevokingToken[]> {
  const ofMethod = { merchantAccountId, paymentMethodId, mandate: true };
  for (const { id } of await tx.paymentMethodToken.findMany({ where: { ...ofMethod, status: 'active' } }))
    await tx.paymentMethodToken.updateMany({
      where: { merchantAccountId, id },
      data: { status: 'revoking', revocationKey: newKey(), updatedAt: now },
    });
  const marked = await tx.paymentMethodToken.findMany({
    where: { ...ofMethod, status: 'revoking' },
    include: { paymentService: true },
    orderBy: { id: 'asc' },
  });
  return marked.map(({ paymentService, ...token }) => ({
    ...token,
    // A table constraint sets the key of every mandate that is being revoked.
    revocationKey: token.revocationKey as string,
    connection: { ...paymentService, fields: paymentService.fields as unknown as ConnectionRow['fields'] },
  }));
}

/** Deletes a mandate that its provider revoked. */
export async function forgetToken(
  tx: Tx,
  { merchantAccountId, id }: Pick<NewToken, 'merchantAccountId' | 'id'>,
): Promise<void> {
  await tx.paymentMethodToken.deleteMany({ where: { merchantAccountId, id } });
}

/** Ends an attempt that the provider refused. The next attempt uses a new key. */
export async function endRevocation(
  tx: Tx,
  { merchantAccountId, id, revocationKey }: RevokingToken,
  now: Date,
): Promise<void> {
  await tx.paymentMethodToken.updateMany({
    where: { merchantAccountId, id, revocationKey },
    data: { status: 'active', revocationKey: null, updatedAt: now },
  });
}

/** Returns the number of mandates of a locked payment method that are in force. */
export const countMandates = (tx: Tx, merchantAccountId: string, paymentMethodId: string): Promise<number> =>
  tx.paymentMethodToken.count({
    where: { merchantAccountId, paymentMethodId, mandate: true, status: { not: 'disabled' } },
  });
