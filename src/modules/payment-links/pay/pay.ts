import type { App } from '../../../app.ts';
import type { NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { checkTransactionInput, type CreateRefusal, type Transaction } from '../../transactions/index.ts';
import type { PaymentLink } from '../payment-link.ts';
import type { AttemptGivenUp, PaymentLinkNotActive } from '../refusals.ts';
import { refuseStored } from '../stored-cards.ts';
import { beginPayment } from './begin.ts';
import { carryOut, toTransactionInput, type Submission } from './carry-out.ts';
import { finishPayment, giveUp } from './finish.ts';

/** What a payment came to: a decline is an answer, and leaves the link active. */
export type Paid = { readonly link: PaymentLink; readonly transaction: Transaction };

export type PayRefusal = CreateRefusal | NotFound | PaymentLinkNotActive | AttemptGivenUp;

/**
 * Pays a link with what the buyer gives on its page: claim, make the transaction, finish. What is wrong with the submission is
 * refused before the link is claimed; refused later, as a stored card is that is not offered, the link is active again. See the
 * three for what they commit, and what a crash leaves.
 */
export async function payLink(
  app: App,
  link: PaymentLink,
  submission: Submission,
): Promise<Result<Paid, PayRefusal>> {
  const checked = checkTransactionInput(app, toTransactionInput(link, submission));
  if (!checked.ok) return checked;
  const begun = await beginPayment(app, link);
  if (!begun.ok) return begun;
  const { attempt } = begun.value;
  // Asked while nobody else pays it: the payments that were declined before are all there.
  const refusal = await refuseStored(app, begun.value.link, submission.paymentMethod?.stored);
  const made = refusal ? refuse(refusal) : await carryOut(app, begun.value, submission);
  if (!made.ok) {
    await giveUp(app, attempt);
    return refuse(...made.refusals);
  }
  return ok({ link: await finishPayment(app, attempt), transaction: made.value });
}
