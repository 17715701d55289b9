import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { unreadFilter } from './filter.ts';
import { readUnread, readUnreadPage } from './unread.sql.ts';
import type { UnreadWebhook } from './unread-webhook.ts';

/** Lists a page of the merchant account's unread webhooks that meet the filter, newest first. */
export async function listUnreadWebhooks(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
  given: unknown,
): Promise<Result<Page<UnreadWebhook>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  const filter = parseInput(unreadFilter, given ?? {});
  if (!filter.ok) return filter;
  return ok(toPage(page, await readUnreadPage(app.db, merchantAccountId, filter.value, page)));
}

/** Returns an unread webhook. Null if the viewer's merchant account has none with the id. */
export const findUnreadWebhook = async (
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<UnreadWebhook | null> => (isUuid(id) ? readUnread(app.db, merchantAccountId, id) : null);
