import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { MerchantAccount } from '../model/merchant-account.ts';
import { isMerchantAccountId, accessOf } from '../model/account-access.ts';
import { listMerchantAccountsWithin } from '../store.ts';

/** Lists the merchant accounts that the viewer's token can access, by id. Refuses a cursor of another list. */
export async function listMerchantAccounts(
  app: App,
  viewer: Viewer,
  page: PageRequest,
): Promise<Result<Page<MerchantAccount>, InvalidInput>> {
  if (page.cursor !== null && !isMerchantAccountId(page.cursor)) {
    return refuse(notACursor(page));
  }
  return ok(toPage(page, await listMerchantAccountsWithin(app.db, accessOf(viewer), page)));
}
