import { acceptChanges } from '../../src/modules/transactions/settle/accept-rules.ts';
import type {
  Changes,
  Given,
  State,
  RecordedOutcome,
} from '../../src/modules/transactions/settle/changes.ts';
import { settleChanges } from '../../src/modules/transactions/settle/settle-rules.ts';
import type { AcceptedOutcome, FinalOutcome } from '../../src/modules/transactions/model/outcome.ts';
import type { Operation, OperationKind } from '../../src/modules/transactions/model/operation.ts';
import {
  lifecycle,
  type Transaction,
  type TransactionStatus,
} from '../../src/modules/transactions/model/transaction.ts';

// Every state that the rules of outcomes can meet, without a database.

export const STATUSES = Object.keys(lifecycle) as readonly TransactionStatus[];
export const KINDS: readonly OperationKind[] = [
  ...(['authorize', 'increase', 'reauthorize', 'capture', 'refund', 'void', 'cancel', 'release'] as const),
  ...(['redeem', 'unredeem'] as const),
];
export const OUTCOMES: readonly RecordedOutcome[] = ['accepted', 'succeeded', 'declined', 'failed'];

export const NOW = new Date('2026-05-01T12:00:00.000Z');
export const SENT_AT = new Date('2026-05-01T11:59:59.000Z');
const MADE_AT = new Date('2026-05-01T11:00:00.000Z');

export const GIVEN: Given = {
  now: NOW,
  sentAt: SENT_AT,
  ledgerIds: ['ledger a', 'ledger b'],
  eventIds: ['event a', 'event b'],
  historyId: 'history',
};

export const operationOf = (given: Partial<Operation>): Operation => ({
  ...{
    merchantAccountId: 'default',
    id: 'operation',
    transactionId: 'transaction',
    paymentServiceId: 'service',
  },
  ...{
    kind: 'capture',
    origin: 'requested',
    releasesId: null,
    choice: null,
    status: 'pending',
    amount: 400,
    currency: 'USD',
    final: true,
  },
  ...{
    idempotencyKey: 'key',
    providerKey: null,
    externalIdentifier: null,
    reason: null,
    redemptionId: null,
    batchId: null,
    actor: null,
  },
  ...{ sealedCard: 'sealed', sealedReturned: null, sealedForm: null },
  ...{ providerReference: 'known', errorCode: null, rawResponseCode: null },
  ...{
    tokenizes: false,
    reversedAmount: 0,
    reversals: null,
    refundCaptures: null,
    splits: null,
    decisionUntil: null,
    authResponseCode: null,
    networkResponseCode: null,
    merchantAdviceCode: null,
    rawResponseDescription: null,
    unsent: false,
    attempts: 1,
    sentAt: SENT_AT,
    acceptedAt: null,
    unknownAt: null,
  },
  ...{
    unknownCause: null,
    leaseUntil: NOW,
    nextAttemptAt: NOW,
    settledAt: null,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
  },
  ...given,
});

