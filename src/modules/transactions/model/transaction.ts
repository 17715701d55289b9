import { next } from '../../../kernel/machine.ts';
import type { Metadata } from '../../../platform/input/metadata.ts';
import type { Money } from '../../../kernel/money.ts';
import type { AntiFraudDecision } from '../../../connectors/anti-fraud/connector.ts';
import type { BankPayment } from './bank-payment.ts';
import { lifecycle, type TransactionEvent, type TransactionStatus } from './lifecycle.ts';
import type { SplitShare } from './splits.ts';
import type { ThreeDSecure, ThreeDSecureRequest } from './three-d-secure.ts';
import type {
  CartItem,
  ConnectionOptions,
  IntegrationClient,
  OrderDetails,
  StatementDescriptor,
} from './details.ts';
import type { BuyerDetails, ShippingAddress } from '../../payment-methods/index.ts';
import type { BrowserInfo } from '../../../connectors/interface/requests.ts';
import type { CardScheme, CircuitDecision, Intent } from '../../payment-services/index.ts';
import type { RoutingDecision } from '../../routing/index.ts';

export { lifecycle, waysOf, type TransactionEvent, type TransactionStatus } from './lifecycle.ts';

export type PaymentSource = 'ecommerce' | 'moto' | 'recurring' | 'installment' | 'card_on_file';

