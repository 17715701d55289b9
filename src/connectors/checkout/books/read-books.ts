import { timeOf, type BooksRequest, type BooksState, type ProviderBooks, type Unknown } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Payment } from '../answers.ts';
import type { Api } from '../exchange.ts';
import { paymentNamedIn } from '../names.ts';
import { outcomeOfWhole, wasApproved, type WholePayment } from '../payments/payment-outcome.ts';
import { readPayment } from '../payments/read-payment.ts';
import { changeNotices, paymentNotices } from '../webhooks/payment-notices.ts';

/** Reads a payment with its actions, whoever made them. Null if Checkout.com has no such payment. */
export async function readBooks(
  api: Api,
  { reference }: BooksRequest,
): Promise<ProviderBooks | Unknown | null> {
  const read = await readPayment(api, reference);
  if (read === null || 'kind' in read) return read;
  const { payment, actions } = read;
  // The balances are those of now, and not those after an earlier action.
  const changed = { ...payment, balances: null };
  return {
    ...{ kind: 'books', state: stateOf(read), authorized: authorizedOf(payment) },
    notices: [
      ...paymentNotices(
        { eventKey: payment.id, occurredAt: timeOf(payment.requested_on) },
        payment,
        outcomeOfWhole(read),
      ),
      ...actions.flatMap((action) =>
        changeNotices(
          { eventKey: action.id, occurredAt: timeOf(action.processed_on) },
          { payment: changed, action },
        ),
      ),
    ],
  };
}

const STATES: Readonly<Record<string, BooksState | undefined>> = {
  ...{ Pending: 'pending', 'Card Verified': 'closed', Captured: 'closed' },
  ...{ Refunded: 'closed', Declined: 'refused', Canceled: 'refused' },
};

function stateOf({ payment, actions }: WholePayment): BooksState {
  const { status, balances } = payment;
  const hasCaptured = actions.some(({ type, approved }) => type === 'Capture' && approved === true);
  switch (status) {
    case 'Authorized':
      return paymentNamedIn(payment)?.isSale ? 'pending' : 'open';
    case 'Partially Captured':
    case 'Partially Refunded':
      return (balances?.available_to_capture ?? 0) > 0 ? 'open' : 'closed';
    case 'Voided':
      return hasCaptured ? 'closed' : 'voided';
    case 'Expired':
      return wasApproved(payment) ? 'expired' : 'refused';
    default:
      return STATES[status] ?? 'pending';
  }
}

/** The statuses of a payment that was never authorised. A verified card holds nothing. */
const NEVER: ReadonlySet<string> = new Set(['Pending', 'Declined', 'Canceled', 'Card Verified']);

const authorizedOf = (payment: Payment): ProviderBooks['authorized'] =>
  NEVER.has(payment.status) || (payment.status === 'Expired' && !wasApproved(payment))
    ? null
    : moneyFromWire(payment.balances?.total_authorized ?? payment.amount, payment.currency);
