import type { App } from '../../app.ts';
import { csvLine, withoutFormula } from '../../kernel/csv.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Actor } from '../../platform/database/acting.ts';
import { readForExport, type Exported, type Period } from './store.ts';

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

/** `csv`: RFC 4180, with a line of column names. `json`: an object for each line, with the columns as keys. */
export type ExportFormat = 'csv' | 'json';

/**
 * Exports the entries of merchant accounts, oldest first. Reads page by page, so that any number of entries takes little
 * memory.
 */
export async function* exportAudit(
  app: App,
  merchantAccountIds: readonly string[],
  period: Period,
  format: ExportFormat = 'csv',
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(EXPORT_COLUMNS);
  const lineOf = format === 'csv' ? csvOf : jsonOf;
  for (const merchantAccountId of merchantAccountIds) {
    let after: string | null = null;
    for (;;) {
      const page: readonly Exported[] = await readForExport(app.db, merchantAccountId, period, {
        after,
        limit: PAGE,
      });
      if (page.length > 0) yield page.map(lineOf).join('');
      if (page.length < PAGE) break;
      after = page.at(-1)?.id ?? null;
    }
  }
}

/** Returns a line with the cells of an entry, in the order of the columns. */
const csvOf = (entry: Exported): string =>
  csvLine(valuesOf(entry).map((value) => (value === null ? '' : withoutFormula(String(value)))));

/** Returns a line of JSON. The changed fields are objects, and the sequence is a number. */
function jsonOf(entry: Exported): string {
  const values = valuesOf(entry);
  const named = Object.fromEntries(EXPORT_COLUMNS.map((column, place) => [column, values[place] ?? null]));
  const sequence = entry.place === null ? null : Number(entry.place.sequence);
  const [before, after] = [changed(entry.before), changed(entry.after)];
  return `${JSON.stringify({ ...named, sequence, before, after })}\n`;
}

/** Returns the changed fields, which an entry keeps as JSON text. A text that somebody broke stays a text. */
const changed = (fields: string | null): unknown => (fields === null ? null : (parseJson(fields) ?? fields));

/** Returns the values of the columns, in their order. */
function valuesOf(entry: Exported): readonly (string | bigint | null)[] {
  // The trigger writes the actor as JSON text.
  const { subject = null, act = null, address = null, requestId = null } = JSON.parse(entry.actor) as Actor;
  return [
    ...[
      entry.merchantAccountId,
      entry.place?.sequence ?? null,
      entry.id,
      entry.createdAt.toISOString(),
      entry.action,
    ],
    ...[entry.targetType, entry.targetId, entry.actorKind, entry.actorId, subject, act, address, requestId],
    ...[entry.before, entry.after, entry.place?.hash ?? null],
  ];
}