/** Builds a transaction. Two captures and a refund of 400 are reserved. */
export const transactionOf = (given: Partial<Transaction>): Transaction => ({
  ...{
    merchantAccountId: 'default',
    id: 'transaction',
    status: 'authorization_succeeded',
    intent: 'authorize',
  },
  ...{ intentOutcome: 'succeeded', amount: 1000, currency: 'USD', country: null, authorizedAmount: 1000 },
  ...{
    increasedAmount: 0,
    increasePendingAmount: 0,
    reauthorizePending: false,
    capturePendingAmount: 800,
    capturedAmount: 0,
    refundPendingAmount: 400,
    refundedAmount: 0,
    refundExcessAmount: 0,
    captureReversedAmount: 0,
    refundReversedAmount: 0,
    disputeLostAmount: 0,
    openDisputes: 0,
    giftCardAmount: 0,
  },
  ...{ voidPending: true, overCaptureAllowance: 0, captureClosed: true, capturesAccepted: 0 },
  ...{
    externalIdentifier: null,
    paymentSource: 'ecommerce',
    merchantInitiated: false,
    isSubsequentPayment: false,
  },
  ...{
    store: false,
    installmentCount: null,
    cardNetwork: null,
    threeDSecureRequest: 'automatic',
    routing: null,
    circuits: null,
    threeDSecureAmount: null,
    threeDSecure: null,
    approvalExpiresAt: null,
  },
  ...{
    approvalUrl: null,
    paymentReference: null,
    method: 'card',
    instrumentType: 'pan',
    bank: null,
    cardScheme: 'visa',
  },
  ...{
    cardBin: null,
    cardLastFour: null,
    cardExpirationDate: null,
    cardFingerprint: null,
    cardCountry: null,
    paymentMethodId: null,
  },
  ...{ schemeTransactionId: null, previousSchemeTransactionId: null, buyerId: null, buyer: null },
  ...{
    shippingDetails: null,
    cartItems: null,
    orderDetails: null,
    splits: null,
    statementDescriptor: null,
    metadata: null,
    connectionOptions: null,
    merchantReference: null,
    ipAddress: null,
    browserInfo: null,
  },
  ...{ integrationClient: null, redirectUrl: null, antiFraudFingerprint: null, antiFraudServiceId: null },
  ...{ antiFraudDecision: null, fraudReview: null, paymentLinkId: null, paymentLinkAttemptId: null },
  ...{
    paymentServiceId: 'service',
    paymentServiceTransactionId: 'payment',
    errorCode: null,
    rawResponseCode: null,
  },
  ...{ rawResponseDescription: null, authResponseCode: null, avsResponseCode: null, cvvResponseCode: null },
  ...{
    reauthorizedAt: null,
    authorizedAt: MADE_AT,
    capturedAt: null,
    voidedAt: null,
    canceledAt: null,
    expiredAt: null,
    createdAt: MADE_AT,
    updatedAt: MADE_AT,
  },
  ...given,
});

export const stateOf = (operation: Partial<Operation>, transaction: Partial<Transaction> = {}): State => ({
  operation: operationOf(operation),
  transaction: transactionOf(transaction),
  service: { id: 'service', displayName: 'Card', definitionId: 'mock-card' },
});

const WORDS = { rawResponseCode: '05', rawResponseDescription: 'Words' };

export function outcomeOf(kind: Exclude<RecordedOutcome, 'accepted'>): FinalOutcome {
  return kind === 'succeeded'
    ? { kind, reference: 'said', money: { amount: 400, currency: 'USD' }, ...WORDS }
    : { kind, reference: 'said', errorCode: 'issuer_decline', ...WORDS };
}

const ACCEPTED: AcceptedOutcome = { kind: 'accepted', reference: 'said', ...WORDS };

export const decide = (state: State, outcome: RecordedOutcome, given: Given = GIVEN): Changes | null =>
  outcome === 'accepted'
    ? acceptChanges(state, ACCEPTED, {
        ...given,
        awaited: null,
        decisionWindowMs: 86_400_000,
        toldWithinMs: 0,
      })
    : settleChanges(state, outcomeOf(outcome), given);

export type Case = {
  readonly state: State;
  readonly outcome: RecordedOutcome;
  readonly changes: Changes | null;
};

const BOTH = [false, true] as const;
const PAYMENTS: readonly Partial<Transaction>[] = [
  {},
  { intent: 'capture' },
  { intent: 'capture', antiFraudDecision: 'review', antiFraudServiceId: 'judge', intentOutcome: 'pending' },
  { fraudReview: 'pending', antiFraudDecision: 'review', antiFraudServiceId: 'judge' },
  { giftCardAmount: 300 },
  { capturesAccepted: 2 },
  { capturedAmount: 200, capturedAt: MADE_AT },
];

/** Decides every outcome of every kind in every status, for all sorts of payments. */
export const outcomesOfAllStates = (): readonly Case[] =>
  STATUSES.flatMap((status) =>
    KINDS.flatMap((kind) =>
      PAYMENTS.flatMap((payment) =>
        BOTH.flatMap((isAccepted) =>
          BOTH.flatMap((isOfGiftCard) =>
            BOTH.flatMap((final) =>
              OUTCOMES.map((outcome) => {
                const operation = {
                  kind,
                  final,
                  acceptedAt: isAccepted ? MADE_AT : null,
                  redemptionId: isOfGiftCard ? 'redemption' : null,
                };
                const capturesAccepted = Math.max(payment.capturesAccepted ?? 0, isAccepted ? 1 : 0);
                const state = stateOf(operation, { ...payment, status, capturesAccepted });
                return { state, outcome, changes: decide(state, outcome) };
              }),
            ),
          ),
        ),
      ),
    ),
  );
