import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Operation } from '../model/operation.ts';
import { readUnresolved } from './unresolved.sql.ts';

/** Lists a page of the merchant account's operations of unknown outcome, newest first. */
export async function listUnresolvedOperations(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
): Promise<Result<Page<Operation>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) {
    return refuse(notACursor(page));
  }
  return ok(toPage(page, await readUnresolved(app.db, merchantAccountId, page)));
}
