import type { App } from '../../../app.ts';
import { findTransactionsOfLinks, type Transaction } from '../../transactions/index.ts';
import { meaningOf, type PaymentLink } from '../payment-link.ts';
import { readOpenAttempt } from '../store/attempts.ts';
import { finishPayment } from './finish.ts';

/** A link and its payments, newest first. */
export type UpToDate = { readonly link: PaymentLink; readonly transactions: readonly Transaction[] };

/**
 * Finishes a link for a buyer who must not wait for the sweeper, see finishPayment. Writes nothing while the
 * transaction of the current attempt is undecided.
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
