import type { App, Viewer } from '../../app.ts';
import { notFound, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { changeLink } from './change.ts';
import type { PaymentLink } from './payment-link.ts';
import { notActive, type PaymentLinkNotActive } from './refusals.ts';
import { lockLink } from './store/links.ts';

/**
 * Expires an active link, so that it can no longer be paid. Refuses a link that is processing, completed or expired.
 * Commits once, with the event.
 */
export async function expirePaymentLink(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<PaymentLink, NotFound | PaymentLinkNotActive>> {
  return app.db.transaction(async (tx) => {
    const link = await lockLink(tx, merchantAccountId, id);
    if (!link) return refuse(notFound('payment link'));
    const expired = await changeLink(app, tx, link, 'expire');
    return expired ? ok(expired) : refuse(notActive(link.status));
  });
}
