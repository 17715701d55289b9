import { next, type Machine } from '../../kernel/machine.ts';
import type { Money } from '../../kernel/money.ts';

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

export type TransactionEvent = 'authorize' | 'capture' | 'decline' | 'fail' | 'void';

/** Every status a transaction can have and every way out of it. Settle is the only writer of a status. */
export const lifecycle = {
  processing: {
    authorize: 'authorization_succeeded',
    capture: 'capture_succeeded',
    decline: 'authorization_declined',
    fail: 'authorization_failed',
  },
  buyer_approval_pending: {
    authorize: 'authorization_succeeded',
    capture: 'capture_succeeded',
    decline: 'authorization_declined',
    fail: 'authorization_failed',
  },
  authorization_succeeded: { capture: 'capture_succeeded', void: 'authorization_voided' },
  authorization_declined: {},
  authorization_failed: {},
  authorization_void_pending: { void: 'authorization_voided' },
  authorization_voided: {},
  capture_pending: { capture: 'capture_succeeded' },
  capture_succeeded: {},
} as const satisfies Machine<TransactionStatus, TransactionEvent>;

export type Intent = 'authorize' | 'capture';
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
  readonly voidPending: boolean;
  readonly externalIdentifier: string | null;
  readonly paymentSource: PaymentSource;
  readonly merchantInitiated: boolean;
  readonly isSubsequentPayment: boolean;
  readonly method: string;
  readonly instrumentType: 'pan';
  readonly cardScheme: string | null;
  readonly cardBin: string | null;
  readonly cardLastFour: string | null;
  /** MM/YY. */
  readonly cardExpirationDate: string | null;
  readonly cardFingerprint: string | null;
  readonly buyer: Buyer | null;
  readonly metadata: Readonly<Record<string, string>> | null;
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
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type AvsResponseCode =
  | 'match'
  | 'no_match'
  | 'partial_match_address'
  | 'partial_match_postcode'
  | 'partial_match_name'
  | 'unavailable';
export type CvvResponseCode = 'match' | 'no_match' | 'unavailable' | 'not_provided';

/** The buyer's details as given with the payment; a copy (facts 1.4). */
export type Buyer = {
  readonly displayName: string | null;
  readonly externalIdentifier: string | null;
  readonly billingDetails: BillingDetails | null;
};

export type BillingDetails = {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly emailAddress: string | null;
  readonly phoneNumber: string | null;
  readonly address: Address | null;
};

export type Address = {
  readonly city: string | null;
  readonly country: string | null;
  readonly postalCode: string | null;
  readonly state: string | null;
  readonly stateCode: string | null;
  readonly houseNumberOrName: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly organization: string | null;
};

/** What can still be captured: everything authorised, until a capture is confirmed or under way. */
export function capturable(transaction: Transaction): Money {
  const { status, authorizedAmount, capturedAmount, capturePendingAmount, voidPending, currency } =
    transaction;
  const open = status === 'authorization_succeeded' && allows(status, 'capture') && !voidPending;
  return { amount: open && capturedAmount + capturePendingAmount === 0 ? authorizedAmount : 0, currency };
}

/** What can still be refunded: everything confirmed as captured, less refunds confirmed or under way. */
export function refundable({
  capturedAmount,
  refundedAmount,
  refundPendingAmount,
  currency,
}: Transaction): Money {
  return { amount: capturedAmount - refundedAmount - refundPendingAmount, currency };
}

/** Whether the authorisation can be released: not of zero, nothing captured or being captured, not being released (facts 1.8). */
export function voidable(transaction: Transaction): boolean {
  const { status, authorizedAmount, capturedAmount, capturePendingAmount, voidPending } = transaction;
  const open = status === 'authorization_succeeded' && allows(status, 'void') && !voidPending;
  return open && authorizedAmount > 0 && capturedAmount + capturePendingAmount === 0;
}

const allows = (status: TransactionStatus, event: TransactionEvent): boolean =>
  next<TransactionStatus, TransactionEvent>(lifecycle, status, event) !== null;
