import {
  timeOf,
  type BooksRequest,
  type BooksState,
  type Outcome,
  type ProviderBooks,
  type Unknown,
} from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Action, Payment } from '../answers.ts';
import type { Api } from '../exchange.ts';
import { outcomeOfWhole, wasApproved, type WholePayment } from '../payments/payment-outcome.ts';
import { readPayment } from '../payments/read-payment.ts';
import { isDeclined } from '../response-codes.ts';
import { changeNotices, paymentNotices } from '../webhooks/payment-notices.ts';

/** Reads a payment with its actions, whoever made them. Null if Checkout.com has no such payment. */
export async function readBooks(
  api: Api,
  { reference }: BooksRequest,
): Promise<ProviderBooks | Unknown | null> {
  const read = await readPayment(api, reference);
  if (read === null || 'kind' in read) return read;
  const { payment, actions } = read;
  const outcome = outcomeOfWhole(read);
  const final = finalCapture(read);
  return {
    ...{ kind: 'books', state: stateOf(read, outcome), authorized: authorizedOf(payment, outcome) },
    notices: [
      ...paymentNotices({ eventKey: payment.id, occurredAt: timeOf(payment.requested_on) }, payment, outcome),
      ...actions.flatMap((action) =>
        changeNotices(
          { eventKey: action.id, occurredAt: timeOf(action.processed_on) },
          // The balances are those of now, and not those after an earlier action.
          { payment: action === final ? payment : { ...payment, balances: null }, action },
        ),
      ),
    ],
  };
}

/** Finds the capture after which nothing is held. Null if a void took the rest, or an action that the list does not show yet. */
function finalCapture({ payment: { balances }, actions }: WholePayment): Action | null {
  const { total_authorized: authorized, total_captured: captured, total_voided: voided } = balances ?? {};
  if (captured == null || voided == null || authorized !== captured + voided) return null;
  const done = actions.filter((action) => !isDeclined(action));
  return done.some(({ type }) => type === 'Void')
    ? null
    : (done.findLast(({ type }) => type === 'Capture') ?? null);
}

const STATES: Readonly<Record<string, BooksState | undefined>> = {
  ...{ Authorized: 'open', 'Card Verified': 'closed', Captured: 'closed', 'Partially Captured': 'closed' },
  ...{ 'Partially Refunded': 'closed', Refunded: 'closed', Declined: 'refused', Canceled: 'refused' },
};

/** Returns the state of a payment. A refund of captured money says nothing about money that is still held. */
function stateOf(whole: WholePayment, { kind }: Outcome): BooksState {
  const { payment, actions } = whole;
  if (kind === 'accepted') return 'pending';
  if (kind === 'declined') return 'refused';
  if (heldOf(whole) > 0) return 'open';
  if (payment.status === 'Expired') return wasApproved(payment) ? 'expired' : 'refused';
  if (payment.status === 'Voided')
    return actions.some(({ type, approved }) => type === 'Capture' && approved === true)
      ? 'closed'
      : 'voided';
  return STATES[payment.status] ?? 'pending';
}

/** The statuses of a payment that may still hold money. */
const HOLDING: ReadonlySet<string> = new Set([
  ...['Authorized', 'Partially Captured', 'Partially Refunded', 'Refunded'],
]);

/** Returns the money that is held. Without balances, the actions tell what nobody has captured or released. */
function heldOf({ payment: { status, balances }, actions }: WholePayment): number {
  if (balances?.available_to_capture != null) return balances.available_to_capture;
  const done = actions.filter((action) => !isDeclined(action));
  if (!HOLDING.has(status) || done.some(({ type }) => type === 'Void')) return 0;
  const sumOf = (type: string): number =>
    done.reduce((sum, action) => sum + (action.type === type ? action.amount : 0), 0);
  return sumOf('Authorization') - sumOf('Capture');
}

/** The statuses of a payment that was never authorised. A verified card holds nothing. */
const NEVER: ReadonlySet<string> = new Set(['Pending', 'Declined', 'Canceled', 'Card Verified']);

const authorizedOf = (payment: Payment, { kind }: Outcome): ProviderBooks['authorized'] =>
  kind === 'declined' || NEVER.has(payment.status) || (payment.status === 'Expired' && !wasApproved(payment))
    ? null
    : moneyFromWire(payment.balances?.total_authorized ?? payment.amount, payment.currency);
