import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import type { AuditEntry, AuditFilter } from './audit-entry.ts';
import { readEntries } from './store.ts';

/** The longest value of a filter. No id or action is longer. */
const TEXT_MAX = 255;

/** Returns a page of the merchant account's entries, newest first. Refuses a filter with a text that is too long. */
export async function listAuditEntries(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  filter: AuditFilter,
): Promise<Result<Page<AuditEntry>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  for (const name of ['actor', 'action', 'targetId'] as const) {
    const text = filter[name] ?? '';
    if (text.length > TEXT_MAX || text.includes('\0'))
      return refuse(invalidInput(['filter', name], `Must be at most ${TEXT_MAX} characters.`));
  }
  const rows = await readEntries(app.db, merchantAccountId, page, filter);
  return ok(toPage(page, rows));
}
