import { next, type Machine } from '../../../kernel/machine.ts';
import type { Money } from '../../../kernel/money.ts';
import type { AntiFraudDecision } from '../../../connectors/anti-fraud/connector.ts';
import type { ThreeDSecure } from './three-d-secure.ts';
import type { CartItem, ConnectionOptions, IntegrationClient, StatementDescriptor } from './details.ts';
import type { BuyerDetails, ShippingAddress } from '../../payment-methods/index.ts';
import type { Intent } from '../../payment-services/index.ts';

/** The states of a transaction (facts 2.1). */
export type TransactionStatus =
  | 'processing'
  | 'buyer_approval_pending'
  | 'authorization_succeeded'
  | 'authorization_declined'
  | 'authorization_failed'
  | 'authorization_void_pending'
  | 'authorization_voided'
  | 'capture_pending'
  | 'capture_succeeded';

/** What can happen to a transaction. `accept_…`: the provider took it on; `refuse_…`: it decided against it later. `authenticate`: the buyer has passed a challenge, and the provider is asked. */
export type TransactionEvent =
  | 'authorize'
  | 'sale'
  | 'accept_sale'
  | 'decline'
  | 'fail'
  | 'await_buyer'
  | 'authenticate'
  | 'cancel'
  | 'capture'
  | 'accept_capture'
  | 'refuse_capture'
  | 'void'
  | 'accept_void'
  | 'refuse_void';

const undecided = {
  authorize: 'authorization_succeeded',
  sale: 'capture_succeeded',
  accept_sale: 'capture_pending',
  decline: 'authorization_declined',
  fail: 'authorization_failed',
  cancel: 'authorization_failed',
} as const;

/**
 * Every status a transaction can have and every way out of it (facts 2.1). Settle is the only writer of a status. Refunds
 * never change it. Once something is captured it says so for good, however further captures end.
 */
export const lifecycle = {
  processing: { ...undecided, await_buyer: 'buyer_approval_pending' },
  buyer_approval_pending: { ...undecided, authenticate: 'processing' },
  authorization_succeeded: {
    capture: 'capture_succeeded',
    accept_capture: 'capture_pending',
    void: 'authorization_voided',
    accept_void: 'authorization_void_pending',
    // Of a cancel that the provider carried out after it had authorised: what was authorised is released.
    cancel: 'authorization_voided',
  },
  // A cancel that is confirmed of a payment that is over has nothing left to end.
  authorization_declined: { cancel: 'authorization_declined' },
  authorization_failed: { cancel: 'authorization_failed' },
  authorization_void_pending: { void: 'authorization_voided', refuse_void: 'authorization_succeeded' },
  authorization_voided: {},
  capture_pending: {
    // Of a sale that was taken on.
    sale: 'capture_succeeded',
    decline: 'authorization_declined',
    fail: 'authorization_failed',
    cancel: 'authorization_failed',
    // Of an authorisation whose capture was taken on.
    capture: 'capture_succeeded',
    accept_capture: 'capture_pending',
    refuse_capture: 'authorization_succeeded',
  },
  capture_succeeded: {
    capture: 'capture_succeeded',
    accept_capture: 'capture_succeeded',
    refuse_capture: 'capture_succeeded',
  },
} as const satisfies Machine<TransactionStatus, TransactionEvent>;

/** The ways that an event opens: status before -> status after. */
export function waysOf(
  event: TransactionEvent,
): Readonly<Partial<Record<TransactionStatus, TransactionStatus>>> {
  const machine: Machine<TransactionStatus, TransactionEvent> = lifecycle;
  const statuses = Object.keys(lifecycle) as TransactionStatus[];
  return Object.fromEntries(
    statuses.flatMap((status) => {
      const after = machine[status][event];
      return after ? [[status, after]] : [];
    }),
  );
}

export type PaymentSource = 'ecommerce' | 'moto' | 'recurring' | 'installment' | 'card_on_file';

