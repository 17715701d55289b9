import type { DeclineCode, Known, Outcome, Unknown } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Action, Payment } from '../answers.ts';
import { paymentNamedIn } from '../names.ts';
import { isApproval, isDeclined, isOpen, isRefusal, meaningOf, PARTIAL } from '../response-codes.ts';
import { writeToken } from '../token.ts';
import { cardWordsOf, wordsOf } from './card-words.ts';

export const UNREADABLE: Unknown = { kind: 'unknown', cause: 'unreadable' };

/** The request that a payment belongs to. */
export type Asked = {
  /** True if the payment also captures. */
  readonly isSale: boolean;
  /** True if the payment stores its method. */
  readonly stores: boolean;
};

/** Returns the request of a payment, as its metadata tells it. */
const askedOf = (payment: Payment): Asked => paymentNamedIn(payment) ?? { isSale: false, stores: false };

/**
 * Returns the outcome of an authorisation by the status of its payment. A status without a rule is `unknown`.
 *
 * A sale is approved first, and captured a moment later. Only the capture decides the sale.
 */
export function paymentOutcome(given: Payment, asked: Asked = askedOf(given)): Outcome {
  const payment = withCode(given);
  // Money of another amount than ours is held until a look-up releases it.
  if (payment.response_code === PARTIAL && payment.status !== 'Declined')
    return payment.status === 'Authorized' ? accepted(payment) : UNREADABLE;
  switch (payment.status) {
    case 'Pending':
      return accepted(payment);
    case 'Authorized':
    case 'Partially Captured':
      return asked.isSale ? accepted(payment) : approved(payment, asked);
    case 'Card Verified':
    case 'Captured':
    case 'Partially Refunded':
    case 'Refunded':
      return approved(payment, asked);
    case 'Declined':
      return declined(payment);
    case 'Voided':
    case 'Canceled':
      return ended(payment, 'canceled');
    case 'Expired':
      return ended(payment, wasApproved(payment) ? 'expired_authorization' : 'incomplete_buyer_approval');
    case '':
      return isRefusal(payment.response_code ?? '') ? declined(payment) : UNREADABLE;
    default:
      return UNREADABLE;
  }
}

/**
 * Returns the outcome of an authorisation by its payment with the operations. An authorised payment that is never paid is declined
 * when nothing is held any more, and not before.
 */
export function outcomeOfWhole(whole: WholePayment): Outcome {
  const { payment } = whole;
  const refusal = refusalIn(whole);
  if (refusal === null) return paymentOutcome(payment);
  if (payment.status === 'Authorized') return accepted(payment);
  return paymentOutcome({
    ...{ ...payment, ...decisionOf(refusal), status: 'Declined' },
    ...{ '3ds': null, actions: null },
  });
}

/** The statuses of a payment that was authorised, and of which nothing was captured. */
const UNCAPTURED: ReadonlySet<string> = new Set(['Authorized', 'Voided', 'Expired']);

/**
 * Finds the reason why an authorised payment is never paid. It is an approval of a part, or the declined capture of a sale. Null
 * for any other payment.
 */
export function refusalIn({ payment, actions }: WholePayment): Action | null {
  if (!UNCAPTURED.has(payment.status)) return null;
  const partial = actions.find((action) => isDecision(action) && action.response_code === PARTIAL);
  if (partial) return partial;
  const captures = askedOf(payment).isSale ? actions.filter(({ type }) => type === 'Capture') : [];
  return captures.every(isDeclined) ? (captures[0] ?? null) : null;
}

/** A payment with its operations, oldest first. */
export type WholePayment = { readonly payment: Payment; readonly actions: readonly Action[] };

/** Returns the words of a decision about a payment. */
export const decisionOf = ({ auth_code, response_code, response_summary, processing }: Action) => ({
  ...{ auth_code, response_code, response_summary, processing },
});

/** Adds the code of the decision to a payment that a read shows. There, only the first action has the code. */
function withCode(payment: Payment): Payment {
  const decided = payment.response_code == null ? payment.actions?.find(isDecision) : undefined;
  return decided ? { ...payment, ...decided } : payment;
}

/** True for the action with which an issuer decided about a payment. */
export const isDecision = ({ type }: { readonly type: string }): boolean =>
  type === 'Authorization' || type === 'Card Verification';

/** True if an issuer approved the payment, whatever became of the payment since. */
export const wasApproved = ({
  approved: isYes,
  auth_code: approval,
  response_code: code,
}: Pick<Payment, 'approved' | 'auth_code' | 'response_code'>): boolean =>
  isYes === true || approval != null || isApproval(code ?? '') || code === PARTIAL;

/** Maps a payment that waits: for the buyer at the page of its link, or for its capture. */
function accepted(payment: Payment): Outcome {
  const page = payment._links?.redirect?.href ?? null;
  return {
    ...{ kind: 'accepted', reference: payment.id },
    ...(page !== null && payment.status === 'Pending' && { approvalUrl: page }),
    ...{ rawResponseCode: payment.response_code ?? payment.status, rawResponseDescription: null },
  };
}

function approved(payment: Payment, { isSale, stores }: Asked): Outcome {
  const amount = isSale ? (payment.balances?.total_captured ?? payment.amount) : payment.amount;
  const money = moneyFromWire(amount, payment.currency);
  if (money === null || payment.approved === false) return UNREADABLE;
  return {
    ...{ kind: 'succeeded', reference: payment.id, money },
    ...wordsOf(payment, payment.status),
    ...cardWordsOf(payment),
    ...knownOf(payment, stores),
  };
}

/** Returns the names for later payments. The token exists only where the payment asked to store the method. */
function knownOf({ id, scheme_id: scheme, source }: Payment, stores: boolean): Known {
  return {
    ...(scheme != null && { schemeTransactionId: scheme }),
    ...(stores && source?.id != null && { recurringToken: writeToken(source.id, id) }),
  };
}

function declined(payment: Payment): Outcome {
  const { id: reference, response_code: code } = payment;
  if (isOpen(code)) return { kind: 'unknown', cause: 'server_error' };
  // Without a code no issuer was asked, because the buyer was not authenticated.
  const isOfBuyer = code == null && payment['3ds'] != null;
  const meaning = isOfBuyer
    ? ({ kind: 'declined', errorCode: 'failed_buyer_approval' } as const)
    : meaningOf(code);
  return { ...meaning, reference, ...wordsOf(payment, payment.status), ...cardWordsOf(payment) };
}

const ended = (payment: Payment, errorCode: DeclineCode): Outcome => ({
  ...{ kind: 'failed', reference: payment.id, errorCode },
  ...{ rawResponseCode: payment.response_code ?? payment.status, rawResponseDescription: null },
});
