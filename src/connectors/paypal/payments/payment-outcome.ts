import type { DeclineCode, Outcome, ProviderWords } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import { paymentsOf, type Order, type Payment } from '../answers.ts';
import { denialOf } from './processor-codes.ts';

export const UNREADABLE: Outcome = { kind: 'unknown', cause: 'unreadable' };

const wordsOf = ({
  status,
  status_details: details,
  processor_response: processor,
}: Payment): ProviderWords => ({
  rawResponseCode: details?.reason ?? status,
  rawResponseDescription: null,
  ...(processor && {
    merchantAdviceCode: processor.payment_advice_code ?? null,
    networkResponseCode: processor.response_code ?? null,
  }),
});

/** Returns a success with the money of the payment itself, never that of the request. */
function success(payment: Payment, reference: string): Outcome {
  const money = moneyFromWire(payment.amount);
  return money === null ? UNREADABLE : { kind: 'succeeded', reference, money, ...wordsOf(payment) };
}

const accepted = (payment: Payment, reference: string): Outcome => ({
  ...{ kind: 'accepted', reference },
  ...wordsOf(payment),
});

const refused = (
  payment: Payment,
  reference: string,
  kind: 'declined' | 'failed',
  errorCode: DeclineCode,
): Outcome => ({ ...{ kind, reference, errorCode }, ...wordsOf(payment) });

/** Returns the outcome of a denial. Only the processor of a card says more than PayPal's status. */
const denied = (payment: Payment, reference: string): Outcome => {
  const { kind, errorCode } = denialOf(payment.processor_response?.response_code);
  return refused(payment, reference, kind, errorCode);
};

/** Returns the outcome of an authorisation by its status. */
export function authorizationOutcome(made: Payment, reference: string): Outcome {
  switch (made.status) {
    case 'CREATED':
    case 'PARTIALLY_CAPTURED':
    case 'CAPTURED':
      return success(made, reference);
    case 'PENDING':
      return accepted(made, reference);
    case 'DENIED':
      return denied(made, reference);
    case 'VOIDED':
      return refused(made, reference, 'failed', 'canceled');
    default:
      return UNREADABLE;
  }
}

/** Returns the outcome of a capture by its status. A later refund does not undo the capture. */
export function captureOutcome(made: Payment, reference: string = made.id): Outcome {
  switch (made.status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return success(made, reference);
    case 'PENDING':
      return accepted(made, reference);
    case 'DECLINED':
      return denied(made, reference);
    case 'FAILED':
      return refused(made, reference, 'failed', 'service_error');
    default:
      return UNREADABLE;
  }
}

/** Returns the outcome of a refund by its status. */
export function refundOutcome(made: Payment): Outcome {
  switch (made.status) {
    case 'COMPLETED':
      return success(made, made.id);
    case 'PENDING':
      return accepted(made, made.id);
    case 'FAILED':
      return refused(made, made.id, 'failed', 'service_error');
    case 'CANCELLED':
      return refused(made, made.id, 'failed', 'canceled');
    default:
      return UNREADABLE;
  }
}

/** The state of an order that the buyer has not approved, or that we have not completed. */
export type Waiting = {
  /** The outcome of an order without an approval. */
  readonly open: 'session' | 'page';
};

/**
 * Returns the outcome of an authorisation by its order. A completed order says nothing: its authorisation, or the capture of a
 * sale, decides.
 */
export function orderOutcome(order: Order, waits: Waiting['open'] = 'page'): Outcome {
  const { id, status } = order;
  switch (status) {
    case 'CREATED':
    case 'PAYER_ACTION_REQUIRED':
      return waiting(order, waits);
    // The buyer has approved. The payment goes on when the buyer comes back.
    case 'APPROVED':
      return { kind: 'accepted', reference: id, rawResponseCode: status, rawResponseDescription: null };
    case 'COMPLETED':
      return completed(order);
    case 'VOIDED':
      return unapproved(id, 'canceled', status);
    default:
      return UNREADABLE;
  }
}

function waiting(order: Order, waits: Waiting['open']): Outcome {
  const page = pageOf(order);
  const words = { rawResponseCode: order.status, rawResponseDescription: null };
  if (waits === 'session') return { kind: 'accepted', reference: order.id, session: true, ...words };
  return page === null ? UNREADABLE : { kind: 'accepted', reference: order.id, approvalUrl: page, ...words };
}

/** Returns the page on which the buyer approves, from an order or an error. A declined source has the page as `redirect`. */
export const pageOf = ({ links }: Pick<Order, 'links'>): string | null =>
  links.find(({ rel }) => PAGES.has(rel))?.href ?? null;

const PAGES: ReadonlySet<string> = new Set(['payer-action', 'approve', 'redirect']);

/** Returns the outcome of an order that holds no money, and that nobody completes any more. */
export const unapproved = (
  reference: string,
  errorCode: DeclineCode,
  word: string,
  sentence: string | null = null,
): Outcome => ({
  ...{ kind: 'failed', reference, errorCode },
  ...{ rawResponseCode: word, rawResponseDescription: sentence },
});

function completed(order: Order): Outcome {
  const { authorizations, captures } = paymentsOf(order);
  if (order.intent === 'AUTHORIZE') {
    // A renewal takes the place of the first authorisation.
    const made = authorizations.find(({ status }) => !ENDED.has(status)) ?? authorizations[0];
    return made ? withToken(order, authorizationOutcome(made, order.id)) : UNREADABLE;
  }
  const made = captures[0];
  return made ? withToken(order, captureOutcome(made, order.id)) : UNREADABLE;
}

/** The statuses of an authorisation that holds nothing and captured nothing. */
export const ENDED: ReadonlySet<string> = new Set(['VOIDED', 'DENIED']);

/** Adds the name of a method that the payment stored. PayPal may name it later, by a webhook. */
function withToken({ payment_source: source }: Order, outcome: Outcome): Outcome {
  const token = source?.paypal?.attributes?.vault?.id ?? null;
  return outcome.kind === 'succeeded' && token !== null ? { ...outcome, recurringToken: token } : outcome;
}
