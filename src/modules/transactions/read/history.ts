import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { HistoryEntry } from '../rows/history-entry.ts';
import { readHistory, type HistoryRequest } from './history.sql.ts';

/** Checks the page of a history up to a moment, or up to now. Refuses a cursor of another list. */
export function historyRequest(
  transactionId: string,
  page: PageRequest,
  until: Date | null,
): Result<HistoryRequest, InvalidInput> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok({ transactionId, page, until });
}

/** Finds a page of history for each request, newest entry first, in the order of the requests. The entries have the fields of `columns`. */
export async function findHistory(
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly HistoryRequest[],
  columns: LineOrWhole,
): Promise<readonly Page<HistoryEntry>[]> {
  const rows = await readHistory(app.db, merchantAccountId, requests, columns);
  return requests.map(({ page }, index) => toPage(page, rows[index] ?? []));
}
