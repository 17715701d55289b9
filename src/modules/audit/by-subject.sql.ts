import type { PageRequest } from '../../kernel/page.ts';
import type { Db } from '../../platform/database/db.ts';
import { prepareFile } from '../../platform/database/statement.ts';
import type { AuditFilter } from './audit-entry.ts';

/** The first and the last moment of a list as ids. */
export type IdRange = { readonly from: string; readonly to: string };

const statements = {
  forward: prepareFile(import.meta, 'audit-entries-of-subject.sql'),
  backward: prepareFile(import.meta, 'audit-entries-of-subject-backward.sql'),
} as const;

/** Reads the ids of a page and one id more, for a filter by the subject of the actor. The subject matches in any case. */
export async function readIdsOfSubject(
  db: Db,
  account: string,
  { direction, limit, cursor }: PageRequest,
  { actorSubject: subject, actor, targetId = null, action = null }: AuditFilter,
  range: IdRange,
): Promise<readonly string[]> {
  const isNoun = action?.endsWith('.*') ?? false;
  const rows = await db.query<{ id: string }>(
    statements[direction]({
      ...{ account, subject: subject ?? '', ...range, cursor, targetId, limit: limit + 1 },
      actorId: actor ?? null,
      action: isNoun ? null : action,
      noun: isNoun ? action?.slice(0, -1) : '',
    }),
  );
  return rows.map(({ id }) => id);
}
