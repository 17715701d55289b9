import { createHmac } from 'node:crypto';
import type { CheckReply21, CheckRequest21 } from '../../src/connectors/sandbox/anti-fraud/wire-2-1.ts';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import type { HttpRequest } from '../../src/platform/http/request.ts';
import { arriving, travel, type Answer } from './network.ts';
import { note, type Stage } from './stage.ts';
import { count } from './tally.ts';

// The simulated anti-fraud service of one merchant account: its decisions, its network, and its later notices.
// Requests use version 2.1 of its interface, through the sandbox's connector. Notices use both versions.

/** The possible decisions and their letters. */
const LETTERS = {
  accept: 'A',
  reject: 'D',
  review: 'R',
  error: 'E',
  exception: 'T',
  skipped: 'N',
} as const satisfies Readonly<Record<string, CheckReply21['decision']>>;

export type Verdict = keyof typeof LETTERS;
export const VERDICTS = Object.keys(LETTERS) as readonly Verdict[];

/** An entry of its book: an arrived request, or one that was sent. */
export type Check = {
  /** The key in the body, and the key in the header, of the request. */
  readonly key: string;
  readonly headerKey: string | undefined;
  /** The decisions, one for each arrival of the request. */
  readonly decided: Verdict[];
  /** The decision as it came back to us. Null without an answer. */
  heard: Verdict | null;
};

export const THIRD_PARTY = 'http://anti-fraud.simulation/';
export const SECRET = 'the third party and we know it';

/** The probability of another decision for a repeat about one payment. */
const FICKLE = 0.3;

/**
 * Returns a buyer whose address names the decision. Without such an address the service does not check the payment.
 */
export const buyerFor = (verdict: Verdict) =>
  verdict === 'skipped' ? null : { billingDetails: { emailAddress: `${verdict}@shop.example` } };

type Sent = Pick<HttpRequest, 'body' | 'headers' | 'deadlineMs'>;

/** Checks a payment, over a network with faults. */
export async function askThirdParty(
  stage: Stage,
  book: Check[],
  { body, headers, deadlineMs }: Sent,
): Promise<Answer> {
  const request = JSON.parse(String(body)) as CheckRequest21;
  const { check_ref: key } = request;
  const entry: Check = { key, headerKey: headers['idempotency-key'], decided: [], heard: null };
  book.push(entry);
  const work = (): CheckReply21 => {
    const decision = decide(stage, book, request);
    entry.decided.push(decision);
    count(stage.tally, 'decided by the third party', decision);
    note(stage, 'third party', `says ${decision} of ${key}`);
    return replyOf(key, decision);
  };
  const arrive = arriving<CheckReply21>({
    ...{ stage, work },
    other: (reported) => ({ ...reported, check_ref: 'another', decision: LETTERS.reject }),
    unpromised: (reported) => ({ ...reported, decision: 'perhaps' }),
  });
  const answer = await travel({
    ...{ stage, verb: 'check', key, deadlineMs, arrive },
    chance: stage.weather.fault.check,
    mayRepeat: true,
    isQuestion: false,
    faults: 'third party faults',
  });
  entry.heard = heardIn(answer, key);
  return answer;
}

function decide(
  { random }: Stage,
  book: readonly Check[],
  { check_ref: key, email }: CheckRequest21,
): Verdict {
  const before = book.find((one) => one.key === key && one.decided.length > 0)?.decided[0];
  if (before) return random.chance(FICKLE) ? random.pick(VERDICTS) : before;
  return VERDICTS.find((verdict) => verdict === email?.split('@')[0]) ?? 'skipped';
}

const replyOf = (key: string, decision: Verdict): CheckReply21 => ({
  ...{ version: '2.1', check_ref: key, check_id: decision === 'skipped' ? null : `chk_${key}` },
  ...{ decision: LETTERS[decision], reason_code: '100', reason_text: `Simulated ${decision}` },
});

/** Returns the decision in an answer, if the answer is valid. */
function heardIn(answer: Answer, key: string): Verdict | null {
  if ('failure' in answer || answer.reply.status !== 200) return null;
  try {
    const reported = JSON.parse(answer.reply.body) as Partial<CheckReply21>;
    return (
      VERDICTS.find((verdict) => reported.check_ref === key && reported.decision === LETTERS[verdict]) ?? null
    );
  } catch {
    return null;
  }
}

/** A notice about the end of a review. */
export type Notice = {
  readonly key: string;
  readonly decision: 'accept' | 'reject';
  /** The version of its interface. */
  readonly version: '2.1' | '10.2';
  /** The id of the event. A repeat has the same id. */
  readonly event: string;
};

/** Builds the signed webhook of a notice. */
export function webhookOf({ key, decision, version, event }: Notice) {
  const notified =
    version === '2.1'
      ? { version, check_ref: key, check_id: `chk_${key}`, decision: LETTERS[decision], comment: event }
      : {
          ...{
            apiVersion: version,
            eventId: `${key} ${event}`,
            requestId: key,
            occurredAt: '2030-01-01T00:00:00Z',
          },
          assessment: { id: `chk_${key}`, verdict: VERDICT_WORDS[decision], comment: event },
        };
  const rawBody = Buffer.from(JSON.stringify(notified));
  const signature = createHmac('sha256', SECRET).update(rawBody).digest('hex');
  return { rawBody, headers: { [SIGNATURE_HEADER]: `sha256=${signature}` } };
}

const VERDICT_WORDS = { accept: 'APPROVED', reject: 'DECLINED' } as const;
