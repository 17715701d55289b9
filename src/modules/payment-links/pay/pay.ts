import type { App } from '../../../app.ts';
import type { NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { checkTransactionInput, type CreateRefusal, type Transaction } from '../../transactions/index.ts';
import { findApplePay } from '../methods/apple-pay.ts';
import { findBankDebit } from '../methods/bank-debit.ts';
import { findGooglePay } from '../methods/google-pay.ts';
import type { PaymentLink } from '../payment-link.ts';
import type { AttemptGivenUp, PaymentLinkNotActive } from '../refusals.ts';
import { refuseStored } from '../methods/stored-cards.ts';
import { beginPayment } from './begin.ts';
import { carryOut, toTransactionInput, type RoutedSubmission, type Submission } from './carry-out.ts';
import { finishPayment, giveUp } from './finish.ts';

/** The result of a payment. A decline is a result too, and leaves the link active. */
export type Paid = { readonly link: PaymentLink; readonly transaction: Transaction };

export type PayRefusal = CreateRefusal | NotFound | PaymentLinkNotActive | AttemptGivenUp;

/**
 * Pays a link with the buyer's input: claims the link, creates the transaction, finishes the link. Input errors are
 * refused before the claim. A later refusal, such as a stored card that is not offered, makes the link active again.
 * A bank account is debited by the service that findBankDebit chooses. A wallet's token goes to the service that
 * findApplePay or findGooglePay chooses, because no other service can read the token.
 *
 * See the three steps for their commits and the effect of a crash.
 */
export async function payLink(
  app: App,
  link: PaymentLink,
  given: Submission,
): Promise<Result<Paid, PayRefusal>> {
  const submission = await route(app, link, given);
  if (!submission) return refuse({ kind: 'NoPaymentService', passedOver: [] });
  const checked = checkTransactionInput(app, toTransactionInput(link, submission));
  if (!checked.ok) return checked;
  const started = await beginPayment(app, link);
  if (!started.ok) return started;
  const { attempt } = started.value;
  // Check during the claim: all earlier declined payments are visible, and no other payment can start.
  const refusal = await refuseStored(app, started.value.link, submission.paymentMethod?.stored);
  const made = refusal ? refuse(refusal) : await carryOut(app, started.value, submission);
  if (!made.ok) {
    await giveUp(app, attempt);
    return refuse(...made.refusals);
  }
  return ok({ link: await finishPayment(app, attempt), transaction: made.value });
}

/** Adds the payment service of a bank debit or a wallet's token. Returns null when the link has no such service. */
async function route(app: App, link: PaymentLink, given: Submission): Promise<RoutedSubmission | null> {
  const { bank, applePay, googlePay } = given.paymentMethod ?? {};
  const find = bank ? findBankDebit : applePay ? findApplePay : googlePay ? findGooglePay : null;
  if (!find) return given;
  const byGiftCards = (given.giftCards ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const found = await find(app, link, link.amount - byGiftCards);
  return found && { ...given, paymentServiceId: found.paymentServiceId };
}
