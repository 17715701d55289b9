import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { inOrderOf, isUuid } from '../../../platform/ids.ts';
import { findEndpoints, listEndpoints } from './endpoints.sql.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** Lists the merchant account's webhook endpoints, newest first. */
export async function listWebhookEndpoints(
  app: App,
  viewer: Viewer,
  page: PageRequest,
): Promise<Result<Page<WebhookEndpoint>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) {
    return refuse(notACursor(page));
  }
  return ok(toPage(page, await listEndpoints(app.db, viewer.merchantAccountId, page)));
}

/** Returns endpoints in the order of the ids. Null for an id that the merchant account does not have. */
export async function findWebhookEndpoints(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (WebhookEndpoint | null)[]> {
  const rows = await findEndpoints(app.db, viewer.merchantAccountId, ids);
  return inOrderOf(ids, rows);
}
