import { balancesOf, statusOf, type Action, type Payment, type World } from './world.ts';

/** An operation on a payment, for judges. */
export type BookedAction = Pick<Action, 'id' | 'type' | 'amount' | 'approved' | 'code' | 'isFinal' | 'key'>;

/** A payment as the provider carried it out, for judges. Amounts are in minor units as Checkout.com has them. */
export type BookedPayment = {
  readonly id: string;
  /** The idempotency key of the creation, which is the key of our authorisation. */
  readonly key: string | null;
  readonly status: string;
  readonly currency: string;
  readonly asked: number;
  /** The authorised amount at its highest, 0 without an authorisation. */
  readonly authorized: number;
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
  readonly isSale: boolean;
  readonly isLapsed: boolean;
  /** The data of an authentication from outside, and the earlier payment that the request named. */
  readonly proof: unknown;
  readonly previous: string | null;
  readonly actions: readonly BookedAction[];
};

/** Lists everything that moved money, oldest first. */
export const booksOf = ({ payments }: World): readonly BookedPayment[] => [...payments.values()].map(bookOf);

function bookOf(payment: Payment): BookedPayment {
  const { id, key, currency, amount, body, isLapsed, actions } = payment;
  const sums = balancesOf(payment);
  return {
    ...{ id, key, status: statusOf(payment), currency, asked: amount, authorized: sums.total_authorized },
    ...{ held: sums.available_to_capture, captured: sums.total_captured, refunded: sums.total_refunded },
    ...{ isSale: body.capture !== false && amount > 0, isLapsed },
    ...{ proof: body['3ds'] ?? null, previous: body.previous_payment_id ?? null },
    actions: actions.map(({ at, reference, metadata, ...action }) => action),
  };
}
