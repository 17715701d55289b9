import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import { parseInput } from '../../platform/input/validate.ts';
import type { Dispute } from './dispute.ts';
import { disputeFilter } from './filter.ts';
import { readDisputePage } from './list.sql.ts';

/**
 * Returns a page of the merchant account's disputes that meet every given filter, newest first. Refuses a filter that
 * breaks a limit, and an empty list.
 */
export async function listDisputes(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  given: unknown,
): Promise<Result<Page<Dispute>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  const filter = parseInput(disputeFilter, given ?? {}, 'filter');
  if (!filter.ok) return filter;
  return ok(toPage(page, await readDisputePage(app.db, merchantAccountId, page, filter.value)));
}
