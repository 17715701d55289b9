import {
  amountText,
  type Dispute,
  type Event,
  type Payment,
  type Refund,
  type Transaction,
  type World,
} from './world.ts';

/** The names of the types of events by their status. */
const TYPES: Readonly<Record<string, string>> = {
  AUTHORIZED: 'AuthorizedEvent',
  PROCESSOR_DECLINED: 'ProcessorDeclinedEvent',
  GATEWAY_REJECTED: 'GatewayRejectedEvent',
  FAILED: 'FailedEvent',
  SUBMITTED_FOR_SETTLEMENT: 'SubmittedForSettlementEvent',
  SETTLING: 'SettlingEvent',
  SETTLED: 'SettledEvent',
  SETTLEMENT_CONFIRMED: 'SettlementConfirmedEvent',
  SETTLEMENT_PENDING: 'SettlementPendingEvent',
  SETTLEMENT_DECLINED: 'SettlementDeclinedEvent',
  VOIDED: 'VoidedEvent',
  AUTHORIZATION_EXPIRED: 'AuthorizationExpiredEvent',
};

const money = (minor: number, currency: string) => ({
  ...{ value: amountText(minor, currency), currencyCode: currency },
});

function eventView(world: World, { currency }: Payment, event: Event): object {
  const { status, at, source, minor, response, reason, duplicateOf } = event;
  return {
    ...{ __typename: TYPES[status], status, timestamp: at.toISOString(), source, terminal: false },
    ...{ amount: money(minor, currency), gatewayRejectionReason: reason, declineType: 'SOFT' },
    duplicateOf: () => duplicateOf && transactionView(world, duplicateOf),
    networkResponse: response?.network == null ? null : { code: response.network },
    merchantAdviceCodeResponse: null,
    processorResponse: response && {
      ...{ legacyCode: response.code, message: response.message, authorizationId: '858188' },
      ...{
        cvvResponse: 'MATCHES',
        avsPostalCodeResponse: 'NOT_PROVIDED',
        avsStreetAddressResponse: 'NOT_PROVIDED',
      },
    },
  };
}

/** Returns the moment whose state an answer shows of a payment. Even a late read shows a payment as it was made. */
function shownAt(world: World, { createdAt }: Payment): Date {
  const at = world.shownAt ?? world.now();
  return at > createdAt ? at : createdAt;
}

/** The facts of every payment. Events are newest first. */
const paymentView = (world: World, payment: Payment): object => {
  const { id, legacyId, createdAt, source, merchantAccountId, currency } = payment;
  const until = shownAt(world, payment);
  const events = payment.events.filter(({ at }) => at <= until);
  const last = events.at(-1);
  return {
    ...{ id, legacyId, createdAt: createdAt.toISOString(), source, merchantAccountId },
    orderId: payment.orderIds.findLast(({ at }) => at <= until)?.orderId ?? null,
    ...{ amount: money(last?.minor ?? payment.minor, currency), status: last?.status ?? 'AUTHORIZING' },
    statusHistory: events.toReversed().map((event) => eventView(world, payment, event)),
  };
};

export const refundView = (world: World, refund: Refund): object => ({
  ...paymentView(world, refund),
  __typename: 'Refund',
  refundedTransaction: () => transactionView(world, refund.of),
});

/** Shows a transaction. Its parts are read only where a document asks for them. */
export const transactionView = (world: World, transaction: Transaction): object => {
  const { card, disputes, parent, methodId } = transaction;
  const until = shownAt(world, transaction);
  const refunds = transaction.refunds.filter(({ createdAt }) => createdAt <= until);
  const children = transaction.children.filter(({ createdAt }) => createdAt <= until);
  return {
    ...paymentView(world, transaction),
    __typename: 'Transaction',
    refunds: () => refunds.map((each) => refundView(world, each)),
    disputes: () => disputes.map((each) => disputeView(world, each)),
    partialCaptureDetails: () => partsView(world, parent, children),
    paymentMethod:
      methodId === null
        ? null
        : { __typename: 'PaymentMethod', id: methodId, legacyId: methodId, usage: 'MULTI_USE' },
    paymentMethodSnapshot: {
      ...{ __typename: 'CreditCardTransactionDetails', networkTransactionId: '020000000000001' },
      creditCard: {
        ...{ brandCode: 'VISA', bin: card.number.slice(0, 6), last4: card.number.slice(-4) },
        ...{ expirationMonth: card.month, expirationYear: card.year },
      },
    },
  };
};

function partsView(
  world: World,
  parent: Transaction | null,
  children: readonly Transaction[],
): object | null {
  if (parent)
    return { __typename: 'ChildCapture', parentAuthorization: () => transactionView(world, parent) };
  if (children.length === 0) return null;
  return {
    __typename: 'ParentAuthorization',
    childCaptures: () => children.map((each) => transactionView(world, each)),
  };
}

export const disputeView = (world: World, dispute: Dispute): object => {
  const { id, legacyId, of, minor, type, status, reason, reasonCode, receivedAt, respondBy } = dispute;
  const { texts, files } = dispute;
  return {
    ...{ __typename: 'Dispute', id, legacyId, type, status, amountDisputed: money(minor, of.currency) },
    ...{ receivedDate: receivedAt.toISOString().slice(0, 10), responseDeadline: respondBy.toISOString() },
    processorResponse: { reason, reasonCode },
    transaction: () => transactionView(world, of),
    evidence: () => [
      ...texts.map((content, index) =>
        evidenceView(`text${index}`, { __typename: 'DisputeTextEvidence', content }),
      ),
      ...files.map((_, index) =>
        evidenceView(`file${index}`, { __typename: 'DisputeFileEvidence', url: null }),
      ),
    ],
  };
};

const evidenceView = (id: string, given: object): object => ({ ...given, id, legacyId: id });
