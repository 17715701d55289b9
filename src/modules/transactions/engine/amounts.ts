import type { FinalOutcome } from '../model/outcome.ts';
import type { OperationKind } from '../model/operation.ts';
import { GIFT_CARDS_ALONE, isSale, type Transaction, type TransactionStatus } from '../model/transaction.ts';
import type { State, TransactionPatch } from './changes.ts';

/** The view that the rule of a kind has. `after` is the status that the lifecycle gives the outcome. Null: it gives none. */
export type Outcome = State & {
  readonly outcome: FinalOutcome;
  readonly after: TransactionStatus | null;
  readonly now: Date;
};

type Rule = (given: Outcome) => TransactionPatch;

/** Decides how the reservation of an operation becomes an amount, or is given back. A refusal is a decline or a failure. */
export const AMOUNTS: Readonly<Record<OperationKind, { readonly succeeded: Rule; readonly refused: Rule }>> =
  {
    authorize: {
      succeeded: authorized,
      refused: (given) => ({ ...answered(given), intentOutcome: 'failed' }),
    },
    capture: { succeeded: captured, refused: captureRefused },
    refund: {
      succeeded: (given) => ({
        ...refundDecided(given),
        refundedAmount: given.transaction.refundedAmount + onMethod(given),
      }),
      refused: refundDecided,
    },
    void: {
      succeeded: ({ transaction, now }) => ({
        ...{ voidPending: false, voidedAt: now },
        intentOutcome: intended(transaction, 'failed'),
        fraudReview: withoutReview(transaction),
      }),
      refused: () => ({ voidPending: false }),
    },
    cancel: { succeeded: canceled, refused: () => ({ voidPending: false }) },
    // The money of a gift card is counted on its redemption.
    redeem: { succeeded: () => ({}), refused: () => ({}) },
    unredeem: { succeeded: () => ({}), refused: () => ({}) },
  };

/** Shows the provider's answer to an authorisation on its transaction. */
const answered = ({ transaction, operation, outcome }: Outcome): TransactionPatch => ({
  paymentServiceTransactionId:
    transaction.method === GIFT_CARDS_ALONE ? null : (outcome.reference ?? operation.providerReference),
  errorCode: outcome.kind === 'succeeded' ? null : outcome.errorCode,
  rawResponseCode: outcome.rawResponseCode,
  rawResponseDescription: outcome.rawResponseDescription,
  authResponseCode: outcome.authResponseCode ?? null,
  avsResponseCode: (outcome.avsResponseCode ?? null) as Transaction['avsResponseCode'],
  cvvResponseCode: (outcome.cvvResponseCode ?? null) as Transaction['cvvResponseCode'],
});

function authorized(given: Outcome): TransactionPatch {
  const { transaction, operation, outcome, now } = given;
  const sale = isSale(transaction);
  return {
    ...answered(given),
    schemeTransactionId: (outcome.kind === 'succeeded' && outcome.schemeTransactionId) || null,
    authorizedAmount: operation.amount,
    authorizedAt: now,
    intentOutcome: transaction.intent === 'capture' && !sale ? 'pending' : 'succeeded',
    fraudReview: transaction.antiFraudDecision === 'review' ? 'pending' : null,
    capturedAmount: sale ? operation.amount : 0,
    captureClosed: sale,
    capturedAt: sale ? now : null,
    voidPending: transaction.voidPending && !sale,
  };
}

const captureDecided = ({ transaction, operation }: Outcome): TransactionPatch => ({
  capturePendingAmount: transaction.capturePendingAmount - operation.amount,
  capturesAccepted: transaction.capturesAccepted - (operation.acceptedAt === null ? 0 : 1),
});

function captured(given: Outcome): TransactionPatch {
  const { transaction, operation, now } = given;
  return {
    ...captureDecided(given),
    capturedAmount: transaction.capturedAmount + operation.amount,
    capturedAt: now,
    intentOutcome: intended(transaction, 'succeeded'),
  };
}

function captureRefused(given: Outcome): TransactionPatch {
  const { transaction, operation } = given;
  return { ...captureDecided(given), captureClosed: transaction.captureClosed && !operation.final };
}

/** The part of a refund that is the payment method's money. A refund to a gift card is counted on its redemption. */
const onMethod = ({ operation }: Outcome): number => (operation.redemptionId === null ? operation.amount : 0);

function refundDecided(given: Outcome): TransactionPatch {
  return { refundPendingAmount: given.transaction.refundPendingAmount - onMethod(given) };
}

/** A cancel ends a payment that is not authorised, releases what was authorised first, or finds the payment over. */
function canceled({ transaction, after, now }: Outcome): TransactionPatch {
  const ends = after === 'authorization_failed' && transaction.status !== after;
  const releases = after === 'authorization_voided';
  return {
    voidPending: false,
    intentOutcome: ends ? 'failed' : releases ? intended(transaction, 'failed') : transaction.intentOutcome,
    fraudReview: withoutReview(transaction),
    errorCode: ends ? 'canceled' : transaction.errorCode,
    canceledAt: ends ? now : null,
    voidedAt: releases ? now : null,
  };
}

/** The intent of a payment that a review held is decided here. Every other intent was decided with the authorisation. */
const intended = ({ intentOutcome }: Transaction, decided: 'succeeded' | 'failed') =>
  intentOutcome === 'pending' ? decided : intentOutcome;

/** Ends an open review: the money that it holds is released. */
const withoutReview = ({ fraudReview }: Transaction) => (fraudReview === 'pending' ? 'ended' : fraudReview);

/**
 * Decides the status after a refusal. It changes only when the provider had taken the operation on before. It stays while
 * another capture is still being decided.
 */
export function statusAfterRefusal({ transaction, operation, after }: Outcome): TransactionStatus {
  const { status, capturesAccepted } = transaction;
  switch (operation.kind) {
    case 'authorize':
      return after ?? status;
    case 'capture':
      return operation.acceptedAt === null || capturesAccepted > 1 ? status : (after ?? status);
    case 'void':
      return operation.acceptedAt === null ? status : (after ?? status);
    default:
      return status;
  }
}
