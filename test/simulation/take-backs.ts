import { createHmac } from 'node:crypto';
import type { App } from '../../src/app.ts';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import { applyReceived, receiveWebhook } from '../../src/modules/transactions/index.ts';
import type { TakenBack } from './acts.ts';
import type { Books, Entry } from './books.ts';
import { isInjected } from './director.ts';
import { begin, note, type Stage } from './stage.ts';
import { count } from './tally.ts';

// The payment providers take successes back: they change their own books first, and send signed webhooks then. A webhook
// may come twice, late, in any order, and before our own answer. A provider repeats it until it is answered with 200.

export const WEBHOOK_SECRET = 'the provider and we know it';

/** The providers as senders of webhooks. */
export type Takers = {
  readonly stage: Stage;
  readonly apps: readonly App[];
  readonly books: Books;
  /** The tokens of the webhook addresses, by the address at the provider. */
  readonly webhooksTo: ReadonlyMap<string, string>;
  /** The ids of the sent events. A repeat has the same id. */
  readonly sent: string[];
  /** The acts that found no success yet. */
  readonly waiting: (() => void)[];
};

type Taking = { readonly number: number; readonly process: number };

/** Takes one success in the books back and sends its webhook. Without such a success, the act waits for `takeRest`. */
export function takeBack(takers: Takers, { number, process }: Taking, act: TakenBack): void {
  const { stage, books } = takers;
  const possible = books.entries.filter((entry) => isPossible(entry, act.what, books));
  if (possible.length === 0)
    return void takers.waiting.push(() => takeBack(takers, { number, process }, act));
  const entry = stage.random.pick(possible);
  // Without digits, no id looks like a card number.
  const id = `${entry.id} ${number}`.replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const body = {
    id,
    ...namesOf(stage, entry),
    ...(act.what === 'authorization' ? expire(entry) : reverse(entry, act, id)),
  };
  count(stage.tally, 'taken back', `${body.event}${entry.request.capture === true ? ' of a sale' : ''}`);
  note(stage, entry.place, `takes back ${JSON.stringify(body)}`);
  const hasManyIds = stage.random.chance(0.6);
  for (let times = 0; times < act.times; times += 1) {
    const event = hasManyIds ? `${id} ${'again '.repeat(times)}` : id;
    takers.sent.push(event);
    post(takers, entry, { ...body, id: event }, process + times);
  }
}

/** Takes back now what could not be taken back before. True when something was taken back. */
export function takeRest({ waiting, sent }: Takers): boolean {
  const before = sent.length;
  for (const again of waiting.splice(0)) again();
  return sent.length > before;
}

function isPossible(entry: Entry, what: TakenBack['what'], { entries }: Books): boolean {
  const { verb, result, request, released, expired, reversed, paymentId } = entry;
  if (result !== 'approved' || released) return false;
  if (what === 'refund') return verb === 'refund' && reversed < request.amount;
  const isSale = verb === 'authorize' && request.capture === true;
  if (what === 'capture') return (verb === 'capture' || isSale) && reversed < request.amount;
  const isVoided = entries.some(
    (one) => one.verb === 'void' && one.result === 'approved' && one.paymentId === paymentId,
  );
  return verb === 'authorize' && !isSale && !expired && !isVoided;
}

/** Names the operation by our key, by the provider's own id, or by both. */
function namesOf({ random }: Stage, { key, id }: Entry): Readonly<Record<string, string>> {
  const way = random.weighted([
    [3, 'key'],
    [2, 'both'],
    [2, 'reference'],
  ] as const);
  return {
    ...(way !== 'reference' && { idempotency_key: key }),
    ...(way !== 'key' && { payment_service_reference: id }),
  };
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

function post(takers: Takers, entry: Entry, body: object, from: number): void {
  const { stage, apps, webhooksTo } = takers;
  const at = from % apps.length;
  let isTaken = false;
  const again = (): void => {
    if (!isTaken) post(takers, entry, body, from + 1);
  };
  const run = async (): Promise<void> => {
    const app = apps[at] as App;
    const rawBody = Buffer.from(JSON.stringify(body));
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(rawBody).digest('hex');
    const headers = { [SIGNATURE_HEADER]: `sha256=${signature}` };
    try {
      const received = await receiveWebhook(app, {
        token: webhooksTo.get(entry.address) ?? '',
        headers,
        rawBody,
      });
      isTaken = true;
      if (!received.ok) stage.surprises.push(`a webhook was refused: ${received.refusals[0]}`);
      else await applyReceived(app, received.value);
    } catch (error) {
      if (!isInjected(error)) stage.surprises.push(`a webhook threw: ${String(error)}`);
      again();
    }
  };
  begin(stage, at, `webhook of ${entry.id}`, run, again);
}
