import { createHmac } from 'node:crypto';
import type { App } from '../../src/app.ts';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import { applyReceived, receiveWebhook } from '../../src/modules/transactions/index.ts';
import type { Books, Entry } from './books.ts';
import { isInjected } from './director.ts';
import { asAnother } from './another.ts';
import { begin, type Stage } from './stage.ts';

// The payment providers send signed webhooks. A webhook may come twice, late, in any order, and before our own answer. A
// provider repeats it until it is answered with 200.

export const WEBHOOK_SECRET = 'the provider and we know it';

/** The payment providers as senders of webhooks. */
export type Sender = {
  readonly stage: Stage;
  readonly apps: readonly App[];
  readonly books: Books;
  /** The tokens of the webhook addresses, by the address at the provider. */
  readonly webhooksTo: ReadonlyMap<string, string>;
  /** The sent events. A repeat has the same id. */
  readonly sent: Sent[];
};

/** A sent event. With `reference` it names its operation only by the provider's id. */
export type Sent = { readonly id: string; readonly reference: string | null };

/** The names of an operation in a webhook: our key, the provider's own id, or both. */
export type Names = {
  readonly idempotency_key?: string;
  readonly payment_service_reference?: string;
  readonly payment_service_transaction_id?: string;
};

/** Draws the names of an entry. */
export function namesOf({ random }: Stage, { key, id }: Pick<Entry, 'key' | 'id'>): Names {
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

/** Turns a text into an id without digits, so that no id looks like a card number. */
export const withoutDigits = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

type Body = Names & { readonly id: string; readonly event: string };

type Sending = { readonly body: Body; readonly times: number; readonly process: number };

/** Sends a webhook so many times at once, under one id or several. */
export function send(sender: Sender, entry: Pick<Entry, 'address' | 'id'>, sending: Sending): void {
  const { body, times, process } = sending;
  const hasManyIds = sender.stage.random.chance(0.6);
  const reference = body.idempotency_key === undefined ? (body.payment_service_reference ?? null) : null;
  for (let time = 0; time < times; time += 1) {
    const id = hasManyIds ? `${body.id} ${'again '.repeat(time)}` : body.id;
    sender.sent.push({ id, reference });
    post(sender, entry, { ...body, id }, process + time);
  }
}

function post(sender: Sender, entry: Pick<Entry, 'address' | 'id'>, body: Body, from: number): void {
  const { stage, apps, webhooksTo } = sender;
  const at = from % apps.length;
  let isTaken = false;
  const again = (): void => {
    if (!isTaken) post(sender, entry, body, from + 1);
  };
  const run = async (): Promise<void> => {
    const app = apps[at] as App;
    const rawBody = Buffer.from(JSON.stringify(body));
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(rawBody).digest('hex');
    const headers = { [SIGNATURE_HEADER]: `sha256=${signature}` };
    try {
      const token = webhooksTo.get(entry.address) ?? '';
      const received = await receiveWebhook(app, { token, headers, rawBody });
      isTaken = true;
      if (!received.ok) stage.surprises.push(`a webhook was refused: ${received.refusals[0]}`);
      else await applyReceived(asAnother(app), received.value.stored);
    } catch (error) {
      if (!isInjected(error)) stage.surprises.push(`a webhook threw: ${String(error)}`);
      again();
    }
  };
  begin(stage, at, `webhook of ${entry.id}`, run, again);
}
