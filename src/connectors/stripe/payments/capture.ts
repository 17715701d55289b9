import type { Stripe } from 'stripe';
import { sameMoney, refusedBefore, type Outcome, type CaptureRequest } from '../../door.ts';
import { fromStripe, toStripe } from '../model/amount.ts';
import { paymentIntent, type PaymentIntent } from '../api/answers.ts';
import { wordsOfCharge } from './charge-words.ts';
import { LOOK_FIRST, refusalOf } from '../errors/errors.ts';
import { IMPOSSIBLE } from '../errors/impossible.ts';
import type { Answer, Api } from '../api/exchange.ts';
import { UNREADABLE } from './intent-outcome.ts';
import { orderToWire } from '../wire/order-wire.ts';
import { captureFeeOf } from '../wire/splits-wire.ts';
import { captureName, capturesOf, sumOf } from '../model/names.ts';
import { isSetup, pathOf, readPayment } from '../api/read-payment.ts';

/**
 * Captures a part or all of a payment. Stripe keeps the key and the amount of each capture with the payment, so a lost answer
 * can be found.
 *
 * Only some payments take further captures. The payment itself says so, and is asked before the first one.
 *
 * An answer with another sum proves nothing, because somebody may have captured elsewhere meanwhile. A look-up then tells the
 * capture's own money.
 */
export async function capture(api: Api, request: CaptureRequest): Promise<Outcome> {
  const { key, money, reference, final } = request;
  const amount = toStripe(money);
  if (amount === null) return refusedBefore(IMPOSSIBLE.amount);
  const fee = captureFeeOf(request);
  if (!fee.ok) return refusedBefore(fee.refusals[0]);
  const hindrance = final ? null : await whyNotSeveral(api, request);
  if (hindrance) return hindrance;
  const body = { ...captureToWire(request, amount.amount), ...fee.value };
  const answer = await api.post(`${pathOf(reference)}/capture`, body, key);
  if (answer.kind === 'unknown') return answer.unknown;
  if (answer.kind === 'refused') return refusedCapture(api, request, answer);
  const intent = paymentIntent.safeParse(answer.body).data;
  const outcome = intent ? captured(intent, key, false) : UNREADABLE;
  return outcome.kind === 'succeeded' && !sameMoney(outcome.money, money) ? LOOK_UP : outcome;
}

/** Stripe repeats its answer under the key for a day. Only a look-up tells more. */
const LOOK_UP: Outcome = { kind: 'unknown', cause: 'unreadable', arrived: true };

/** Maps our capture. `final_capture` is true by default. Stripe refuses it for a payment with one capture only. */
export const captureToWire = (
  { key, final, order, money }: Pick<CaptureRequest, 'key' | 'final' | 'order' | 'money'>,
  amount: number,
): Stripe.PaymentIntentCaptureParams => ({
  amount_to_capture: amount,
  ...(!final && { final_capture: false }),
  ...(order && orderToWire(order, money.currency)),
  metadata: { [captureName(key)]: String(amount) },
  expand: ['latest_charge'],
});

/** Returns the outcome that prevents a capture with more to follow. Null when the payment takes several. */
async function whyNotSeveral(api: Api, { key, reference }: CaptureRequest): Promise<Outcome | null> {
  const read = await readPayment(api, reference);
  // The capture itself was not sent.
  if ('unknown' in read) return { ...read.unknown, sent: false };
  if (read.intent === null || isSetup(read.intent)) return refusedBefore(IMPOSSIBLE.payment);
  // An earlier request of this key may have captured the last of the money. Its repeat gets its answer.
  if (captureOutcome(read.intent, key)) return null;
  const details = read.intent.latest_charge?.payment_method_details;
  return details?.card?.multicapture?.status === 'available' ? null : refusedBefore(IMPOSSIBLE.several);
}

/** A capture may have happened before Stripe refused a request, so the payment decides. */
async function refusedCapture(
  api: Api,
  { key, reference }: CaptureRequest,
  { error }: Extract<Answer, { readonly kind: 'refused' }>,
): Promise<Outcome> {
  if (!LOOK_FIRST.has(error.code ?? '')) return refusalOf(error, reference);
  const read = await readPayment(api, reference);
  if ('unknown' in read) return read.unknown;
  const found = read.intent && !isSetup(read.intent) ? captureOutcome(read.intent, key) : null;
  return found ?? refusalOf(error, reference);
}

/** Returns the outcome of a capture by the state of its payment. Null if the payment has no capture of this key. */
export const captureOutcome = (intent: PaymentIntent, key: string): Outcome | null =>
  capturesOf(intent.metadata).some((each) => each.key === key) ? captured(intent, key, true) : null;

/**
 * The captured money is what the payment received without the other captures. The payment may have received more than its
 * captures name, because somebody captured elsewhere. The rest is not of this capture.
 */
function captured(intent: PaymentIntent, key: string, isLookUp: boolean): Outcome {
  const { status, latest_charge: charge, amount_received: received, currency } = intent;
  const reference = charge?.id ?? intent.id;
  if (status === 'processing')
    return { kind: 'accepted', reference, rawResponseCode: status, rawResponseDescription: null };
  // A cancel after a capture released the rest.
  const isCaptured = status === 'succeeded' || status === 'requires_capture' || status === 'canceled';
  if (!isCaptured || received === 0) return UNREADABLE;
  const named = capturesOf(intent.metadata);
  const elsewhere = isLookUp ? Math.max(0, received - sumOf(named)) : 0;
  const others = named.filter((each) => each.key !== key);
  const money = fromStripe(received - elsewhere - sumOf(others), currency);
  if (money === null) return UNREADABLE;
  // The checks were those of the authorisation.
  const { authResponseCode = null } = wordsOfCharge(charge);
  return {
    ...{ kind: 'succeeded', reference, money, authResponseCode },
    ...{ rawResponseCode: null, rawResponseDescription: null },
  };
}
