import { mandateReferenceOf, type BankPayment } from '../model/bank-payment.ts';
import { reversalCodeOf, type OperationKind } from '../model/operation.ts';
import { sharesOf, type SplitShare } from '../model/splits.ts';
import { isSale } from '../model/transaction.ts';
import type { NameOf } from '../../event-log/index.ts';
import type {
  EventChange,
  EventTarget,
  HistoryChange,
  PublishedChange,
  PublishedKind,
  RecordedOutcome,
  State,
} from './changes.ts';

// This file makes the events and the history entry of an outcome. Both show the rows after the outcome.

/** An event about a state after an outcome. Null publishes nothing. */
type OutcomeEvent = (after: State) => PublishedChange | null;

/** Makes the event about the transaction. A name may depend on the state, and null publishes nothing. */
const transaction =
  (name: TransactionName | ((after: State) => TransactionName | null)): OutcomeEvent =>
  (after) => {
    const chosen = typeof name === 'string' ? name : name(after);
    return chosen && { name: chosen, target: eventTargets.transaction(after) };
  };

type TransactionName = NameOf<'transaction'>;

const capture =
  (name: NameOf<'capture'>): OutcomeEvent =>
  (after) => ({ name, target: eventTargets.capture(after) });

const refund =
  (name: NameOf<'refund'>): OutcomeEvent =>
  (after) => ({ name, target: eventTargets.refund(after) });

const CAPTURE_REFUSED = [transaction('transaction.capture-failed')];

/** The events by kind and outcome, oldest first. */
const EVENTS: Readonly<Record<OperationKind, Readonly<Record<RecordedOutcome, readonly OutcomeEvent[]>>>> = {
  authorize: {
    accepted: [transaction(acceptedName)],
    succeeded: [
      transaction((after) => (isSale(after.transaction) ? 'transaction.captured' : 'transaction.authorized')),
    ],
    declined: [transaction('transaction.declined')],
    failed: [transaction('transaction.failed')],
  },
  increase: {
    accepted: [transaction('transaction.increase-pending')],
    succeeded: [transaction('transaction.authorization-increased')],
    declined: [transaction('transaction.increase-declined')],
    failed: [transaction('transaction.increase-failed')],
  },
  reauthorize: {
    accepted: [transaction('transaction.reauthorize-pending')],
    succeeded: [transaction('transaction.reauthorized')],
    declined: [transaction('transaction.reauthorize-declined')],
    failed: [transaction('transaction.reauthorize-failed')],
  },
  capture: {
    accepted: [
      capture('capture.pending'),
      // An accepted capture does not undo other captures.
      transaction((after) =>
        after.transaction.status === 'capture_pending' ? 'transaction.capture-pending' : null,
      ),
    ],
    succeeded: [capture('capture.succeeded'), transaction('transaction.captured')],
    declined: [capture('capture.declined'), ...CAPTURE_REFUSED],
    failed: [capture('capture.failed'), ...CAPTURE_REFUSED],
  },
  refund: {
    accepted: [refund('refund.pending')],
    succeeded: [refund('refund.succeeded')],
    declined: [refund('refund.declined')],
    failed: [refund('refund.failed')],
  },
  void: {
    accepted: [transaction('transaction.void-pending')],
    succeeded: [transaction('transaction.voided')],
    declined: [transaction('transaction.void-declined')],
    failed: [transaction('transaction.void-failed')],
  },
  // A refused cancel changes nothing, and neither does a cancel of a payment that is over.
  cancel: {
    accepted: [],
    succeeded: [transaction(canceledName)],
    declined: [],
    failed: [],
  },
  release: {
    accepted: [],
    succeeded: [transaction('transaction.late-authorization-released')],
    declined: [transaction('transaction.late-authorization-kept')],
    failed: [transaction('transaction.late-authorization-kept')],
  },
  // The stored gift card publishes its own events.
  redeem: { accepted: [], succeeded: [], declined: [], failed: [] },
  unredeem: { accepted: [], succeeded: [], declined: [], failed: [] },
};

function acceptedName({ transaction: { status } }: State): TransactionName | null {
  if (status === 'capture_pending') return 'transaction.capture-pending';
  return status === 'buyer_approval_pending' ? 'transaction.authentication-pending' : null;
}

/** Returns the event of a confirmed cancel. The payment has failed, or it is voided after an earlier authorisation. */
function canceledName({ transaction: { status, canceledAt, voidedAt } }: State): TransactionName | null {
  if (canceledAt === null && voidedAt === null) return null;
  return status === 'authorization_voided' ? 'transaction.voided' : 'transaction.failed';
}

/** Lists the events of an outcome. `after` is the state after the outcome. */
export function eventsOf(
  after: State,
  outcome: RecordedOutcome,
  eventIds: readonly [string, string],
): readonly EventChange[] {
  return EVENTS[after.operation.kind][outcome].flatMap((event, ordinal) => {
    const [published, id] = [event(after), eventIds[ordinal]];
    return published === null || id === undefined ? [] : [{ id, ...published }];
  });
}

type EventTargets = {
  readonly [Kind in PublishedKind]: (after: State) => EventTarget<Kind>;
};

