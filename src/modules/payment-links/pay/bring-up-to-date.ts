import type { App } from '../../../app.ts';
import { findTransactionsOfLinks, type Transaction } from '../../transactions/index.ts';
import { meaningOf, type PaymentLink } from '../payment-link.ts';
import { readOpenAttempt } from '../store/attempts.ts';
import { finishPayment } from './finish.ts';

/** A link and the payments that were made for it, newest first. */
export type UpToDate = { readonly link: PaymentLink; readonly transactions: readonly Transaction[] };

/**
 * A link as its payments have left it, for a buyer who must not wait for the sweeper: when the transaction of the attempt under
 * way is decided, the link is finished first, as the sweeper would (see finishPayment). Otherwise nothing is written.
 */
export async function bringUpToDate(app: App, link: PaymentLink): Promise<UpToDate> {
  const { merchantAccountId, id } = link;
  const [transactions = []] = await findTransactionsOfLinks(app, { merchantAccountId }, [id]);
  if (link.status !== 'processing') return { link, transactions };
  const attempt = await readOpenAttempt(app.db, link);
  const decided = transactions.some(
    (each) => each.paymentLinkAttemptId === attempt?.id && meaningOf(each) !== null,
  );
  return { link: attempt && decided ? await finishPayment(app, attempt) : link, transactions };
}
