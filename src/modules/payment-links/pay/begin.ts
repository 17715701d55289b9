import type { App } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { changeLink } from '../change.ts';
import type { PaymentLink } from '../payment-link.ts';
import { notActive, type PaymentLinkNotActive } from '../refusals.ts';
import { insertAttempt, type Attempt, type LeasedAttempt } from '../store/attempts.ts';
import { lockLink } from '../store/links.ts';

/** A link that one attempt, the caller's, is paying. */
export type Begun = { readonly link: PaymentLink; readonly attempt: LeasedAttempt };

/** The time from the claim of a link to its transaction, usually milliseconds. The attempt is given up afterwards. */
export const LEASE_MS = 15_000;

/** Returns the idempotency key of an attempt's transaction. */
export const keyOf = ({ id }: Pick<Attempt, 'id'>): string => `payment-link-attempt-${id}`;

/**
 * Claims an active link for one attempt to pay it. Only one of many concurrent calls succeeds. Refuses a link that is
 * processing, completed, or expired by the database's clock.
 * Commits once: the link as processing, its event and the attempt. A crash afterwards leaves both to the sweeper. The
 * sweeper gives up an attempt without a transaction, and the link is active again.
 */
export async function beginPayment(
  app: App,
  { merchantAccountId, id }: Pick<PaymentLink, 'merchantAccountId' | 'id'>,
): Promise<Result<Begun, NotFound | PaymentLinkNotActive>> {
  const started = await app.db.transaction(
    async (tx): Promise<Result<Begun, NotFound | PaymentLinkNotActive>> => {
      const found = await lockLink(tx, merchantAccountId, id);
      if (!found) return refuse(notFound('payment link'));
      const link = await changeLink(app, tx, found, 'begin');
      if (!link) return refuse(notActive(found.status));
      const now = app.clock.now();
      const lookAt = new Date(now.getTime() + LEASE_MS);
      const attempt = {
        merchantAccountId,
        paymentLinkId: link.id,
        id: app.ids.uuid(),
        createdAt: now,
        lookAt,
      };
      await insertAttempt(tx, attempt);
      await failpoint('payment_link.claiming');
      return ok({ link, attempt });
    },
  );
  await failpoint('payment_link.claimed');
  if (started.ok) app.wakeRelay();
  return started;
}
