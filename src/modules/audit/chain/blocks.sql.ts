import type { Db, Tx } from '../../../platform/database/db.ts';
import type { AuditEntry as EntryRow } from '../../../platform/generated/prisma/client.ts';
import { prepareFile } from '../../../platform/database/statement.ts';

/** A connection to read with: that of single statements, or that of a transaction. */
export type Reads = { readonly prisma: Tx };

/** The place of an entry in the chain of its merchant account. */
export type Place = { readonly sequence: bigint; readonly hash: string };

/** A place in a chain with its entry. Null when somebody has removed the entry. */
export type Chained = Place & { readonly id: string; readonly entry: EntryRow | null };

/** The most entries of a block. */
export const BLOCK_MAX = 500;

/** The most blocks of one read. A quiet account has blocks of a few entries each. A busy one has 10,000 entries in so many. */
export const BLOCKS_READ = 20;

/** The entries of a block, in the order of the chain. */
export type Block = readonly Chained[];

/** Reads the first blocks after a place, with their entries. Empty at the end of the chain. */
export async function readBlocks(
  { prisma }: Reads,
  merchantAccountId: string,
  after: bigint,
): Promise<readonly Block[]> {
  const blocks = await prisma.auditBlock.findMany({
    where: { merchantAccountId, sequence: { gt: after } },
    orderBy: { sequence: 'asc' },
    take: BLOCKS_READ,
  });
  const ids = blocks.flatMap((block) => block.ids);
  const entries = await prisma.auditEntry.findMany({ where: { merchantAccountId, id: { in: ids } } });
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return blocks.map((block) =>
    block.ids.map((id, nth) => ({
      ...{ id, sequence: block.sequence + BigInt(nth), hash: block.hashes[nth] ?? '' },
      entry: byId.get(id) ?? null,
    })),
  );
}

const places = prepareFile(import.meta, 'audit-places.sql');

/** Reads the places of entries by their ids. An entry that is not chained yet has none. */
export async function readPlaces(
  db: Db,
  account: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Place>> {
  const rows = await db.query<{ id: string; sequence: string; hash: string }>(places({ account, ids }));
  return new Map(rows.map(({ id, sequence, hash }) => [id, { sequence: BigInt(sequence), hash }]));
}
