import type { PageRequest } from '../../kernel/page.ts';
import type { Db } from '../../platform/db.ts';
import type { AuditEntry as Row, Prisma } from '../../platform/generated/prisma/client.ts';
import type { Actor } from '../../platform/acting.ts';
import { camel } from '../../platform/json-row.ts';
import type { AuditEntry, AuditFilter, Fields } from './audit-entry.ts';
import { readIdsOfSubject, type IdRange } from './by-subject.sql.ts';

/** Reads a page and one row more, newest first or, backward, oldest first. A cursor must be a UUID. */
export async function readEntries(
  db: Db,
  merchantAccountId: string,
  page: PageRequest,
  filter: AuditFilter,
): Promise<readonly AuditEntry[]> {
  const { direction, limit, cursor } = page;
  const behind = cursor === null ? {} : { id: direction === 'forward' ? { lt: cursor } : { gt: cursor } };
  // The subject is inside a JSON text, so that a statement of its own finds the ids.
  const found =
    filter.actorSubject == null
      ? [behind, ...conditionsOf(filter)]
      : [{ id: { in: [...(await readIdsOfSubject(db, merchantAccountId, page, filter, rangeOf(filter)))] } }];
  const rows = await db.prisma.auditEntry.findMany({
    where: { AND: [{ merchantAccountId }, ...found] },
    orderBy: { id: direction === 'forward' ? 'desc' : 'asc' },
    take: limit + 1,
  });
  return rows.map(toAuditEntry);
}

/** A time to export. Null has no bound. */
export type Period = { readonly from: Date | null; readonly to: Date | null };

/** Reads entries of a period in stored form, oldest first, after an id. */
export const readForExport = (
  { prisma }: Db,
  merchantAccountId: string,
  period: Period,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly Row[]> =>
  prisma.auditEntry.findMany({
    where: {
      AND: [{ merchantAccountId }, after === null ? {} : { id: { gt: after } }, ...conditionsOf(period)],
    },
    orderBy: { id: 'asc' },
    take: limit,
  });

const conditionsOf = ({ actor, action, targetId, from, to }: AuditFilter): Prisma.AuditEntryWhereInput[] => [
  ...(actor == null ? [] : [{ actorId: actor }]),
  ...(action == null
    ? []
    : [{ action: action.endsWith('.*') ? { startsWith: action.slice(0, -1) } : action }]),
  ...(targetId == null ? [] : [{ targetId }]),
  // An id begins with its moment, so the primary key finds the entries of a time.
  ...(from == null ? [] : [{ id: { gte: idAt(from, '0') } }]),
  ...(to == null ? [] : [{ id: { lte: idAt(to, 'f') } }]),
];

/** Returns the ids of a time. A missing end has no bound. */
const rangeOf = ({ from, to }: AuditFilter): IdRange => ({
  from: from == null ? '00000000-0000-0000-0000-000000000000' : idAt(from, '0'),
  to: to == null ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : idAt(to, 'f'),
});

/** Returns the smallest or greatest id of a moment. */
function idAt(moment: Date, rest: '0' | 'f'): string {
  const ms = Math.min(Math.max(moment.getTime(), 0), 0xffffffffffff);
  const digits = ms.toString(16).padStart(12, '0') + rest.repeat(20);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const toAuditEntry = (row: Row): AuditEntry => ({
  id: row.id,
  action: row.action,
  target: { type: row.targetType, id: row.targetId },
  // The trigger writes the text of `actingAs`, or the kinds `system` and `database`.
  actor: JSON.parse(row.actor) as Actor,
  before: fieldsOf(row.before),
  after: fieldsOf(row.after),
  createdAt: row.createdAt,
  sequence: row.sequence,
  hash: row.hash,
});

/** Returns the fields under the names of the API. The database stores the names of columns. */
function fieldsOf(text: string | null): Fields | null {
  if (text === null) return null;
  const stored = JSON.parse(text) as Fields;
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [camel(name), value]));
}
