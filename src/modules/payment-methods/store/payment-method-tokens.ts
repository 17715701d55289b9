import type { Db, Tx } from '../../../platform/db.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { ConnectionRow } from '../../payment-services/index.ts';

/** What a provider knows a payment method by. A `mandate` has to be revoked there before it is forgotten here. */
export type NewToken = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly paymentMethodId: string;
  readonly paymentServiceId: string;
  readonly sealedToken: string;
  readonly mandate: boolean;
};

/** Writes the token of a payment method that is locked at a payment service, in place of the one that was. */
export async function replaceToken(tx: Tx, token: NewToken, now: Date): Promise<void> {
  const { merchantAccountId, paymentMethodId, paymentServiceId } = token;
  await tx.paymentMethodToken.deleteMany({ where: { merchantAccountId, paymentMethodId, paymentServiceId } });
  await tx.paymentMethodToken.create({
    data: { ...token, status: 'active', createdAt: now, updatedAt: now },
  });
}

/** The token of a payment method at a payment service; null when there is none. */
export async function readToken(
  { prisma }: Db,
  merchantAccountId: string,
  { paymentMethodId, paymentServiceId }: Pick<NewToken, 'paymentMethodId' | 'paymentServiceId'>,
): Promise<Pick<NewToken, 'id' | 'sealedToken'> | null> {
  if (!isUuid(paymentMethodId) || !isUuid(paymentServiceId)) return null;
  const where = { merchantAccountId, paymentMethodId, paymentServiceId, status: 'active' };
  return await prisma.paymentMethodToken.findFirst({ where, select: { id: true, sealedToken: true } });
}

/** The id of the same in a transaction in which the payment method is locked. */
export async function readTokenIn(
  tx: Tx,
  merchantAccountId: string,
  { paymentMethodId, paymentServiceId }: Pick<NewToken, 'paymentMethodId' | 'paymentServiceId'>,
): Promise<Pick<NewToken, 'id'> | null> {
  const where = { merchantAccountId, paymentMethodId, paymentServiceId, status: 'active' };
  return await tx.paymentMethodToken.findFirst({ where, select: { id: true } });
}

/** A mandate that is being revoked, with what its provider is called with. */
export type RevokingToken = Pick<NewToken, 'merchantAccountId' | 'id' | 'paymentMethodId' | 'sealedToken'> & {
  readonly revocationKey: string;
  readonly connection: ConnectionRow;
};

/**
 * Marks the mandates of a payment method that is locked as being revoked and answers them, by age. One that was marked before
 * keeps its key; the others get a new one.
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
    // The constraint of the table: one that is being revoked has a key.
    revocationKey: token.revocationKey as string,
    connection: { ...paymentService, fields: paymentService.fields as unknown as ConnectionRow['fields'] },
  }));
}

/** Forgets a mandate that its provider has revoked. */
export async function forgetToken(
  tx: Tx,
  { merchantAccountId, id }: Pick<NewToken, 'merchantAccountId' | 'id'>,
): Promise<void> {
  await tx.paymentMethodToken.deleteMany({ where: { merchantAccountId, id } });
}

/** Ends an attempt that the provider refused: the next one has a key of its own. */
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

/** How many mandates of a payment method that is locked are left. */
export const countMandates = (tx: Tx, merchantAccountId: string, paymentMethodId: string): Promise<number> =>
  tx.paymentMethodToken.count({ where: { merchantAccountId, paymentMethodId, mandate: true } });
