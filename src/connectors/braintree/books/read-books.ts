import {
  noticeOutcomeOf,
  type BooksRequest,
  type BooksState,
  type Notice,
  type ProviderBooks,
  type Unknown,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import { childrenOf, type Captured, type Refund, type StatusEvent, type Transaction } from '../answers.ts';
import { disputeNotice } from '../disputes/dispute-report.ts';
import { UNREADABLE, type Api } from '../exchange.ts';
import { captureKeyOf, captureReferenceOf, keyOfRefund, namesIn } from '../names.ts';
import {
  authorizationOutcome,
  authorizedOf,
  captureOutcome,
  refundOutcome,
} from '../payments/payment-outcome.ts';
import { readTransaction } from '../payments/read-transaction.ts';
import { captureEventOf, decisionOf, eventOf, isCaptured, isRefused } from '../payments/status.ts';

/** Reads a payment whole. Null if Braintree does not have the payment. */
export async function readBooks(
  api: Api,
  { reference }: BooksRequest,
): Promise<ProviderBooks | Unknown | null> {
  const read = await readTransaction(api, reference);
  return read === null || 'kind' in read ? read : booksOf(read);
}

/** Returns the books. A part that cannot be read makes all of them unreadable, because the core takes them as the whole. */
export function booksOf(transaction: Transaction): ProviderBooks | Unknown {
  const children = childrenOf(transaction);
  // A transaction with children is captured by them alone.
  const captures = children.length > 0 ? children : [transaction];
  const told = captures.flatMap((each) => each.refunds.map((made) => refundNotice(transaction, each, made)));
  const notices = [
    authorizationNotice(transaction),
    ...captures.flatMap((each) => captureNotices(transaction, each)),
    ...told.flat(),
    ...endNotices(transaction),
  ];
  const disputes = captures.flatMap((each) =>
    each.disputes.map((given) => disputeNotice(given, { transaction, captured: each })),
  );
  if (notices.includes(null) || disputes.includes(null)) return UNREADABLE;
  const state = stateOf(transaction);
  return {
    ...{ kind: 'books', state, authorized: isRefused(transaction) ? null : authorizedOf(transaction) },
    notices: notices.flatMap((notice) => notice ?? []),
    disputes: disputes.flatMap((notice) => notice ?? []),
  };
}

function stateOf(transaction: Transaction): BooksState {
  const { status } = transaction;
  if (isRefused(transaction)) return 'refused';
  if (isCaptured(transaction) || captureEventOf(transaction) || status === 'SETTLEMENT_DECLINED')
    return 'closed';
  switch (status) {
    case 'AUTHORIZED':
      return 'open';
    case 'VOIDED':
      return childrenOf(transaction).length > 0 ? 'closed' : 'voided';
    case 'AUTHORIZATION_EXPIRED':
      return childrenOf(transaction).length > 0 ? 'closed' : 'expired';
    default:
      return 'pending';
  }
}

/** The core names notices of books by itself. */
const factsOf = ({ id }: Transaction, event: StatusEvent | undefined) => ({
  ...{ eventKey: '', occurredAt: event?.timestamp ?? null, paymentReference: id },
});

/** Null for an outcome that cannot be read. */
function authorizationNotice(transaction: Transaction): Notice | null {
  const outcome = authorizationOutcome(transaction, { isLookUp: true });
  if (outcome.kind === 'unknown') return null;
  return {
    ...factsOf(transaction, decisionOf(transaction) ?? captureEventOf(transaction)),
    ...{ verb: 'authorize', key: namesIn(transaction.orderId).key, reference: transaction.id },
    outcome: noticeOutcomeOf(outcome),
  };
}

/** Reads a capture, and its end after a success. A sale has no capture of its own. */
function captureNotices(transaction: Transaction, captured: Captured): readonly (Notice | null)[] {
  const isOfSale = captured.id === transaction.id && namesIn(transaction.orderId).isSale;
  const event = captureEventOf(captured);
  const isTakenBack = captured.status === 'SETTLEMENT_DECLINED';
  if (!event && !isTakenBack && !isCaptured(captured)) return [];
  const key = captureKeyOf(transaction, captured);
  const reference = captureReferenceOf(transaction, captured);
  const told = { verb: 'capture', key, reference } as const;
  const success = captureOutcome(
    { ...captured, status: isTakenBack ? 'SETTLED' : captured.status },
    reference,
  );
  const words = { rawResponseCode: captured.status, rawResponseDescription: null };
  const isDone = success?.kind === 'succeeded' || success?.kind === 'accepted';
  const reversal: readonly Notice[] = isTakenBack
    ? [
        {
          ...{ ...factsOf(transaction, eventOf(captured, captured.status)), ...told },
          outcome: { kind: 'reversed', money: null, errorCode: 'other_decline', ...words },
        },
      ]
    : [];
  if (isOfSale) return [...reversal, ...voidNotices(transaction, captured)];
  return [
    isDone
      ? {
          ...{ ...factsOf(transaction, event), ...told, outcome: noticeOutcomeOf(success) },
          ...(key === null && { final: transaction.status !== 'AUTHORIZED' }),
        }
      : null,
    ...reversal,
    ...voidNotices(transaction, captured),
  ];
}

/** Reads the void of a capture, which gives all of its money back. Its only name is that of the capture. */
function voidNotices(transaction: Transaction, captured: Captured): readonly (Notice | null)[] {
  const event = captureEventOf(captured);
  if (captured.status !== 'VOIDED' || !event) return [];
  const money = moneyFromWire(event.amount ?? captured.amount);
  if (money === null) return [null];
  return [
    {
      ...factsOf(transaction, eventOf(captured, 'VOIDED')),
      ...{ verb: 'refund', key: null, reference: captured.id },
      captureReference: captureReferenceOf(transaction, captured),
      outcome: { kind: 'succeeded', money, rawResponseCode: captured.status, rawResponseDescription: null },
    },
  ];
}

/** Reads the end of an authorisation, or of what its captures left. */
function endNotices(transaction: Transaction): readonly Notice[] {
  const { id, orderId, status } = transaction;
  if (captureEventOf(transaction)) return [];
  const { key } = namesIn(orderId);
  const words = { rawResponseCode: status, rawResponseDescription: null };
  const facts = factsOf(transaction, eventOf(transaction, status));
  if (status === 'AUTHORIZATION_EXPIRED')
    return [{ ...facts, verb: 'authorize', key, reference: id, outcome: { kind: 'expired', ...words } }];
  if (status !== 'VOIDED') return [];
  return [
    {
      ...{ ...facts, verb: 'void', key: null, reference: null, authorizationKey: key },
      outcome: { kind: 'succeeded', money: null, ...words },
    },
  ];
}

/** The ends of a refund that may have succeeded before. Its record does not say so, and a reversal decides a pending refund, too. */
const TAKEN_BACK: ReadonlySet<string> = new Set(['FAILED', 'SETTLEMENT_DECLINED', 'VOIDED']);

function refundNotice(
  transaction: Transaction,
  captured: Captured,
  made: Refund,
): readonly (Notice | null)[] {
  const read = refundOutcome(made);
  if (read.kind === 'unknown') return [null];
  if (read.kind === 'accepted') return [];
  const told = noticeOutcomeOf(read);
  // The refund may be a part of ours.
  const money = moneyFromWire(made.amount);
  if (money === null) return [null];
  const outcome =
    told.kind === 'failed' && TAKEN_BACK.has(made.status)
      ? ({ ...told, kind: 'reversed', money, reversalReference: made.id } as const)
      : told;
  return [
    {
      ...{ eventKey: '', occurredAt: made.createdAt, paymentReference: transaction.id },
      ...{ verb: 'refund', key: keyOfRefund(made, captured), reference: made.id },
      ...{ captureReference: captureReferenceOf(transaction, captured), outcome },
    },
  ];
}
