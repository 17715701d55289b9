import { randomUUID } from 'node:crypto';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { authorization, DOCUMENTS, payloadOf } from '../../support/payments.ts';
import { nowMs, serve } from '../child.ts';

// A process of many callers who authorise payments. Its tasks are `together` and `apart`.

/** The calls of one merchant account, by their answers. */
export type Answers = {
  /** Payments that were authorised. */
  accepted: number;
  /** Requests that were refused with 429 and Retry-After. Nothing of them has begun. */
  refused: number;
  /** Any other answer, in short. */
  readonly others: string[];
  /** The milliseconds of the authorised payments. */
  readonly durations: number[];
};

export type Caller = { readonly token: string; readonly perSecond: number };

export type Calls = { readonly url: string; readonly callers: readonly Caller[]; readonly ms: number };

/** The answers to the calls of each caller, and the time until the last one. */
export type Apart = { readonly answers: readonly Answers[]; readonly ms: number };

const agent = new Agent({ keepAlive: true, maxSockets: 5_000 });

const { variables } = authorization(1_299, null);

/** Authorises one payment, and counts the answer. */
async function pay(url: string, token: string, answers: Answers): Promise<void> {
  const body = JSON.stringify({
    query: DOCUMENTS.authorize,
    variables: { ...variables, key: randomUUID() },
  });
  const from = nowMs();
  try {
    const { status, headers, text } = await post(`${url}/graphql`, token, body);
    if (status === 429 && headers['retry-after'] !== undefined) answers.refused += 1;
    else if (status === 200 && payloadOf(text)?.transaction?.status === 'AUTHORIZATION_SUCCEEDED') {
      answers.accepted += 1;
      answers.durations.push(nowMs() - from);
    } else answers.others.push(`${status} ${text.slice(0, 300)}`);
  } catch (error) {
    answers.others.push(String(error));
  }
}

type Reply = Pick<IncomingMessage, 'headers'> & { readonly status: number; readonly text: string };

const post = (url: string, token: string, body: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const asked = request(url, { agent, method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => void (text += part));
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.once('error', reject);
    });
    asked.once('error', reject);
    asked.end(body);
  });

const noAnswers = (): Answers => ({ accepted: 0, refused: 0, others: [], durations: [] });

/** The pause between two looks at the calls that are due. */
const TICK_MS = 5;

serve({
  /** Each caller has so many payments under way, and begins the next one when one ends. */
  together: async ({ url, callers, ms, atOnce }: Calls & { readonly atOnce: number }) => {
    const until = nowMs() + ms;
    return await Promise.all(
      callers.map(async ({ token }) => {
        const answers = noAnswers();
        const loop = async (): Promise<void> => {
          while (nowMs() < until) await pay(url, token, answers);
        };
        await Promise.all(Array.from({ length: atOnce }, loop));
        return answers;
      }),
    );
  },
  /** Each caller begins so many payments a second, however many are under way. Waits for all answers. */
  apart: async ({ url, callers, ms }: Calls): Promise<Apart> => {
    const [from, answers] = [nowMs(), callers.map(noAnswers)];
    const underWay = new Set<Promise<void>>();
    const begun = callers.map(() => 0);
    for (let passed = 0; passed < ms; passed = nowMs() - from) {
      for (const [nth, { token, perSecond }] of callers.entries()) {
        const due = Math.floor((passed / 1_000) * perSecond);
        for (; (begun[nth] ?? 0) < due; begun[nth] = (begun[nth] ?? 0) + 1) {
          const call = pay(url, token, answers[nth] as Answers).finally(() => underWay.delete(call));
          underWay.add(call);
        }
      }
      await delay(TICK_MS);
    }
    await Promise.all(underWay);
    return { answers, ms: nowMs() - from };
  },
});
