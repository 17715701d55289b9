import { startOf } from '../../kernel/day.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { Settlement as Row } from '../../platform/generated/prisma/client.ts';
import type { Match, Settlement, SettlementEntry, SettlementService } from './settlement.ts';

/** Writes new entries. Throws when an entry is stored already: the caller holds the lock of the source and has looked. */
export async function insertSettlements(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  await tx.settlement.createMany({ data: settlements.map(toRow) });
}

/** Reads the stored entries of a payment service by the provider's ids. */
export async function readKnown(
  tx: Tx,
  { merchantAccountId, paymentServiceId }: SettlementService,
  references: readonly string[],
): Promise<readonly Settlement[]> {
  const rows = await tx.settlement.findMany({
    where: { merchantAccountId, paymentServiceId, reference: { in: [...references] } },
  });
  return rows.map(toSettlement);
}

/** Reads an entry as it is now. Null if the account has no such entry. */
export async function readSettlement(
  tx: Tx,
  { merchantAccountId, id }: Pick<Settlement, 'merchantAccountId' | 'id'>,
): Promise<Settlement | null> {
  const row = await tx.settlement.findFirst({ where: { merchantAccountId, id } });
  return row && toSettlement(row);
}

type Change = Partial<
  Match & Pick<Settlement, 'explanation' | 'explainedAt' | 'rematchAt' | 'tellAt' | 'updatedAt'>
>;

/** Changes the match or the explanation of an entry. The caller holds the lock of the source. */
export const changeSettlement = async (
  tx: Tx,
  { merchantAccountId, id }: Pick<Settlement, 'merchantAccountId' | 'id'>,
  change: Change,
): Promise<Settlement> =>
  toSettlement(
    await tx.settlement.update({ where: { merchantAccountId_id: { merchantAccountId, id } }, data: change }),
  );

/** Replaces an unreadable entry, which the provider repeated in a readable form. The caller holds the lock of the source. */
export async function replaceUnreadable(tx: Tx, settlement: Settlement): Promise<void> {
  const { merchantAccountId, id, ...data } = toRow(settlement);
  await tx.settlement.update({
    where: { merchantAccountId_id: { merchantAccountId, id }, kind: 'unreadable' },
    data,
  });
}

/** Names the payout of stored entries that have none. The caller holds the lock of the source. */
export async function namePayout(
  tx: Tx,
  { merchantAccountId, paymentServiceId }: SettlementService,
  {
    payoutReference,
    references,
  }: { readonly payoutReference: string; readonly references: readonly string[] },
): Promise<void> {
  await tx.settlement.updateMany({
    where: { merchantAccountId, paymentServiceId, payoutReference: null, reference: { in: [...references] } },
    data: { payoutReference },
  });
}

/** The facts of an entry that a provider may not change. */
export const sameEntry = (one: SettlementEntry, other: SettlementEntry): boolean =>
  one.original?.amount === other.original?.amount &&
  one.original?.currency === other.original?.currency &&
  (['kind', 'gross', 'fee', 'net', 'currency', 'settledOn'] as const).every(
    (field) => one[field] === other[field],
  );

function toRow({ original, settledOn, ...columns }: Settlement): Row {
  return {
    ...columns,
    ...{ gross: BigInt(columns.gross), fee: BigInt(columns.fee), net: BigInt(columns.net) },
    originalAmount: original && BigInt(original.amount),
    originalCurrency: original?.currency ?? null,
    capturedTotal: columns.capturedTotal === null ? null : BigInt(columns.capturedTotal),
    settledOn: startOf(settledOn),
  };
}

/** A row as Prisma reads it, or as a statement does: 64-bit integers and the day are text. */
export type StoredSettlement = Omit<Row, Numbers | 'settledOn'> & {
  readonly [Name in Numbers]: Row[Name] | string;
} & { readonly settledOn: Date | string };

type Numbers = 'gross' | 'fee' | 'net' | 'originalAmount' | 'capturedTotal';

/** Converts a row. The database checks the words of the columns, and all amounts are safe integers. */
export function toSettlement({
  originalAmount,
  originalCurrency,
  settledOn,
  ...row
}: StoredSettlement): Settlement {
  return {
    ...(row as Omit<typeof row, 'kind' | 'difference'> & Pick<Settlement, 'kind' | 'difference'>),
    ...{ gross: Number(row.gross), fee: Number(row.fee), net: Number(row.net) },
    capturedTotal: row.capturedTotal === null ? null : Number(row.capturedTotal),
    original:
      originalAmount === null || originalCurrency === null
        ? null
        : { amount: Number(originalAmount), currency: originalCurrency },
    settledOn: typeof settledOn === 'string' ? settledOn : settledOn.toISOString().slice(0, 10),
  };
}
