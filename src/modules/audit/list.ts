import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import type { LineOrWhole } from '../../platform/database/column-set.ts';
import { isUuid } from '../../platform/ids.ts';
import { parseInput } from '../../platform/input/validate.ts';
import type { AuditEntry, AuditFilter } from './audit-entry.ts';
import { auditFilter } from './filter.ts';
import { readEntries } from './store.ts';

/**
 * Returns a page of the merchant account's entries with the fields of `columns`, newest first. Refuses a filter with a text that is
 * too long.
 */
export async function listAuditEntries(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  page: PageRequest,
  filter: AuditFilter,
  columns: LineOrWhole = 'whole',
): Promise<Result<Page<AuditEntry>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  const checked = parseInput(auditFilter, filter, 'filter');
  if (!checked.ok) return checked;
  const rows = await readEntries(app.db, merchantAccountId, page, { filter: checked.value, columns });
  return ok(toPage(page, rows));
}
