import type { TakenBack } from './acts.ts';
import { isSaleRequest, type Books, type Entry } from './books.ts';
import { note } from './stage.ts';
import { count } from './tally.ts';
import { namesOf, send, withoutDigits, type Sender } from './webhooks.ts';

// The payment providers take successes back: they change their own books first, and send signed webhooks then.

/** The providers as senders of such webhooks, and the acts that found no success yet. */
export type Takers = Sender & { readonly waiting: (() => void)[] };

type Taking = { readonly number: number; readonly process: number };

/** Takes one success in the books back and sends its webhook. Without such a success, the act waits for `takeRest`. */
export function takeBack(takers: Takers, { number, process }: Taking, act: TakenBack): void {
  const { stage, books } = takers;
  const possible = books.entries.filter((entry) => isPossible(entry, act.what, books));
  if (possible.length === 0)
    return void takers.waiting.push(() => takeBack(takers, { number, process }, act));
  const entry = stage.random.pick(possible);
  const id = withoutDigits(`${entry.id} ${number}`);
  const body = {
    id,
    ...namesOf(stage, entry),
    ...(act.what === 'authorization' ? expire(entry) : reverse(entry, act, id)),
  };
  count(stage.tally, 'taken back', `${body.event}${entry.request.capture === true ? ' of a sale' : ''}`);
  note(stage, entry.place, `takes back ${JSON.stringify(body)}`);
  send(takers, entry, { body, times: act.times, process });
}

/** Takes back now what could not be taken back before. True when something was taken back. */
export function takeRest({ stage, waiting }: Takers): boolean {
  const before = waiting.length;
  for (const again of waiting.splice(0)) again();
  return waiting.length < before || (stage.weather.report > 0 && stage.later.length > 0);
}

function isPossible(entry: Entry, what: TakenBack['what'], { entries }: Books): boolean {
  const { verb, result, request, released, expired, reversed, paymentId } = entry;
  if (result !== 'approved' || released) return false;
  if (what === 'refund') return verb === 'refund' && reversed < request.amount;
  const isSale = isSaleRequest(entry);
  if (what === 'capture') return (verb === 'capture' || isSale) && reversed < request.amount;
  const isVoided = entries.some(
    (one) => one.verb === 'void' && one.result === 'approved' && one.paymentId === paymentId,
  );
  return verb === 'authorize' && !isSale && !expired && !isVoided;
}

function expire(entry: Entry) {
  entry.expired = true;
  return { event: 'authorization.expired' };
}

/** Reverses the whole rest without an amount, or a part with an id. */
function reverse(entry: Entry, { what, share }: TakenBack, id: string) {
  const { amount: whole, currency } = entry.request;
  const left = whole - entry.reversed;
  const amount = share === null ? left : Math.max(1, Math.round(left * share));
  entry.reversed += amount;
  const event = `${what}.reversed`;
  return share === null ? { event } : { event, amount, currency, reversal_reference: `part ${id}` };
}
