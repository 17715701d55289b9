import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import { isUuid } from '../../../platform/ids.ts';
import { findLinePage } from './known-lines.ts';
import { toPaymentService, type PaymentService } from '../model/payment-service.ts';
import { listStored, type ListFilter } from '../store.ts';
import { refuseText } from '../../../platform/input/text.ts';

/**
 * Lists the merchant account's payment services, newest first: either those in use or the deleted ones. They have the fields of
 * `columns`.
 */
export async function listPaymentServices(
  app: App,
  viewer: Viewer,
  page: PageRequest,
  { columns, ...filter }: ListFilter & { readonly columns: LineOrWhole },
): Promise<Result<Page<PaymentService>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) {
    return refuse(notACursor(page));
  }
  const unfit = filter.method === null ? null : refuseText(filter.method, 1, METHOD_LENGTH_MAX);
  if (unfit) return refuse(invalidInput(['method'], unfit));
  const { merchantAccountId } = viewer;
  if (columns === 'line') return ok(toPage(page, await findLinePage(app, merchantAccountId, page, filter)));
  const rows = await listStored(app.db, merchantAccountId, page, filter);
  return ok(
    toPage(
      page,
      rows.map((row) => toPaymentService(app, row)),
    ),
  );
}

/** Longer than any method's name. */
const METHOD_LENGTH_MAX = 50;
