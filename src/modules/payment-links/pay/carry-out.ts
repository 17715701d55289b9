import type { App } from '../../../app.ts';
import type { BrowserInfo } from '../../../connectors/interface/requests.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isReferenceMissing } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { createTransaction, type CreateRefusal, type Transaction } from '../../transactions/index.ts';
import type { PaymentLink } from '../payment-link.ts';
import type { GiftCardShare } from '../methods/gift-cards.ts';
import type { AttemptGivenUp } from '../refusals.ts';
import { payingBuyerOf } from '../methods/paying-buyer.ts';
import type { SubmittedCard } from '../methods/stored-cards.ts';
import { attemptExists } from '../store/attempts.ts';
import { keyOf, type Begun } from './begin.ts';

/** The buyer's input on the page: fields of createTransaction's input, with the same names. */
export type Submission = {
  /** Null when gift cards pay everything. */
  readonly paymentMethod: {
    readonly card?: unknown;
    readonly bank?: unknown;
    readonly applePay?: unknown;
    readonly googlePay?: unknown;
    readonly redirect?: unknown;
    readonly stored?: SubmittedCard;
  } | null;
  /** The payments by gift card. */
  readonly giftCards?: readonly GiftCardShare[];
  readonly redirectUrl?: string | null;
  readonly integrationClient?: string | null;
  /** The buyer, where the link has none. */
  readonly buyer?: unknown;
  /** The facts about the buyer's request. */
  readonly ipAddress?: string | null;
  readonly browserInfo?: BrowserInfo | null;
};

/** The buyer's input, with the payment service of a bank debit or a wallet's token. Any service may take another payment. */
export type RoutedSubmission = Submission & { readonly paymentServiceId?: string | null };

/**
 * Creates the transaction of an attempt under the attempt's own idempotency key. Repeated calls create only one. An
 * attempt that was given up creates none: the transaction refers to the attempt, and the database enforces this.
 * Commits as createTransaction does. Reconciliation resolves the transaction after a crash, and the sweeper then
 * updates the link.
 */
export async function carryOut(
  app: App,
  { link, attempt }: Begun,
  submission: RoutedSubmission,
): Promise<Result<Transaction, CreateRefusal | AttemptGivenUp>> {
  const { merchantAccountId } = attempt;
  const payee = { merchantAccountId, routingVersionId: link.routingVersionId };
  const origin = { paymentLinkId: link.id, paymentLinkAttemptId: attempt.id };
  try {
    const input = { ...toTransactionInput(link, submission), buyerId: await payingBuyerOf(app, link) };
    const made = await createTransaction(app, payee, input, keyOf(attempt), origin);
    await failpoint('payment_link.paid');
    return made.ok ? ok(made.value.transaction) : made;
  } catch (error) {
    if (!isReferenceMissing(error) || (await attemptExists(app.db, attempt))) throw error;
    return refuse({ kind: 'AttemptGivenUp' });
  }
}

/** Returns the input of createTransaction for a link and the buyer's input. */
export const toTransactionInput = (link: PaymentLink, submission: RoutedSubmission) => ({
  amount: link.amount,
  currency: link.currency,
  country: link.country,
  intent: link.intent,
  paymentSource: link.paymentSource,
  // The buyer starts every payment on a page.
  merchantInitiated: false,
  isSubsequentPayment: false,
  // A stored payment method is not stored again.
  store: link.store && !submission.paymentMethod?.stored,
  installmentCount: link.installmentCount,
  externalIdentifier: link.externalIdentifier,
  // The owner of a newly stored payment method. The details are the link's copy.
  buyerId: link.buyerId,
  buyer: link.buyer ?? submission.buyer,
  shippingDetails: link.shippingDetails,
  cartItems: link.cartItems,
  splits: link.splits,
  statementDescriptor: link.statementDescriptor,
  metadata: link.metadata,
  connectionOptions: link.connectionOptions,
  paymentMethod: submission.paymentMethod,
  paymentServiceId: submission.paymentServiceId,
  giftCards: submission.giftCards?.length ? submission.giftCards : null,
  redirectUrl: submission.redirectUrl,
  integrationClient: submission.integrationClient,
  ipAddress: submission.ipAddress,
  browserInfo: submission.browserInfo,
});
