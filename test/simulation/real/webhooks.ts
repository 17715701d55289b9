import type { App } from '../../../src/app.ts';
import {
  applyReceived,
  lookUpPayments,
  receiveWebhook,
  type ReceivedWebhook,
} from '../../../src/modules/transactions/index.ts';
import { asAnother, withOwnBounds } from '../another.ts';
import { isInjected } from '../director.ts';
import { begin, note, pass, type Stage } from '../stage.ts';
import { count } from '../tally.ts';
import type { Owed } from './double.ts';

// The webhooks of the doubles come late, twice, in any order and from a forger. A provider repeats a webhook until it is
// answered with 200.

type Sender = {
  readonly stage: Stage;
  readonly apps: readonly App[];
  /** The tokens of the webhook addresses, by the address at the provider. */
  readonly webhooksTo: ReadonlyMap<string, string>;
};

const HOUR = 3_600_000;

const DELAYS_MS: readonly (readonly [weight: number, ms: number])[] = [
  [5, 0],
  [2, 5_000],
  [2, 66_000],
  [1, 2 * HOUR],
  [0.5, 20 * HOUR],
];

/** The probability that a webhook comes twice, and that a forger sends one like it. */
const TWICE = 0.2;
const FORGED = 0.1;

/** Sends a webhook, now or later. */
export function deliver(sender: Sender, address: string, webhook: Owed): void {
  const { stage } = sender;
  const { random } = stage;
  const times = random.chance(TWICE) ? 2 : 1;
  for (let time = 0; time < times; time += 1)
    later(stage, () => post(sender, address, { webhook, isForged: false, attempt: 1 }, random.int(0, 2)));
  if (random.chance(FORGED) && webhook.onlyNames !== true)
    later(stage, () =>
      post(sender, address, { webhook: forged(webhook), isForged: true, attempt: 1 }, random.int(0, 2)),
    );
}

/** Raises every amount, under the signature of the genuine webhook. */
const forged = ({ body, sign }: Owed): Owed => ({
  body: body.replaceAll(/("value"|"amount"|"amount_received"):("?)(\d+)/g, '$1:$21$3'),
  sign: () => {
    const headers = sign();
    // A body without an amount is forged by its signature.
    return body.includes('"amount"') ? headers : {};
  },
});

const apply = async ({ stage, apps }: Sender, at: number, received: ReceivedWebhook): Promise<void> => {
  const app = apps[at] as App;
  await Promise.all([
    applyReceived(asAnother(app), received.stored),
    lookUpPayments(withOwnBounds(stage, app, at), received.lookUps),
  ]);
};

function later(stage: Stage, run: () => void): void {
  stage.later.push({ at: stage.now + stage.random.weighted(DELAYS_MS), run });
}

type Posted = { readonly webhook: Owed; readonly isForged: boolean; readonly attempt: number };

/** A signature is too old for a process that stood still. The next attempt has another one. */
const ATTEMPTS_MAX = 20;

function post(sender: Sender, address: string, posted: Posted, from: number): void {
  const { stage, apps, webhooksTo } = sender;
  const { webhook, isForged } = posted;
  const at = from % apps.length;
  let isTaken = false;
  const again = (): void => {
    if (!isTaken && !isForged) post(sender, address, posted, from + 1);
  };
  const refused = (why: string): void => {
    if (posted.attempt === ATTEMPTS_MAX)
      stage.surprises.push(`a webhook of ${address} is ${why}: ${webhook.body}`);
    else {
      const next = { ...posted, attempt: posted.attempt + 1 };
      stage.later.push({ at: stage.now + HOUR, run: () => post(sender, address, next, from + 1) });
    }
  };
  const run = async (): Promise<void> => {
    const app = apps[at] as App;
    try {
      // The webhook is signed when it arrives, whatever time has passed.
      await pass('webhook.arriving', async () => undefined);
      const token = webhooksTo.get(address) ?? '';
      const sent = { token, headers: webhook.sign(), rawBody: Buffer.from(webhook.body) };
      const received = await receiveWebhook(app, sent);
      isTaken = true;
      const word = received.ok ? 'taken' : received.refusals[0];
      count(stage.tally, 'webhooks of real providers', `${isForged ? 'forged' : 'genuine'}: ${word}`);
      if (received.ok && isForged)
        stage.surprises.push(`a forged webhook of ${address} was taken: ${webhook.body}`);
      if (received.ok) await apply(sender, at, received.value);
      else if (!isForged) refused(received.refusals[0]);
    } catch (error) {
      if (!isInjected(error)) stage.surprises.push(`a webhook threw: ${String(error)}`);
      again();
    }
  };
  note(stage, address, `sends ${isForged ? 'a forged' : 'a'} webhook: ${webhook.body.slice(0, 400)}`);
  begin(stage, at, `webhook of ${address}`, run, again);
}
