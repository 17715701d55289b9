import type { App } from '../../src/app.ts';
import { applyReceivedReviews, receiveReview } from '../../src/modules/transactions/index.ts';
import type { Notified } from './acts.ts';
import { asAnother } from './another.ts';
import { isInjected } from './director.ts';
import { begin, note, type Stage } from './stage.ts';
import { count } from './tally.ts';
import { webhookOf, type Check, type Notice } from './third-party.ts';

/** The anti-fraud service as sender of review notices. */
export type Teller = {
  readonly stage: Stage;
  readonly apps: readonly App[];
  /** The token of its webhook address. */
  readonly token: string;
  /** The book of the anti-fraud service. Notices concern only checks in this book. */
  readonly checks: readonly Check[];
  /** Notices that were answered with 200. The others may be repeated. */
  readonly taken: Notice[];
};

type Telling = {
  readonly number: number;
  readonly process: number;
  readonly transactionId: string | undefined;
};

const RETRY = 0.7;

/** Posts webhooks about a review. Each is stored, then answered, then applied, as at the real address. */
export function tell(teller: Teller, { number, process, transactionId }: Telling, act: Notified): void {
  const { stage, apps, token, checks, taken } = teller;
  if (!checks.some(({ key, decided }) => key === transactionId && decided.length > 0)) return;
  const { decision, version } = act;
  const notice: Notice = { key: transactionId ?? '', decision, version, event: `#${number}` };
  const post = (at: number): void => {
    let isTaken = false;
    const again = (): void => {
      if (!isTaken && stage.random.chance(RETRY)) post(at);
    };
    const run = async (): Promise<void> => {
      const app = apps[at] as App;
      try {
        const received = await receiveReview(app, { token, ...webhookOf(notice) });
        isTaken = received.ok;
        if (received.ok) taken.push(notice);
        else stage.surprises.push(`a webhook was refused: ${received.refusals[0]}`);
        const heard = received.ok ? `${received.value.length} new` : 'a refusal';
        count(stage.tally, 'heard by the third party', heard);
        note(stage, 'third party', `#${number} hears ${heard}`);
        if (received.ok) await applyReceivedReviews(asAnother(app), received.value);
      } catch (error) {
        if (!isInjected(error)) stage.surprises.push(`a webhook threw: ${String(error)}`);
        again();
      }
    };
    begin(stage, at, `#${number} webhook`, run, again);
  };
  for (let times = 0; times < act.times; times += 1) post((process + times) % apps.length);
}
