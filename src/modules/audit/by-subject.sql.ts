import type { PageRequest } from '../../kernel/page.ts';
import type { Db } from '../../platform/database/db.ts';
import { prepare } from '../../platform/database/statement.ts';
import type { AuditFilter } from './audit-entry.ts';

/** The first and the last moment of a list as ids. */
export type IdRange = { readonly from: string; readonly to: string };

// The expressions are those of the index. A value of null or an empty prefix is no condition.
const statementOf = (name: string, beyond: '<' | '>', order: 'DESC' | 'ASC') =>
  prepare(
    name,
    `SELECT e.id FROM audit_entry e
     WHERE e.merchant_account_id = @account AND e.actor::jsonb ->> 'subject' IS NOT NULL
       AND lower(left(e.actor::jsonb ->> 'subject', 255)) = lower(@subject::text)
       AND e.id BETWEEN @from::uuid AND @to::uuid
       AND (@cursor::uuid IS NULL OR e.id ${beyond} @cursor::uuid)
       AND (@actorId::text IS NULL OR e.actor_id = @actorId::text)
       AND (@targetId::text IS NULL OR e.target_id = @targetId::text)
       AND (@action::text IS NULL OR e.action = @action::text)
       AND starts_with(e.action, @noun::text)
     ORDER BY e.id ${order} LIMIT @limit`,
  );

const statements = {
  forward: statementOf('audit_entries_of_subject', '<', 'DESC'),
  backward: statementOf('audit_entries_of_subject_backward', '>', 'ASC'),
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
