import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { readHistory } from './history.sql.ts';

/** An entry in a transaction's history (facts 1.9). The change itself writes the entry. An entry never changes. */
export type HistoryEntry = {
  readonly id: string;
  readonly transactionId: string;
  readonly name: string;
  /** The known details, in the provider's and the specification's snake_case names. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
};

/** A page of one transaction's history. The page's cursor is a checked id. */
export type HistoryRequest = { readonly transactionId: string; readonly page: PageRequest };

/** Checks the page of a history. Refuses a cursor of another list. */
export function historyRequest(
  transactionId: string,
  page: PageRequest,
): Result<HistoryRequest, InvalidInput> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok({ transactionId, page });
}

/** Finds a page of history for each request, newest entry first, in the order of the requests. */
export async function findHistory(
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly HistoryRequest[],
): Promise<readonly Page<HistoryEntry>[]> {
  const rows = await readHistory(app.db, merchantAccountId, requests);
  return requests.map(({ page }, index) => toPage(page, rows[index] ?? []));
}
