import type { App } from '../../app.ts';
import { csvLine, withoutFormula } from '../../kernel/csv.ts';
import type { Actor } from '../../platform/acting.ts';
import { readForExport, type Period } from './store.ts';
import type { Entry } from './chain.sql.ts';

/** The columns of the export, in their order. */
export const EXPORT_COLUMNS = [
  'merchant_account_id',
  'sequence',
  'id',
  'created_at',
  'action',
  'target_type',
  'target_id',
  'actor_kind',
  'actor_id',
  'subject',
  'act',
  'address',
  'request_id',
  'before',
  'after',
  'hash',
] as const;

const PAGE = 1_000;

/**
 * Exports the entries of a merchant account as CSV (RFC 4180), oldest first, with a line of column names. Reads page by
 * page, so that any number of entries takes little memory.
 */
export async function* exportAudit(
  app: App,
  merchantAccountIds: readonly string[],
  period: Period,
): AsyncGenerator<string> {
  yield csvLine(EXPORT_COLUMNS);
  for (const merchantAccountId of merchantAccountIds) {
    let after: string | null = null;
    for (;;) {
      const page: readonly Entry[] = await readForExport(app.db, merchantAccountId, period, {
        after,
        limit: PAGE,
      });
      if (page.length > 0) yield page.map((entry) => csvLine(cellsOf(entry))).join('');
      if (page.length < PAGE) break;
      after = page.at(-1)?.id ?? null;
    }
  }
}

function cellsOf(entry: Entry): readonly string[] {
  // The trigger writes the actor as JSON text.
  const { subject = null, act = null, address = null, requestId = null } = JSON.parse(entry.actor) as Actor;
  const cells = [
    ...[entry.merchantAccountId, entry.sequence, entry.id, entry.createdAt.toISOString(), entry.action],
    ...[entry.targetType, entry.targetId, entry.actorKind, entry.actorId, subject, act, address, requestId],
    ...[entry.before, entry.after, entry.hash],
  ];
  return cells.map((cell) => (cell === null ? '' : withoutFormula(String(cell))));
}
