import type { Stripe } from 'stripe';
import { refusedBefore, sameMoney, type Outcome, type IncreaseRequest } from '../../door.ts';
import { fromStripe, toStripe } from '../model/amount.ts';
import { paymentIntent, type PaymentIntent } from '../api/answers.ts';
import type { Api } from '../api/exchange.ts';
import { pathOf } from '../api/read-payment.ts';
import { refusalOf } from '../errors/errors.ts';
import { IMPOSSIBLE } from '../errors/impossible.ts';
import { raiseName, raisesOf } from '../model/names.ts';
import { wordsOfCharge } from './charge-words.ts';
import { UNREADABLE } from './intent-outcome.ts';

/**
 * Raises the amount of an authorisation. Stripe takes the new total, and keeps the key and the added amount with the payment. So
 * a lost answer can be found, also where Stripe repeats its own error. A declined increase changes nothing at the payment.
 */
export async function increase(
  api: Api,
  { key, reference, money, total }: IncreaseRequest,
): Promise<Outcome> {
  const [added, raised] = [toStripe(money), toStripe(total)];
  if (added === null || raised === null) return refusedBefore(IMPOSSIBLE.amount);
  const parameters: Stripe.PaymentIntentIncrementAuthorizationParams = {
    amount: raised.amount,
    metadata: { [raiseName(key)]: String(added.amount) },
    expand: ['latest_charge'],
  };
  const answer = await api.post(`${pathOf(reference)}/increment_authorization`, parameters, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') return refusalOf(answer.error, reference);
  const intent = paymentIntent.safeParse(answer.body).data;
  const authorized = intent ? fromStripe(intent.amount, intent.currency) : null;
  const isRaised = authorized !== null && sameMoney(authorized, total);
  return intent?.status === 'requires_capture' && isRaised
    ? (increaseOutcome(intent, key) ?? UNREADABLE)
    : UNREADABLE;
}

/** Returns the outcome of an increase by its payment. Null if the payment has no increase of this key. */
export function increaseOutcome(intent: PaymentIntent, key: string): Outcome | null {
  const made = raisesOf(intent.metadata).find((each) => each.key === key);
  if (!made) return null;
  const money = fromStripe(made.amount, intent.currency);
  return money === null
    ? UNREADABLE
    : { kind: 'succeeded', reference: intent.id, money, ...wordsOfCharge(intent.latest_charge) };
}