/** A payment. Amounts are minor units of `currency`. Pending operations reserve the pending amounts. */
export type Transaction = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly status: TransactionStatus;
  readonly intent: Intent;
  readonly intentOutcome: 'pending' | 'succeeded' | 'failed';
  readonly amount: number;
  readonly currency: string;
  readonly country: string | null;
  /** Only the provider's explicit yes to an increase adds to this amount. */
  readonly authorizedAmount: number;
  /** The sum of the confirmed increases. `authorizedAmount` counts it. */
  readonly increasedAmount: number;
  /** The part that an increase under way adds on success. Zero without one. Nothing of it is captured before. */
  readonly increasePendingAmount: number;
  /** True while a re-authorisation is under way. Meanwhile nothing is captured, released or added. */
  readonly reauthorizePending: boolean;
  readonly capturePendingAmount: number;
  readonly capturedAmount: number;
  readonly refundPendingAmount: number;
  readonly refundedAmount: number;
  /** The parts of captures and refunds that the provider took back. The two amounts no longer count them. */
  readonly captureReversedAmount: number;
  readonly refundReversedAmount: number;
  /** The captured amount that lost disputes took. `capturedAmount` still counts it. */
  readonly disputeLostAmount: number;
  /** The refunds above the captured amount. Only refunds that were made at the provider can be above. */
  readonly refundExcessAmount: number;
  /** The number of open disputes beyond an inquiry. */
  readonly openDisputes: number;
  /** The part of the amount that gift cards pay. The amounts above count the payment method alone. */
  readonly giftCardAmount: number;
  /** True while a void or a cancel is under way. Meanwhile nothing is captured, and no other service is tried. */
  readonly voidPending: boolean;
  /** The amount above the authorised amount that may be captured. */
  readonly overCaptureAllowance: number;
  /** True while a final capture is confirmed or under way. */
  readonly captureClosed: boolean;
  /** The number of captures that the provider has accepted and not decided. */
  readonly capturesAccepted: number;
  readonly externalIdentifier: string | null;
  /** The name that the provider gets: the external identifier at the creation, or the id. Null on older payments. */
  readonly merchantReference: string | null;
  readonly paymentSource: PaymentSource;
  readonly merchantInitiated: boolean;
  readonly isSubsequentPayment: boolean;
  /** True to store the payment method. */
  readonly store: boolean;
  readonly installmentCount: number | null;
  /** The wish for an authentication of the buyer. The payment service decides on an `automatic` payment. */
  readonly threeDSecureRequest: ThreeDSecureRequest;
  /** The decision of the merchant's own rules. Null without rules, and for a payment that names its service. */
  readonly routing: RoutingDecision | null;
  /** The effect of open circuits on the choice of payment services. Null without one. */
  readonly circuits: CircuitDecision | null;
  /** The amount to authenticate. Null means the payment's amount. */
  readonly threeDSecureAmount: number | null;
  /** The authentication of the buyer. Null when the payment needs none. */
  readonly threeDSecure: ThreeDSecure | null;
  /** The end of the time for the buyer's approval. Null when the payment waits for no buyer. */
  readonly approvalExpiresAt: Date | null;
  /**
   * The address for the buyer's approval or for the payment instructions, kept afterwards. Null before, and for
   * payments without such a page.
   */
  readonly approvalUrl: string | null;
  /**
   * The reference that the buyer of a push payment gives at the till. Null for other payments, and before the provider
   * sends it.
   */
  readonly paymentReference: string | null;
  readonly method: string;
  /**
   * The kind of data that the provider got. `redirect_token` and `card_token` are the provider's own. Null: gift cards
   * alone pay.
   */
  readonly instrumentType:
    | 'pan'
    | 'applepay'
    | 'googlepay'
    | 'network_token'
    | 'card_token'
    | 'bank'
    | 'redirect'
    | 'redirect_token'
    | null;
  /** The bank account to debit. Null for other payments. */
  readonly bank: BankPayment | null;
  readonly cardScheme: string | null;
  /** The network that the buyer chose for the card. Null without a choice. */
  readonly cardNetwork: CardScheme | null;
  readonly cardBin: string | null;
  readonly cardLastFour: string | null;
  /** MM/YY. */
  readonly cardExpirationDate: string | null;
  readonly cardFingerprint: string | null;
  /** The country of the issuer, as the provider reports it. Null before the answer, or if unknown. */
  readonly cardCountry: string | null;
  /** The stored payment method that pays. With `store`, the method that the payment stores. */
  readonly paymentMethodId: string | null;
  /** The scheme's id of the payment. */
  readonly schemeTransactionId: string | null;
  /** The scheme's id of an earlier payment with the stored payment method. */
  readonly previousSchemeTransactionId: string | null;
  readonly buyerId: string | null;
  /** A copy, also for a stored buyer. */
  readonly buyer: BuyerDetails | null;
  readonly shippingDetails: ShippingAddress | null;
  /** The buyer's IP address and browser, for the provider alone. */
  readonly ipAddress: string | null;
  readonly browserInfo: BrowserInfo | null;
  readonly cartItems: readonly CartItem[] | null;
  /** Null without facts about the order and without a cart. Null on older payments, too. */
  readonly orderDetails: OrderDetails | null;
  /** The shares of accounts in the payment. Null without any. */
  readonly splits: readonly SplitShare[] | null;
  readonly statementDescriptor: StatementDescriptor | null;
  readonly metadata: Metadata | null;
  readonly connectionOptions: ConnectionOptions | null;
  readonly integrationClient: IntegrationClient | null;
  readonly redirectUrl: string | null;
  readonly antiFraudFingerprint: string | null;
  /** The anti-fraud service that judges the payment before any request for money. Null when no service judges it. */
  readonly antiFraudServiceId: string | null;
  /**
   * `pending` until the decision, which never changes, not even by a review. Null when no service judges the payment.
   */
  readonly antiFraudDecision: AntiFraudDecision | 'pending' | null;
  readonly fraudReview: FraudReview | null;
  /** The payment link that the transaction pays, and the attempt that made the transaction. Null for other payments. */
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
  /** The time of the latest re-authorisation. Null before. */
  readonly reauthorizedAt: Date | null;
  readonly capturedAt: Date | null;
  readonly voidedAt: Date | null;
  readonly canceledAt: Date | null;
  /** The time at which the expiry of the authorisation was booked. Null before. */
  readonly expiredAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * The state of an authorised payment's review. Null without a review, or before it opens.
 * - `pending`: nothing is captured meanwhile.
 * - `ended`: the authorisation was released before a decision.
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

/** The method of a payment that gift cards pay alone. No provider of a payment method takes part. */
export const GIFT_CARDS_ALONE = 'gift-card';

/** True when the payment ended without success. It then keeps nothing of the gift cards' money. */
export const hasEndedInVain = ({ status }: Transaction): boolean =>
  status === 'authorization_declined' ||
  status === 'authorization_failed' ||
  status === 'authorization_voided';

/**
 * True when the authorisation also captures. A payment under review is only authorised, whatever its intent. The SQL
 * form of this rule is in fragments.sql.ts.
 */
