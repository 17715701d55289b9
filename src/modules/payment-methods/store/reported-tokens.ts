import type { Db, Tx } from '../../../platform/database/db.ts';
import type { NewToken } from './payment-method-tokens.ts';

/** A token that a provider may report about. */
export type ReportedToken = Pick<NewToken, 'id' | 'paymentMethodId'> & {
  readonly status: string;
  readonly reportedAt: Date | null;
};

/** The names of a provider's token at a payment service. */
export type TokenName = Pick<NewToken, 'merchantAccountId' | 'paymentServiceId' | 'tokenDigest'>;

const SHOWN = { id: true, paymentMethodId: true, status: true, reportedAt: true } as const;

/** Lists the rows of a token, also of a disabled one. A provider has one token for each card that a buyer stores twice. */
export const findTokens = ({ prisma }: Db, where: TokenName): Promise<readonly ReportedToken[]> =>
  prisma.paymentMethodToken.findMany({ where, select: SHOWN, orderBy: { id: 'asc' } });

/** Returns the row of a token of a locked payment method, also of a disabled one. */
export const findTokenOf = (
  tx: Tx,
  name: TokenName & Pick<NewToken, 'paymentMethodId'>,
): Promise<ReportedToken | null> => tx.paymentMethodToken.findFirst({ where: name, select: SHOWN });

/** Writes a report about a token of a locked payment method. */
export async function writeReport(
  tx: Tx,
  { merchantAccountId, id }: Pick<NewToken, 'merchantAccountId' | 'id'>,
  report: { readonly status: 'active' | 'disabled'; readonly reportedAt: Date; readonly updatedAt: Date },
): Promise<void> {
  await tx.paymentMethodToken.updateMany({ where: { merchantAccountId, id }, data: report });
}

/** True if a service has a token of its own that still pays with a locked payment method. */
export async function hasActiveToken(
  tx: Tx,
  merchantAccountId: string,
  paymentMethodId: string,
): Promise<boolean> {
  const where = { merchantAccountId, paymentMethodId, status: 'active' };
  return (await tx.paymentMethodToken.count({ where })) > 0;
}

/** A token from before digests. */
export type UndigestedToken = Pick<NewToken, 'merchantAccountId' | 'id' | 'sealedToken'>;

/** Lists tokens without a digest of every merchant account, in the order of their keys after the given key. */
export const readUndigested = (
  { prisma }: Db,
  after: Pick<NewToken, 'merchantAccountId' | 'id'> | null,
  take: number,
): Promise<readonly UndigestedToken[]> =>
  prisma.paymentMethodToken.findMany({
    where: {
      tokenDigest: null,
      ...(after && {
        OR: [
          { merchantAccountId: { gt: after.merchantAccountId } },
          { merchantAccountId: after.merchantAccountId, id: { gt: after.id } },
        ],
      }),
    },
    select: { merchantAccountId: true, id: true, sealedToken: true },
    orderBy: [{ merchantAccountId: 'asc' }, { id: 'asc' }],
    take,
  });

/** Writes the digest of a token that has none. */
export async function writeDigest(
  { prisma }: Db,
  { merchantAccountId, id }: Pick<NewToken, 'merchantAccountId' | 'id'>,
  tokenDigest: string,
): Promise<void> {
  await prisma.paymentMethodToken.updateMany({
    where: { merchantAccountId, id, tokenDigest: null },
    data: { tokenDigest },
  });
}
