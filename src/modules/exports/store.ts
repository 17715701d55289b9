import type { PageRequest } from '../../kernel/page.ts';
import { lockName, type Db, type Tx } from '../../platform/database/db.ts';
import type { Export as Row } from '../../platform/generated/prisma/client.ts';
import { prepareFile } from '../../platform/database/statement.ts';
import type { Export, ExportType, GivenFilter } from './export.ts';

const UNFINISHED = { in: ['pending', 'running'] };

/**
 * Inserts an export. Returns false if the merchant account already has `unfinishedMax` unfinished exports. Concurrent
 * inserts of one merchant account wait for this transaction, so that the count is right.
 */
export async function insertExport(
  tx: Tx,
  wanted: Export,
  filter: GivenFilter,
  unfinishedMax: number,
): Promise<boolean> {
  const { merchantAccountId, bytes, createdAt } = wanted;
  await lockName(tx, `export.count ${merchantAccountId}`);
  if ((await tx.export.count({ where: { merchantAccountId, status: UNFINISHED } })) >= unfinishedMax)
    return false;
  const row = { ...wanted, bytes: BigInt(bytes), filter: JSON.stringify(filter), nextAt: createdAt };
  await tx.export.create({ data: row });
  return true;
}

/** Reads exports of some types by their ids, in no order. */
export async function readExports(
  { prisma }: Db,
  merchantAccountId: string,
  ids: readonly string[],
  types: readonly ExportType[],
): Promise<readonly Export[]> {
  const where = { merchantAccountId, id: { in: [...ids] }, type: { in: [...types] } };
  return (await prisma.export.findMany({ where })).map(toExport);
}

/** Reads a page of some types and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function readExportPage(
  { prisma }: Db,
  merchantAccountId: string,
  { direction, limit, cursor }: PageRequest,
  types: readonly ExportType[],
): Promise<readonly Export[]> {
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } };
  const rows = await prisma.export.findMany({
    where: { AND: [{ merchantAccountId, type: { in: [...types] } }, behind] },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(toExport);
}

/** Reads an export of any merchant account by its id, which must be a UUID. The caller checks the signature of a link. */
export async function readExportOfLink({ prisma }: Db, id: string): Promise<StoredExport | null> {
  const row = await prisma.export.findFirst({ where: { id } });
  return row && { ...toExport(row), chunks: row.chunks };
}

/** An export with the number of its pieces. */
export type StoredExport = Export & { readonly chunks: number };

const pieceStatement = prepareFile(import.meta, 'export-chunk.sql');

/** Reads a piece of a file. Null if retention has removed the piece. */
export async function readPiece(
  db: Db,
  { merchantAccountId, id }: Pick<Export, 'merchantAccountId' | 'id'>,
  number: number,
): Promise<Uint8Array | null> {
  const [row] = await db.query<{ letters: string }>(pieceStatement({ merchantAccountId, id, number }));
  return row ? Buffer.from(row.letters, 'latin1') : null;
}

/** Converts a row. The database checks the words of the columns. */
const toExport = (row: Row): Export => ({
  ...(row as Row & Pick<Export, 'type' | 'format' | 'status' | 'failureReason'>),
  bytes: Number(row.bytes),
});
