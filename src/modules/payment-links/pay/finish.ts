import type { App } from '../../../app.ts';
import { isReferenced } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { findTransactionsOfLinks } from '../../transactions/index.ts';
import { changeLink } from '../change.ts';
import { meaningOf, type PaymentLink } from '../payment-link.ts';
import { deleteAttempt, endAttempt, postpone, type Attempt, type LeasedAttempt } from '../store/attempts.ts';
import { lockLink, readLinks } from '../store/links.ts';
import { LEASE_MS } from './begin.ts';

/**
 * Updates a link by the result of its attempt:
 * - authorised, captured or void: the link is completed
 * - declined or failed: the link is active again, or expired after its expiry
 * - undecided: the link stays, and the next change of the transaction makes the attempt due
 * - no transaction: the attempt is given up once its time is over
 *
 * Returns the current link. Commits once, with the event. A repeated call changes nothing. A crash leaves the attempt
 * due.
 */
export async function finishPayment(app: App, attempt: Attempt | LeasedAttempt): Promise<PaymentLink> {
  const { merchantAccountId, paymentLinkId } = attempt;
  const [transactions = []] = await findTransactionsOfLinks(app, { merchantAccountId }, [paymentLinkId]);
  const transaction = transactions.find(({ paymentLinkAttemptId }) => paymentLinkAttemptId === attempt.id);
  const now = app.clock.now();
  if (!transaction) {
    const isOver = now.getTime() - attempt.createdAt.getTime() >= LEASE_MS;
    return isOver ? giveUp(app, attempt) : standing(app, attempt);
  }
  const event = meaningOf(transaction);
  if (event !== null) return settleAttempt(app, attempt, event);
  await failpoint('payment_link.undecided');
  if ('lookAt' in attempt) await postpone(app.db, attempt, new Date(now.getTime() + UNDECIDED_MS));
  return standing(app, attempt);
}

/** A safety net: the transaction's own change makes the attempt due earlier. */
const UNDECIDED_MS = 3_600_000;

/**
 * Gives up an attempt without a transaction. Deletes the attempt, so that it can create none, and makes the link active
 * again.
 * Changes nothing if the attempt has created one meanwhile, and finishPayment then decides. Commits once, with the
 * event.
 */
export async function giveUp(app: App, attempt: Attempt): Promise<PaymentLink> {
  try {
    return await settleAttempt(app, attempt, 'abandon');
  } catch (error) {
    if (!isReferenced(error)) throw error;
    return standing(app, attempt);
  }
}

async function settleAttempt(
  app: App,
  attempt: Attempt,
  event: 'complete' | 'give_back' | 'abandon',
): Promise<PaymentLink> {
  const settled = await app.db.transaction(async (tx) => {
    const link = await lockLink(tx, attempt.merchantAccountId, attempt.paymentLinkId);
    if (!link) throw new Error(`Payment link ${attempt.paymentLinkId} is gone`);
    const isOurs =
      event === 'abandon' ? await deleteAttempt(tx, attempt) : await endAttempt(tx, attempt, app.clock.now());
    // Somebody else settled this attempt, and another attempt may own the link by now.
    if (!isOurs) return { link, changed: false };
    const changed = await changeLink(app, tx, link, event === 'complete' ? 'complete' : 'give_back');
    if (!changed) throw new Error(`Payment link ${link.id} is ${link.status} while it is being paid`);
    await failpoint('payment_link.finishing');
    return { link: changed, changed: true };
  });
  if (settled.changed) app.wakeRelay();
  await failpoint('payment_link.finished');
  return settled.link;
}

async function standing(app: App, { merchantAccountId, paymentLinkId }: Attempt): Promise<PaymentLink> {
  const [link] = await readLinks(app.db, merchantAccountId, [paymentLinkId]);
  if (!link) throw new Error(`Payment link ${paymentLinkId} is gone`);
  return link;
}
