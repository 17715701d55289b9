import type { FinalOutcome } from '../model/outcome.ts';
import type { OperationKind } from '../model/operation.ts';
import { GIFT_CARDS_ALONE, isSale, type Transaction, type TransactionStatus } from '../model/transaction.ts';
import { movedShares } from '../model/splits.ts';
import { knownScheme } from '../../payment-methods/index.ts';
import type { State, TransactionPatch } from './changes.ts';

/**
 * The facts for the rule of a kind. `after` is the status after the outcome in the lifecycle. Null means that the
 * lifecycle has no such way.
 */
export type Outcome = State & {
  readonly outcome: FinalOutcome;
  readonly after: TransactionStatus | null;
  readonly now: Date;
};

type Rule = (given: Outcome) => TransactionPatch;

/**
 * Decides how the reservation of an operation becomes an amount, or is released. A refusal is a decline or a failure.
 */
export const AMOUNTS: Readonly<Record<OperationKind, { readonly succeeded: Rule; readonly refused: Rule }>> =
  {
    authorize: {
      succeeded: authorized,
      refused: (given) => ({ ...answered(given), intentOutcome: 'failed' }),
    },
    increase: {
      succeeded: ({ transaction, operation }) => ({
        increasePendingAmount: 0,
        increasedAmount: transaction.increasedAmount + operation.amount,
        authorizedAmount: transaction.authorizedAmount + operation.amount,
      }),
      refused: () => ({ increasePendingAmount: 0 }),
    },
    reauthorize: {
      succeeded: ({ now }) => ({ reauthorizePending: false, reauthorizedAt: now }),
      refused: () => ({ reauthorizePending: false }),
    },
    capture: { succeeded: captured, refused: captureRefused },
    refund: {
      succeeded: (given) => ({
        ...refundDecided(given),
        ...movedShares(given, { refundPendingAmount: -1, refundedAmount: 1 }),
        refundedAmount: given.transaction.refundedAmount + onMethod(given),
      }),
      refused: (given) => ({ ...refundDecided(given), ...movedShares(given, { refundPendingAmount: -1 }) }),
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
    // The money of a late approval was never counted.
    release: { succeeded: () => ({}), refused: () => ({}) },
    // The redemption counts the gift card's money.
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
  cardCountry: outcome.cardCountry ?? transaction.cardCountry,
  ...cardBehind(transaction, outcome),
});

/** Completes the facts of a card that only the provider can read. Known facts stay. */
const cardBehind = (transaction: Transaction, { card }: FinalOutcome): TransactionPatch =>
  card == null || transaction.instrumentType === 'pan'
    ? {}
    : {
        cardScheme: transaction.cardScheme ?? knownScheme(card.scheme),
        cardBin: transaction.cardBin ?? card.bin,
        cardLastFour: transaction.cardLastFour ?? card.lastFour,
        cardExpirationDate: transaction.cardExpirationDate ?? card.expirationDate,
      };

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
    ...(sale && movedShares(given, { capturedAmount: 1 })),
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
    ...movedShares(given, { capturePendingAmount: -1, capturedAmount: 1 }),
    capturedAmount: transaction.capturedAmount + operation.amount,
    capturedAt: now,
    intentOutcome: intended(transaction, 'succeeded'),
  };
}

function captureRefused(given: Outcome): TransactionPatch {
  const { transaction, operation } = given;
  return {
    ...captureDecided(given),
    ...movedShares(given, { capturePendingAmount: -1 }),
    captureClosed: transaction.captureClosed && !operation.final,
  };
}

/** Returns the part of a refund that the payment method gets. The redemption counts a refund to a gift card. */
const onMethod = ({ operation }: Outcome): number => (operation.redemptionId === null ? operation.amount : 0);

function refundDecided(given: Outcome): TransactionPatch {
  return { refundPendingAmount: given.transaction.refundPendingAmount - onMethod(given) };
}

/**
 * Decides the changes of a confirmed cancel. It ends an unauthorised payment, releases an authorised one, or finds the
 * payment over.
 */
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

/** Decides the intent's outcome for a payment that a review held. The authorisation decided every other intent. */
export const intended = ({ intentOutcome }: Transaction, decided: 'succeeded' | 'failed') =>
  intentOutcome === 'pending' ? decided : intentOutcome;

/** Ends an open review, because its money is released. */
export const withoutReview = ({ fraudReview }: Transaction) =>
  fraudReview === 'pending' ? 'ended' : fraudReview;

/**
 * Decides the status after a refusal. The status changes only after the provider had accepted the operation. It stays
 * while another capture waits for its decision.
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
