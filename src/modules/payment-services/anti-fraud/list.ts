import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { listStoredAntiFraudServices } from './anti-fraud-services.sql.ts';
import { toAntiFraudService, type AntiFraudService } from './anti-fraud-service.ts';

/** Lists the merchant account's anti-fraud services, newest first: either those in use or the deleted ones. */
export async function listAntiFraudServices(
  app: App,
  viewer: Viewer,
  page: PageRequest,
  deleted: boolean,
): Promise<Result<Page<AntiFraudService>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  const rows = await listStoredAntiFraudServices(app.db, viewer.merchantAccountId, page, deleted);
  return ok(
    toPage(
      page,
      rows.map((row) => toAntiFraudService(app, row)),
    ),
  );
}
