import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { ApiKeyPair } from '../model/api-key-pair.ts';
import { accessOf } from '../model/account-access.ts';
import { listApiKeyPairsWithin } from '../store.ts';

/** Lists the key pairs with no more access than the viewer's token, newest first. Refuses a cursor of another list. */
export async function listApiKeyPairs(
  app: App,
  viewer: Viewer,
  page: PageRequest,
): Promise<Result<Page<ApiKeyPair>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) {
    return refuse(notACursor(page));
  }
  return ok(toPage(page, await listApiKeyPairsWithin(app.db, accessOf(viewer), page)));
}
