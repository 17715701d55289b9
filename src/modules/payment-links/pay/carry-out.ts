import type { App } from '../../../app.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isReferenceMissing } from '../../../platform/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { findBuyers } from '../../payment-methods/index.ts';
import { createTransaction, type CreateRefusal, type Transaction } from '../../transactions/index.ts';
import type { PaymentLink } from '../payment-link.ts';
import type { GiftCardShare } from '../gift-cards.ts';
import type { AttemptGivenUp } from '../refusals.ts';
import type { SubmittedCard } from '../stored-cards.ts';
import { attemptExists } from '../store/attempts.ts';
import { keyOf, type Begun } from './begin.ts';

/** What the buyer gives on the page: the fields of createTransaction's input of the same names. */
export type Submission = {
  /** Null when gift cards pay all of it. */
  readonly paymentMethod: {
    readonly card?: unknown;
    readonly redirect?: unknown;
    readonly stored?: SubmittedCard;
  } | null;
  /** What gift cards pay of it. */
  readonly giftCards?: readonly GiftCardShare[];
  readonly redirectUrl?: string | null;
  readonly integrationClient?: string | null;
  /** Who pays, where the link does not say. */
  readonly buyer?: unknown;
};

/**
 * Makes the transaction of an attempt, under the attempt's own idempotency key: however often it is called, one is made. An
 * attempt that was given up makes none, which the database sees to: the transaction refers to it. Commits as createTransaction
 * does; what a crash leaves is reconciled there, and the sweeper brings the link to what it comes to.
 */
export async function carryOut(
  app: App,
  { link, attempt }: Begun,
  submission: Submission,
): Promise<Result<Transaction, CreateRefusal | AttemptGivenUp>> {
  const { merchantAccountId } = attempt;
  const origin = { paymentLinkId: link.id, paymentLinkAttemptId: attempt.id };
  try {
    const input = { ...toTransactionInput(link, submission), buyerId: await payingBuyerOf(app, link) };
    const made = await createTransaction(app, { merchantAccountId }, input, keyOf(attempt), origin);
    await failpoint('payment_link.paid');
    return made.ok ? ok(made.value.transaction) : made;
  } catch (error) {
    if (!isReferenceMissing(error) || (await attemptExists(app.db, attempt))) throw error;
    return refuse({ kind: 'AttemptGivenUp' });
  }
}

/**
 * The stored buyer of a link. One who has been deleted since is none: the link is still to be paid, with the copy of the details;
 * but nothing can be stored for nobody, so that a link which stores is refused.
 */
async function payingBuyerOf(
  app: App,
  { merchantAccountId, buyerId, store }: PaymentLink,
): Promise<string | null> {
  if (buyerId === null || store) return buyerId;
  const [found] = await findBuyers(app, { merchantAccountId }, [buyerId]);
  return found ? buyerId : null;
}

/** The input of createTransaction for a link and what the buyer has given. */
export const toTransactionInput = (link: PaymentLink, submission: Submission) => ({
  amount: link.amount,
  currency: link.currency,
  country: link.country,
  intent: link.intent,
  paymentSource: link.paymentSource,
  // On a page it is the buyer who pays.
  merchantInitiated: false,
  isSubsequentPayment: false,
  // What is stored already is not stored again.
  store: link.store && !submission.paymentMethod?.stored,
  installmentCount: link.installmentCount,
  externalIdentifier: link.externalIdentifier,
  // Who pays, and for whom the payment method is stored; the details are the copy that the link has.
  buyerId: link.buyerId,
  buyer: link.buyer ?? submission.buyer,
  shippingDetails: link.shippingDetails,
  cartItems: link.cartItems,
  statementDescriptor: link.statementDescriptor,
  metadata: link.metadata,
  connectionOptions: link.connectionOptions,
  paymentMethod: submission.paymentMethod,
  giftCards: submission.giftCards?.length ? submission.giftCards : null,
  redirectUrl: submission.redirectUrl,
  integrationClient: submission.integrationClient,
});
