import type { Db } from '../../../platform/database/db.ts';
import type { LedgerEntry as Row } from '../../../platform/generated/prisma/client.ts';
import { sharesOfReversal, sharesTaken, type Split } from '../model/splits.ts';

/** An amount that an operation changed, in minor units of `currency`. Entries are never changed. */
export type LedgerEntry = Pick<
  Row,
  'id' | 'transactionId' | 'operationId' | 'kind' | 'amount' | 'currency' | 'createdAt'
> & {
  /**
   * The shares of accounts. Null without any, and for other entries than captures, refunds and their reversals. They make the
   * amount, unless the provider moved more than the shares.
   */
  readonly splits: readonly Split[] | null;
};

/** A part of the ledger. Null has no bound. */
export type LedgerPage = {
  /** The id of the last entry before the page. */
  readonly after: string | null;
  readonly from: Date | null;
  readonly until: Date | null;
  readonly limit: number;
};

/** Reads entries in the order of their ids. */
export async function readLedger(
  { prisma }: Db,
  merchantAccountId: string,
  { after, from, until, limit }: LedgerPage,
): Promise<readonly LedgerEntry[]> {
  const rows = await prisma.ledgerEntry.findMany({
    where: {
      merchantAccountId,
      ...(after !== null && { id: { gt: after } }),
      createdAt: { ...(from && { gte: from }), ...(until && { lte: until }) },
    },
    orderBy: { id: 'asc' },
    take: limit,
    include: {
      operation: { select: { kind: true, amount: true, splits: true, reversals: true } },
      transaction: { select: { splits: true } },
    },
  });
  return rows.map(({ operation, transaction, ...entry }) => ({
    ...entry,
    splits: sharesOfEntry(entry, { operation, transaction } as Moved),
  }));
}

/** An operation and its payment, as the rules of shares know them. */
type Moved = Parameters<typeof sharesTaken>[0] & Parameters<typeof sharesOfReversal>[0];

/** Returns the shares of an entry. The capture of a sale has those of its authorisation. */
function sharesOfEntry({ kind, reversalKey }: Row, moved: Moved): readonly Split[] | null {
  switch (kind) {
    case 'capture':
    case 'refund':
      return sharesTaken(moved);
    case 'capture_reversal':
    case 'refund_reversal':
      return sharesOfReversal(moved, reversalKey);
    default:
      return null;
  }
}
