import type { Db } from '../../../platform/database/db.ts';
import type { LedgerEntry as Row } from '../../../platform/generated/prisma/client.ts';

/** An amount that an operation changed, in minor units of `currency`. Entries are never changed. */
export type LedgerEntry = Pick<
  Row,
  'id' | 'transactionId' | 'operationId' | 'kind' | 'amount' | 'currency' | 'createdAt'
>;

/** A part of the ledger. Null has no bound. */
export type LedgerPage = {
  /** The id of the last entry before the page. */
  readonly after: string | null;
  readonly from: Date | null;
  readonly until: Date | null;
  readonly limit: number;
};

/** Reads entries in the order of their ids. */
export const readLedger = (
  { prisma }: Db,
  merchantAccountId: string,
  { after, from, until, limit }: LedgerPage,
): Promise<readonly LedgerEntry[]> =>
  prisma.ledgerEntry.findMany({
    where: {
      merchantAccountId,
      ...(after !== null && { id: { gt: after } }),
      createdAt: { ...(from && { gte: from }), ...(until && { lte: until }) },
    },
    orderBy: { id: 'asc' },
    take: limit,
  });