/** A payment. Amounts are minor units of `currency`; the pending ones are reserved by an operation under way. */
export type Transaction = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly status: TransactionStatus;
  readonly intent: Intent;
  readonly intentOutcome: 'pending' | 'succeeded' | 'failed';
  readonly amount: number;
  readonly currency: string;
  readonly country: string | null;
  readonly authorizedAmount: number;
  readonly capturePendingAmount: number;
  readonly capturedAmount: number;
  readonly refundPendingAmount: number;
  readonly refundedAmount: number;
  /** What gift cards pay of the amount. The amounts above are the payment method's alone. */
  readonly giftCardAmount: number;
  /** A void or a cancel is under way: nothing is captured meanwhile, and no other service is asked. */
  readonly voidPending: boolean;
  /** How much more than authorised may be captured. */
  readonly overCaptureAllowance: number;
  /** A final capture is confirmed or under way. */
  readonly captureClosed: boolean;
  /** How many captures the provider has taken on and not decided. */
  readonly capturesAccepted: number;
  readonly externalIdentifier: string | null;
  readonly paymentSource: PaymentSource;
  readonly merchantInitiated: boolean;
  readonly isSubsequentPayment: boolean;
  /** Whether the payment method is to be stored. */
  readonly store: boolean;
  readonly installmentCount: number | null;
  /** What is authenticated; null: the amount. */
  readonly threeDSecureAmount: number | null;
  /** How the buyer was authenticated; null when that was not asked. */
  readonly threeDSecure: ThreeDSecure | null;
  /** Until when the buyer can approve; null when nothing waits for the buyer. */
  readonly approvalExpiresAt: Date | null;
  /** Where the buyer approves or is told how to pay, also when that is over; null before and when nothing waits there. */
  readonly approvalUrl: string | null;
  /** What the buyer of a push payment names where they pay; null of others, and before the provider has given it. */
  readonly paymentReference: string | null;
  readonly method: string;
  /** `redirect_token`: what pays is known by its provider alone; null: gift cards alone pay. */
  readonly instrumentType: 'pan' | 'redirect' | 'redirect_token' | null;
  readonly cardScheme: string | null;
  readonly cardBin: string | null;
  readonly cardLastFour: string | null;
  /** MM/YY. */
  readonly cardExpirationDate: string | null;
  readonly cardFingerprint: string | null;
  /** The stored payment method that pays, or, with `store`, that is made of what pays. */
  readonly paymentMethodId: string | null;
  /** What the scheme knows the payment by. */
  readonly schemeTransactionId: string | null;
  /** What the scheme knows an earlier payment with the stored payment method by. */
  readonly previousSchemeTransactionId: string | null;
  readonly buyerId: string | null;
  /** A copy, also of a stored buyer's. */
  readonly buyer: BuyerDetails | null;
  readonly shippingDetails: ShippingAddress | null;
  readonly cartItems: readonly CartItem[] | null;
  readonly statementDescriptor: StatementDescriptor | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly connectionOptions: ConnectionOptions | null;
  readonly integrationClient: IntegrationClient | null;
  readonly redirectUrl: string | null;
  readonly antiFraudFingerprint: string | null;
  /** Who judges it before anybody is asked for money; null: nobody does. */
  readonly antiFraudServiceId: string | null;
  /** `pending` until it is judged; never changed after that, also not by a review. Null: nobody judges it. */
  readonly antiFraudDecision: AntiFraudDecision | 'pending' | null;
  readonly fraudReview: FraudReview | null;
  /** The payment link that it pays, and the attempt to pay it that made it; null of other payments. */
  readonly paymentLinkId: string | null;
  readonly paymentLinkAttemptId: string | null;
  readonly paymentServiceId: string | null;
  readonly paymentServiceTransactionId: string | null;
  readonly errorCode: string | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  readonly authResponseCode: string | null;
  readonly avsResponseCode: AvsResponseCode | null;
  readonly cvvResponseCode: CvvResponseCode | null;
  readonly authorizedAt: Date | null;
  readonly capturedAt: Date | null;
  readonly voidedAt: Date | null;
  readonly canceledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * What became of the review of an authorised payment; null: there is none, or not yet. `pending`: nothing is captured
 * meanwhile; `ended`: what was authorised was released before anybody had decided.
 */
