import { createHmac } from 'node:crypto';
import type { CheckReply21, CheckRequest21 } from '../../src/connectors/anti-fraud/sandbox/wire-2-1.ts';
import { SIGNATURE_HEADER } from '../../src/connectors/sandbox/webhook.ts';
import type { HttpRequest } from '../../src/platform/http/request.ts';
import { travel, type Answer } from './network.ts';
import { note, type Stage } from './stage.ts';
import { count } from './tally.ts';

// Who judges the payments of one merchant account: what it decides, by which ways, and what it tells of it later. It is
// asked in version 2.1 of its interface, through the sandbox's connector, and tells of reviews in both versions.

/** What it can decide, and by which letter it says so. */
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

/** Something that it was asked, or that was sent to ask it: an entry of its book. */
export type Check = {
  /** By the body, and by the header, of the request. */
  readonly key: string;
  readonly headerKey: string | undefined;
  /** What it decided, each time that the request arrived. */
  readonly decided: Verdict[];
  /** What came back to us as it was said; null when nothing did. */
  heard: Verdict | null;
};

export const THIRD_PARTY = 'http://anti-fraud.simulation/';
export const SECRET = 'the third party and we know it';

/** Asked again about one payment, it may decide otherwise. */
const FICKLE = 0.3;

/** A buyer whose payment is decided so, which the third party reads off the address; without one it judges nothing. */
export const buyerFor = (verdict: Verdict) =>
  verdict === 'skipped' ? null : { billingDetails: { emailAddress: `${verdict}@shop.example` } };

type Sent = Pick<HttpRequest, 'body' | 'headers' | 'deadlineMs'>;

/** Has it judge a payment, over a network that may fail. */
export async function askThirdParty(
  stage: Stage,
  book: Check[],
  { body, headers, deadlineMs }: Sent,
): Promise<Answer> {
  const request = JSON.parse(body ?? '') as CheckRequest21;
  const { check_ref: key } = request;
  const entry: Check = { key, headerKey: headers['idempotency-key'], decided: [], heard: null };
  book.push(entry);
  const arrive = (): CheckReply21 => {
    const decision = decide(stage, book, request);
    entry.decided.push(decision);
    count(stage.tally, 'decided by the third party', decision);
    note(stage, 'third party', `says ${decision} of ${key}`);
    return replyOf(key, decision);
  };
  const answer = await travel<CheckReply21>({
    ...{ stage, verb: 'check', key, deadlineMs, arrive },
    chance: stage.weather.fault.check,
    mayRepeat: true,
    isQuestion: false,
    other: (said) => ({ ...said, check_ref: 'another', decision: LETTERS.reject }),
    unpromised: (said) => ({ ...said, decision: 'perhaps' }),
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

/** What an answer says of a check, if it says what was promised. */
function heardIn(answer: Answer, key: string): Verdict | null {
  if ('failure' in answer || answer.reply.status !== 200) return null;
  try {
    const said = JSON.parse(answer.reply.body) as Partial<CheckReply21>;
    return VERDICTS.find((verdict) => said.check_ref === key && said.decision === LETTERS[verdict]) ?? null;
  } catch {
    return null;
  }
}

/** What it tells of how a review has ended. */
export type Notice = {
  readonly key: string;
  readonly decision: 'accept' | 'reject';
  /** The version of its interface in which it tells it. */
  readonly version: '2.1' | '10.2';
  /** Its name of the event: of a repeat the same. */
  readonly event: string;
};

/** A webhook as it arrives, signed. */
export function webhookOf({ key, decision, version, event }: Notice) {
  const told =
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
  const rawBody = Buffer.from(JSON.stringify(told));
  const signature = createHmac('sha256', SECRET).update(rawBody).digest('hex');
  return { rawBody, headers: { [SIGNATURE_HEADER]: `sha256=${signature}` } };
}

const VERDICT_WORDS = { accept: 'APPROVED', reject: 'DECLINED' } as const;
