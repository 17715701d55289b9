import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import { toPaymentService, type PaymentService } from './payment-service.ts';
import { listStored, type ListFilter } from './store.ts';
import { refuseText } from '../../platform/text.ts';

/** Lists the merchant account's payment services, newest first: either those in use or the deleted ones. */
export async function listPaymentServices(
  app: App,
  viewer: Viewer,
  page: PageRequest,
  filter: ListFilter,
): Promise<Result<Page<PaymentService>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) {
    return refuse(notACursor(page));
  }
  const unfit = filter.method === null ? null : refuseText(filter.method, 1, METHOD_LENGTH_MAX);
  if (unfit) return refuse(invalidInput(['method'], unfit));
  const rows = await listStored(app.db, viewer.merchantAccountId, page, filter);
  return ok(
    toPage(
      page,
      rows.map((row) => toPaymentService(app, row)),
    ),
  );
}

/** Longer than any method's name. */
const METHOD_LENGTH_MAX = 50;