export type FraudReview = 'pending' | 'accepted' | 'rejected' | 'ended';

export type AvsResponseCode =
  | 'match'
  | 'no_match'
  | 'partial_match_address'
  | 'partial_match_postcode'
  | 'partial_match_name'
  | 'unavailable';
export type CvvResponseCode = 'match' | 'no_match' | 'unavailable' | 'not_provided';

/** The method of a payment that gift cards pay alone. No payment method's provider is asked to do anything about it. */
export const GIFT_CARDS_ALONE = 'gift-card';

/** Where the buyer is to go at this moment: to approve, or to be told how to pay (facts 2.1). Null: nowhere. */
export function currentApprovalUrl({ status, approvalUrl, paymentReference }: Transaction): string | null {
  // Records of keys are older than the reference.
  const awaiting = paymentReference == null ? 'buyer_approval_pending' : 'processing';
  return status === awaiting ? approvalUrl : null;
}

/** Whether the payment has ended without success, and so keeps nothing of what gift cards paid. */
export const hasEndedInVain = ({ status }: Transaction): boolean =>
  status === 'authorization_declined' ||
  status === 'authorization_failed' ||
  status === 'authorization_voided';

/**
 * Whether the authorisation is also the capture. A payment that is to be reviewed is authorised only, whatever the intent. The
 * statements ask the same with store/sale.ts.
 */
export const isSale = ({
  intent,
  antiFraudDecision,
}: Pick<Transaction, 'intent' | 'antiFraudDecision'>): boolean =>
  intent === 'capture' && antiFraudDecision !== 'review';

/** Whether nothing may be captured, for a review has not accepted the payment. */
export const isHeldForReview = ({ fraudReview }: Transaction): boolean =>
  fraudReview === 'pending' || fraudReview === 'rejected' || fraudReview === 'ended';

/** What can still be captured: what is authorised, less captures confirmed or under way, until one of them is final. */
export function capturable(transaction: Transaction): Money {
  const { authorizedAmount, capturedAmount, capturePendingAmount, currency } = transaction;
  const left = authorizedAmount - capturedAmount - capturePendingAmount;
  return { amount: isCapturable(transaction) ? Math.max(left, 0) : 0, currency };
}

/** Whether another capture may start: no review holds it, nothing is being released, and no capture is the last one. */
export const isCapturable = (transaction: Transaction): boolean => {
  const { status, captureClosed, voidPending } = transaction;
  return allows(status, 'capture') && !captureClosed && !voidPending && !isHeldForReview(transaction);
};

/** What can still be refunded: everything confirmed as captured, less refunds confirmed or under way. */
export function refundable({
  capturedAmount,
  refundedAmount,
  refundPendingAmount,
  currency,
}: Transaction): Money {
  return { amount: capturedAmount - refundedAmount - refundPendingAmount, currency };
}

/**
 * Whether the authorisation can be released: not of zero, nothing captured or being captured, not being released (facts 1.8).
 * What is being captured may be nothing, of a payment that gift cards pay alone.
 */
export function voidable(transaction: Transaction): boolean {
  const { status, capturedAmount, capturePendingAmount, captureClosed, voidPending } = transaction;
  const { authorizedAmount, giftCardAmount } = transaction;
  const open = allows(status, 'accept_void') && !voidPending && !captureClosed;
  return open && authorizedAmount + giftCardAmount > 0 && capturedAmount + capturePendingAmount === 0;
}

/** Whether the payment can be ended: not authorised yet (facts 1.8), and not being ended. */
export const cancelable = ({ status, voidPending }: Transaction): boolean =>
  allows(status, 'authorize') && !voidPending;

const allows = (status: TransactionStatus, event: TransactionEvent): boolean =>
  next<TransactionStatus, TransactionEvent>(lifecycle, status, event) !== null;