export const isSale = ({
  intent,
  antiFraudDecision,
}: Pick<Transaction, 'intent' | 'antiFraudDecision'>): boolean =>
  intent === 'capture' && antiFraudDecision !== 'review';

/** True when a review holds the payment, so that nothing may be captured. */
export const isHeldForReview = ({ fraudReview }: Transaction): boolean =>
  fraudReview === 'pending' || fraudReview === 'rejected' || fraudReview === 'ended';

/**
 * Returns the amount that can still be captured. Confirmed and pending captures are subtracted. A final capture leaves
 * nothing.
 */
export function capturable(transaction: Transaction): Money {
  const { authorizedAmount, capturedAmount, capturePendingAmount, currency } = transaction;
  const left = authorizedAmount - capturedAmount - capturePendingAmount;
  return { amount: isCapturable(transaction) ? Math.max(left, 0) : 0, currency };
}

/**
 * True when another capture may start. A review, a release, a re-authorisation and a final capture each prevent one. An
 * increase does not: the confirmed amount can be captured meanwhile.
 */
export const isCapturable = (transaction: Transaction): boolean => {
  const { status, captureClosed, voidPending, reauthorizePending } = transaction;
  const isOpen = !captureClosed && !voidPending && !reauthorizePending;
  return allows(status, 'capture') && isOpen && !isHeldForReview(transaction);
};

/** Returns the change of the authorisation that is under way. Null without one. */
export const authorizationChange = ({
  increasePendingAmount,
  reauthorizePending,
}: Pick<Transaction, 'increasePendingAmount' | 'reauthorizePending'>): 'increase' | 'reauthorize' | null => {
  if (increasePendingAmount > 0) return 'increase';
  return reauthorizePending ? 'reauthorize' : null;
};

/**
 * True when the authorisation may be increased or renewed. The payment is authorised, and no capture or release is
 * under way or done. A review and another change are asked about apart.
 */
export const changeable = (transaction: Transaction): boolean => {
  const { status, authorizedAmount, capturedAmount, capturePendingAmount, captureClosed, voidPending } =
    transaction;
  const isOpen = status === 'authorization_succeeded' && !captureClosed && !voidPending;
  return isOpen && authorizedAmount > 0 && capturedAmount + capturePendingAmount === 0;
};

/**
 * Returns the amount that can still be refunded: the captured amount minus confirmed and pending refunds. Lost disputes
 * paid the buyer back, so they are subtracted too. Nothing, when a reversed capture leaves more refunded than captured.
 */
export function refundable(transaction: Refundable): Money {
  const { capturedAmount, refundedAmount, refundPendingAmount, currency } = transaction;
  // A result stored by an earlier release has no such column.
  const { disputeLostAmount = 0 } = transaction;
  const left = capturedAmount - refundedAmount - refundPendingAmount - disputeLostAmount;
  return { amount: Math.max(left, 0), currency };
}

type Refundable = Pick<
  Transaction,
  'capturedAmount' | 'refundedAmount' | 'refundPendingAmount' | 'currency'
> &
  Partial<Pick<Transaction, 'disputeLostAmount'>>;

/**
 * True when the authorisation can be released. The authorised amount is not zero, and no capture or release
 * is under way or done. An increase or a re-authorisation ends first. A payment that gift cards pay alone may have a
 * pending capture of zero.
 */
export function voidable(transaction: Transaction): boolean {
  const { status, capturedAmount, capturePendingAmount, captureClosed, voidPending } = transaction;
  const { authorizedAmount, giftCardAmount } = transaction;
  const isChanging = authorizationChange(transaction) !== null;
  const open = allows(status, 'accept_void') && !voidPending && !captureClosed && !isChanging;
  return open && authorizedAmount + giftCardAmount > 0 && capturedAmount + capturePendingAmount === 0;
}

/** True when the payment can be cancelled: it is not authorised yet, and no cancel is under way. */
export const cancelable = ({ status, voidPending }: Transaction): boolean =>
  allows(status, 'authorize') && !voidPending;

const allows = (status: TransactionStatus, event: TransactionEvent): boolean =>
  next<TransactionStatus, TransactionEvent>(lifecycle, status, event) !== null;
