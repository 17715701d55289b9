import { mandateReferenceOf, type BankPayment } from '../model/bank-payment.ts';
import { reversalCodeOf, type OperationKind } from '../model/operation.ts';
import { isSale } from '../model/transaction.ts';
import type { EventChange, HistoryChange, State, RecordedOutcome } from './changes.ts';

// This file makes the events and the history entry of an outcome (facts 5.2 and 1.9). Both show the rows after the
// outcome.

type Target = 'transaction' | 'capture' | 'refund';

/** An event: its record and its name. Null publishes nothing. */
type OutcomeEvent = { readonly target: Target; readonly name: (after: State) => string | null };

const about = (target: Target, ...names: readonly string[]): readonly OutcomeEvent[] =>
  names.map((name) => ({ target, name: () => name }));

const CAPTURE_REFUSED = about('transaction', 'transaction.capture-failed');

/** The events by kind and outcome, oldest first. */
const EVENTS: Readonly<Record<OperationKind, Readonly<Record<RecordedOutcome, readonly OutcomeEvent[]>>>> = {
  authorize: {
    accepted: [{ target: 'transaction', name: acceptedName }],
    succeeded: [
      {
        target: 'transaction',
        name: ({ transaction }) => (isSale(transaction) ? 'transaction.captured' : 'transaction.authorized'),
      },
    ],
    declined: about('transaction', 'transaction.declined'),
    failed: about('transaction', 'transaction.failed'),
  },
  increase: {
    accepted: about('transaction', 'transaction.increase-pending'),
    succeeded: about('transaction', 'transaction.authorization-increased'),
    declined: about('transaction', 'transaction.increase-declined'),
    failed: about('transaction', 'transaction.increase-failed'),
  },
  reauthorize: {
    accepted: about('transaction', 'transaction.reauthorize-pending'),
    succeeded: about('transaction', 'transaction.reauthorized'),
    declined: about('transaction', 'transaction.reauthorize-declined'),
    failed: about('transaction', 'transaction.reauthorize-failed'),
  },
  capture: {
    accepted: [
      ...about('capture', 'capture.pending'),
      // An accepted capture does not undo other captures.
      {
        target: 'transaction',
        name: ({ transaction }) =>
          transaction.status === 'capture_pending' ? 'transaction.capture-pending' : null,
      },
    ],
    succeeded: [...about('capture', 'capture.succeeded'), ...about('transaction', 'transaction.captured')],
    declined: [...about('capture', 'capture.declined'), ...CAPTURE_REFUSED],
    failed: [...about('capture', 'capture.failed'), ...CAPTURE_REFUSED],
  },
  refund: {
    accepted: about('refund', 'refund.pending'),
    succeeded: about('refund', 'refund.succeeded'),
    declined: about('refund', 'refund.declined'),
    failed: about('refund', 'refund.failed'),
  },
  void: {
    accepted: about('transaction', 'transaction.void-pending'),
    succeeded: about('transaction', 'transaction.voided'),
    declined: about('transaction', 'transaction.void-declined'),
    failed: about('transaction', 'transaction.void-failed'),
  },
  // A refused cancel changes nothing, and neither does a cancel of a payment that is over.
  cancel: {
    accepted: [],
    succeeded: [{ target: 'transaction', name: canceledName }],
    declined: [],
    failed: [],
  },
  // The stored gift card publishes its own events.
  redeem: { accepted: [], succeeded: [], declined: [], failed: [] },
  unredeem: { accepted: [], succeeded: [], declined: [], failed: [] },
};

function acceptedName({ transaction: { status } }: State): string | null {
  if (status === 'capture_pending') return 'transaction.capture-pending';
  return status === 'buyer_approval_pending' ? 'transaction.authentication-pending' : null;
}

/** Returns the event of a confirmed cancel. The payment has failed, or it is voided after an earlier authorisation. */
function canceledName({ transaction: { status, canceledAt, voidedAt } }: State): string | null {
  if (canceledAt === null && voidedAt === null) return null;
  return status === 'authorization_voided' ? 'transaction.voided' : 'transaction.failed';
}

/** Lists the events of an outcome. `after` is the state after the outcome. */
export function eventsOf(
  after: State,
  outcome: RecordedOutcome,
  eventIds: readonly [string, string],
): readonly EventChange[] {
  return EVENTS[after.operation.kind][outcome].flatMap(({ target, name }, ordinal) => {
    const [chosen, id] = [name(after), eventIds[ordinal]];
    return chosen === null || id === undefined
      ? []
      : [{ id, name: chosen, target: eventTargets[target](after) }];
  });
}

/** The short forms of the records for events (facts 5.1), with the fields in their published order. */
export const eventTargets: Readonly<Record<Target, (after: State) => EventChange['target']>> = {
  transaction: ({ transaction: t }) => ({
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
    payment_service_transaction_id: t.paymentServiceTransactionId,
    payment_link_id: t.paymentLinkId,
    anti_fraud_decision: t.antiFraudDecision,
    pending_review: t.fraudReview === 'pending',
    has_gift_card_redemptions: t.giftCardAmount > 0,
    error_code: t.errorCode,
    metadata: t.metadata,
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
    external_identifier: o.externalIdentifier,
    error_code: o.errorCode,
    reversed_amount: o.reversedAmount,
    reversal_code: reversalCodeOf(o),
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
    error_code: o.errorCode,
    reversed_amount: o.reversedAmount,
    reversal_code: reversalCodeOf(o),
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

/** Names the history entry as facts 1.9 does. Entries without a name there follow the same pattern. */
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