/** The short forms of the records for events, with the fields in their published order. */
export const eventTargets: EventTargets = {
  transaction: ({ transaction: t, operation: { origin } }) => ({
    type: 'transaction',
    id: t.id,
    status: t.status,
    payment_method: { method: t.method },
    bank: t.bank && bankTarget(t.bank),
    external_identifier: t.externalIdentifier,
    amount: t.amount,
    currency: t.currency,
    authorized_amount: t.authorizedAmount,
    captured_amount: t.capturedAmount,
    refunded_amount: t.refundedAmount,
    splits: splitsTarget(t.splits),
    payment_service_transaction_id: t.paymentServiceTransactionId,
    payment_link_id: t.paymentLinkId,
    anti_fraud_decision: t.antiFraudDecision,
    pending_review: t.fraudReview === 'pending',
    has_gift_card_redemptions: t.giftCardAmount > 0,
    error_code: t.errorCode,
    metadata: t.metadata,
    origin,
    created_at: t.createdAt,
    updated_at: t.updatedAt,
  }),
  capture: ({ transaction, operation: o }) => ({
    type: 'capture',
    id: o.id,
    status: o.status,
    transaction_id: transaction.id,
    amount: o.amount,
    currency: o.currency,
    final: o.final,
    splits: sharesOf(o),
    external_identifier: o.externalIdentifier,
    error_code: o.errorCode,
    reversed_amount: o.reversedAmount,
    reversal_code: reversalCodeOf(o),
    origin: o.origin,
    created_at: o.createdAt,
  }),
  refund: ({ transaction, operation: o }) => ({
    type: 'refund',
    id: o.id,
    status: o.status,
    transaction_id: transaction.id,
    amount: o.amount,
    currency: o.currency,
    external_identifier: o.externalIdentifier,
    reason: o.reason,
    splits: sharesOf(o),
    error_code: o.errorCode,
    reversed_amount: o.reversedAmount,
    reversal_code: reversalCodeOf(o),
    origin: o.origin,
    created_at: o.createdAt,
  }),
};

/** The facts that SEPA and Bacs demand in the notice to the payer before a debit, beside money and description. */
const bankTarget = ({ scheme, lastFour, mandate, debit }: BankPayment) => ({
  scheme,
  last_four: lastFour,
  mandate_reference: mandateReferenceOf({ mandate, debit }),
  debits_on: debit?.debitsOn ?? null,
  creditor_id: debit?.creditorId ?? null,
});

/** The SQL form of this mapping is the function `published_splits` of the database. */
const splitsTarget = (splits: readonly SplitShare[] | null) =>
  splits &&
  splits.map(({ kind, account, amount, reference, capturedAmount, refundedAmount }) => ({
    ...{ kind, account, amount, reference },
    ...{ captured_amount: capturedAmount, refunded_amount: refundedAmount },
  }));

/** Makes the history entry of an outcome. `after` is the state after the outcome. */
export function historyOf(after: State, outcome: RecordedOutcome, id: string): HistoryChange {
  const { transaction: t, operation: o, service } = after;
  const isOfGiftCard = o.redemptionId !== null;
  const isAuthorize = o.kind === 'authorize';
  return {
    id,
    name: historyName(o.kind, outcome, isOfGiftCard),
    context: {
      operation_id: o.id,
      origin: o.origin === 'provider' ? o.origin : null,
      amount: o.amount,
      currency: o.currency,
      payment_service_id: service.id,
      payment_service_display_name: service.displayName,
      payment_service_definition_id: service.definitionId,
      // The provider's id of the operation itself.
      payment_service_reference: o.providerReference,
      redemption_id: o.redemptionId,
      gift_card_service_id: isOfGiftCard ? service.id : null,
      gift_card_service_display_name: isOfGiftCard ? service.displayName : null,
      gift_card_service_definition_id: isOfGiftCard ? service.definitionId : null,
      reason: isOfGiftCard ? o.errorCode : null,
      payment_service_transaction_id: isAuthorize ? o.providerReference : t.paymentServiceTransactionId,
      status: o.status,
      code: o.errorCode,
      instrument_type: t.instrumentType,
      payment_method_scheme: t.cardScheme,
      raw_response_code: o.rawResponseCode,
      raw_response_description: o.rawResponseDescription,
      auth_response_code: isAuthorize ? t.authResponseCode : null,
      avs_response_code: isAuthorize ? t.avsResponseCode : null,
      cvv_response_code: isAuthorize ? t.cvvResponseCode : null,
      voided_at: o.kind === 'void' ? t.voidedAt : null,
    },
  };
}

/** Names the history entry of an outcome. Movements of gift cards have names of their own. */
function historyName(kind: OperationKind, outcome: RecordedOutcome, isOfGiftCard: boolean): string {
  const prefix = 'payment-connector-response-transaction';
  const giftCard = outcome === 'succeeded' || outcome === 'accepted' ? outcome : 'failed';
  const pending = outcome === 'accepted' ? 'pending' : outcome;
  switch (kind) {
    case 'redeem':
      return `gift-card-redemption-${giftCard}`;
    case 'unredeem':
      return `gift-card-reversal-${giftCard}`;
    case 'refund':
      return isOfGiftCard ? `gift-card-refund-${giftCard}` : `${prefix}-refund-${pending}`;
    case 'authorize':
      return outcome === 'declined' ? `${prefix}-declined` : `${prefix}-authorization-${pending}`;
    case 'increase':
      return `${prefix}-authorization-increment-${pending}`;
    case 'reauthorize':
      return `${prefix}-reauthorization-${pending}`;
    default:
      return `${prefix}-${kind}-${pending}`;
  }
}
