import { noticeOutcomeOf, type Notice, type Outcome } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Action, Payment } from '../answers.ts';
import type { Telling } from '../event.ts';
import { paymentNamedIn } from '../names.ts';
import { actionOutcome, changeOf } from '../payments/action-outcome.ts';
import { paymentOutcome } from '../payments/payment-outcome.ts';

/**
 * Reads the state of an authorisation, as a look-up reads it. A payment of another system gives no notice. Neither does a state that
 * says nothing.
 */
export function paymentNotices(
  telling: Telling,
  payment: Payment,
  told: Outcome = paymentOutcome(payment),
): readonly Notice[] {
  const named = paymentNamedIn(payment);
  if (named === null) return [];
  const { id } = payment;
  const about = {
    ...telling,
    verb: 'authorize',
    key: named.key,
    reference: id,
    paymentReference: id,
  } as const;
  const expired = { kind: 'expired', rawResponseCode: payment.status, rawResponseDescription: null } as const;
  if (told.kind === 'failed' && told.errorCode === 'expired_authorization')
    return [{ ...about, outcome: expired }];
  const outcome = noticeOutcomeOf(told);
  if (outcome === null) return [];
  // A verified card moved no money.
  const isOfNothing = outcome.kind === 'succeeded' && outcome.money?.amount === 0;
  return [{ ...about, outcome: isOfNothing ? { ...outcome, money: null } : outcome }];
}

/** A change of a payment. `payment` is the payment, as far as it is told. */
export type Changed = {
  readonly payment: Pick<Payment, 'id' | 'reference' | 'metadata' | 'currency' | 'balances'>;
  readonly action: Action;
};

/**
 * True for a change that is a part of the authorisation. Our release of an unpaid payment is one. So is the capture or void of a
 * sale that nobody asked for.
 */
export function isOfPayment({ payment, action }: Changed): boolean {
  const { verb, key } = changeOf(action) ?? { verb: null, key: null };
  if (verb === 'release') return true;
  return (verb === 'capture' || verb === 'void') && key === null && paymentNamedIn(payment)?.isSale === true;
}

/** Reads a change of a payment, whoever made the change. A part of the authorisation gives no notice of its own. */
export function changeNotices(telling: Telling, changed: Changed): readonly Notice[] {
  const { payment, action } = changed;
  const named = changeOf(action);
  const outcome = noticeOutcomeOf(actionOutcome(action, payment.currency ?? ''));
  if (named === null || named.verb === 'release' || outcome === null || isOfPayment(changed)) return [];
  const { verb, key } = named;
  const isOurs = key !== null;
  const left = payment.balances?.available_to_capture;
  return [
    {
      ...{ ...telling, verb, key, reference: action.id, paymentReference: payment.id },
      ...(verb === 'capture' && !isOurs && left != null && { final: left === 0 }),
      // A void of Checkout.com names the released amount, or none.
      outcome: verb === 'void' && outcome.kind === 'succeeded' ? { ...outcome, money: null } : outcome,
    },
  ];
}

/** True if the money of an event or an action cannot be expressed here. */
export const isOdd = ({ amount, currency }: Pick<Payment, 'amount' | 'currency'>): boolean =>
  amount != null && currency != null && moneyFromWire(amount, currency) === null;
