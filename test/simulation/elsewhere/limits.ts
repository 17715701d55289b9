import type { Verb } from '../aims.ts';
import { isSaleRequest, type Entry } from '../books.ts';

/** The sums of a payment at its provider. */
export type Held = {
  readonly authorized: number;
  readonly captured: number;
  readonly refunded: number;
  /** True if nothing more can be captured. */
  readonly isEnded: boolean;
};

/** Sums up what a provider did for a payment. */
export function heldOf(entries: readonly Entry[], { place, paymentId }: OfPayment): Held {
  const done = entries.filter(
    (one) => one.place === place && one.paymentId === paymentId && one.result === 'approved',
  );
  const sum = (fits: (entry: Entry) => boolean): number =>
    done.filter(fits).reduce((total, { request }) => total + request.amount, 0);
  return {
    authorized: sum(({ verb }) => verb === 'authorize' || verb === 'increase'),
    captured: sum((entry) => entry.verb === 'capture' || isSaleRequest(entry)),
    refunded: sum(({ verb }) => verb === 'refund'),
    isEnded: done.some(
      (entry) =>
        entry.verb === 'void' ||
        entry.released ||
        entry.expired ||
        isSaleRequest(entry) ||
        (entry.verb === 'capture' && entry.request.final === true && entry.byHand === undefined),
    ),
  };
}

type OfPayment = Pick<Entry, 'place' | 'paymentId'>;

type Asked = { readonly verb: Verb; readonly amount: number; readonly total: number | undefined };

/**
 * Tells whether a provider refuses a request of ours because of what a hand did to the payment. Without a hand the books
 * take every request, so that a senseless one shows itself.
 */
export function isBeyondHand(entries: readonly Entry[], payment: OfPayment, asked: Asked): boolean {
  const isTouched = entries.some(
    ({ byHand, place, paymentId }) =>
      byHand !== undefined && place === payment.place && paymentId === payment.paymentId,
  );
  if (!isTouched) return false;
  const { authorized, captured, refunded, isEnded } = heldOf(entries, payment);
  switch (asked.verb) {
    case 'capture':
      return isEnded || captured + asked.amount > authorized;
    case 'refund':
      return refunded + asked.amount > captured;
    case 'increase':
      return isEnded || captured > 0 || asked.total !== authorized + asked.amount;
    case 'reauthorize':
      return isEnded || captured > 0 || asked.amount !== authorized;
    case 'void':
    case 'cancel':
      return isEnded || captured > 0;
    case 'authorize':
      return false;
  }
}
