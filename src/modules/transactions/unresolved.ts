import type { App, Viewer } from '../../app.ts';
import { toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Operation } from './operation.ts';
import { readUnresolved } from './store/unresolved.ts';

/** A page of the merchant account's operations whose outcome is unknown, newest first. */
export async function listUnresolvedOperations(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
): Promise<Result<Page<Operation>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) {
    const path = page.direction === 'forward' ? 'after' : 'before';
    return refuse(invalidInput([path], 'Not a cursor of this list.'));
  }
  return ok(toPage(page, await readUnresolved(app.db, merchantAccountId, page)));
}
