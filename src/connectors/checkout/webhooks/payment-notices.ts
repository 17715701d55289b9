import { noticeOutcomeOf, type Notice, type Outcome } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Action, Payment } from '../answers.ts';
import type { Telling } from '../event.ts';
import { paymentNamedIn } from '../names.ts';
import { actionOutcome, changeOf } from '../payments/action-outcome.ts';
import { paymentOutcome, wasApproved } from '../payments/payment-outcome.ts';

/**
 * Reads the state of an authorisation, as a look-up reads it. A payment of another system gives no notice. Neither does a state that
 * says nothing, such as a partial approval.
 */
export function paymentNotices(
  telling: Telling,
  payment: Payment,
  told: Outcome = paymentOutcome(payment),
): readonly Notice[] {
  const named = paymentNamedIn(payment);
  if (named === null) return [];
  const { key } = named;
  const about = {
    ...telling,
    verb: 'authorize',
    key,
    reference: payment.id,
    paymentReference: payment.id,
  } as const;
  if (payment.status === 'Expired' && wasApproved(payment))
    return [
      {
        ...about,
        outcome: { kind: 'expired', rawResponseCode: payment.status, rawResponseDescription: null },
      },
    ];
  const outcome = noticeOutcomeOf(told);
  if (outcome === null) return [];
  // A verified card moved no money.
  const isOfNothing = outcome.kind === 'succeeded' && outcome.money?.amount === 0;
  return [{ ...about, outcome: isOfNothing ? { ...outcome, money: null } : outcome }];
}

/** A change of a payment. `payment` is the payment, as far as it is told. */
export type Changed = {
  readonly payment: Pick<Payment, 'id' | 'metadata' | 'currency' | 'balances'>;
  readonly action: Action;
};

/**
 * Reads a change of a payment, whoever made the change. Nobody asks for the capture of a sale, so that capture is a part of the
 * sale.
 */
export function changeNotices(telling: Telling, { payment, action }: Changed): readonly Notice[] {
  const named = changeOf(action);
  const outcome = noticeOutcomeOf(actionOutcome(action, payment.currency ?? ''));
  if (named === null || outcome === null) return [];
  const { verb, key } = named;
  const isOurs = key !== null;
  if (verb === 'capture' && !isOurs && paymentNamedIn(payment)?.isSale) return [];
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
