import type { Notice } from '../../door.ts';
import type { PaymentIntent } from '../api/answers.ts';
import type { EventOf } from '../api/event.ts';
import { fromStripe } from '../model/amount.ts';
import { capturesOf, raisedElsewhere, raisesOf, sumOf } from '../model/names.ts';

const NO_WORDS = { rawResponseCode: null, rawResponseDescription: null } as const;

type Event = EventOf<PaymentIntent>;

/** Reads the increases that the payment names, and one that somebody made elsewhere. */
export const raiseNotices = (event: Event): readonly Notice[] => [
  ...raisesOf(event.object.metadata).flatMap(({ key, amount }) => {
    const { id, occurredAt, object: intent } = event;
    const money = fromStripe(amount, intent.currency);
    if (money === null) return [];
    return {
      ...{ eventKey: `${id}:${key}`, occurredAt, verb: 'increase' as const, key },
      ...{ reference: null, paymentReference: intent.id },
      outcome: { kind: 'succeeded' as const, money, ...NO_WORDS },
    };
  }),
  ...raiseElsewhere(event),
];

/** The authorised amount names the increase, because Stripe has no id of it. */
function raiseElsewhere({ id, occurredAt, object: intent }: Event): readonly Notice[] {
  const added = raisedElsewhere(intent);
  const money = fromStripe(added, intent.currency);
  const total = fromStripe(intent.amount, intent.currency);
  if (added === 0 || money === null || total === null) return [];
  return [
    {
      ...{ eventKey: `${id}:raised`, occurredAt, verb: 'increase', key: null, total },
      ...{ reference: `${intent.id}:${intent.amount}`, paymentReference: intent.id },
      outcome: { kind: 'succeeded', money, ...NO_WORDS },
    },
  ];
}

/**
 * Reads the captures that the payment names. The payment may have received more, because somebody captured elsewhere. The
 * rest is then one capture without a key. Names of more than the payment received tell nothing.
 */
export function captureNotices(event: Event): readonly Notice[] {
  const { id, occurredAt, object: intent } = event;
  const { metadata, currency, amount_received: received, latest_charge: charge } = intent;
  const given = capturesOf(metadata);
  const named = sumOf(given) <= received ? given : [];
  return [
    ...named.flatMap(({ key, amount }) => {
      const money = fromStripe(amount, currency);
      if (money === null) return [];
      return {
        ...{ eventKey: `${id}:${key}`, occurredAt, verb: 'capture' as const, key },
        ...{ reference: charge?.id ?? null, paymentReference: intent.id },
        outcome: { kind: 'succeeded' as const, money, ...NO_WORDS },
      };
    }),
    ...captureElsewhere(event, { isAlone: named.length === 0, amount: received - sumOf(named) }),
  ];
}

/**
 * The charge names the only capture of a payment. In every other state Stripe has no id of the capture, and the received sum
 * names the state. The total tells the core how much of the sum is new.
 */
function captureElsewhere(
  { id, occurredAt, object: intent }: Event,
  { isAlone, amount }: { readonly isAlone: boolean; readonly amount: number },
): readonly Notice[] {
  const { currency, amount_received: received, latest_charge: charge, status } = intent;
  const money = fromStripe(amount, currency);
  const total = fromStripe(received, currency);
  if (amount === 0 || money === null || total === null) return [];
  const final = status === 'succeeded';
  const name = charge?.id ?? intent.id;
  return [
    {
      ...{ eventKey: `${id}:captured`, occurredAt, verb: 'capture', key: null, total, final },
      ...{ reference: isAlone && final ? name : `${name}:${received}`, paymentReference: intent.id },
      outcome: { kind: 'succeeded', money, ...NO_WORDS },
    },
  ];
}
