import { describe, expect, it } from '@jest/globals';
import { callConnector } from '../../../src/connectors/calls/call.ts';
import type { CallContext } from '../../../src/connectors/door.ts';
import type { PackagedConnector } from '../../../src/connectors/packages/package.ts';
import { NO_TIMING } from '../../../src/platform/http/http-client.ts';
import type { HttpAnswer } from '../../../src/platform/http/reply.ts';
import type { HttpRequest } from '../../../src/platform/http/request.ts';
import { callOf, somePayment } from '../contract-calls.ts';
import { contextOf, enclosed } from './acme.ts';

const MONEY = { amount: 1299, currency: 'EUR' };
const DONE = {
  ...{ kind: 'succeeded', reference: 'R1', money: MONEY },
  ...{ rawResponseCode: null, rawResponseDescription: null },
};

const replied = (status: number): HttpAnswer => ({
  reply: { status, headers: {}, body: '{}', durationMs: 1, timing: NO_TIMING },
});
const failed = (kind: 'timeout' | 'connection_refused', sent: boolean): HttpAnswer => ({
  failure: { kind, sent, durationMs: 1, timing: NO_TIMING },
});

/** A client that answers in turn, and records the requests. The last answer repeats. */
function record(...answers: readonly HttpAnswer[]) {
  const sent: HttpRequest[] = [];
  const send = (request: HttpRequest): Promise<HttpAnswer> =>
    Promise.resolve(answers[Math.min(sent.push(request), answers.length) - 1] ?? replied(200));
  return { sent, http: { send } };
}

const requestOf = (changes: Partial<HttpRequest> = {}): HttpRequest => ({
  ...{ method: 'POST', url: 'https://sandbox.acme.example/refunds', headers: {}, pool: 'acme' },
  ...{ deadlineMs: 1_000, replyBytesMax: 1_000, ...changes },
});

/** Refunds with a connector whose refunds are as given. */
async function refundBy(
  { http }: Pick<CallContext, 'http'>,
  given: (context: CallContext) => Promise<unknown>,
  deadlineMs = 5_000,
) {
  const refund = given as PackagedConnector['refund'];
  const { connector, log, lines } = enclosed({ refund });
  const call = callOf('refund', MONEY, { paid: somePayment(), pays: {} });
  return { outcome: await callConnector(connector, contextOf(http, deadlineMs), log, call), lines };
}

const ENDED: HttpAnswer = { failure: { kind: 'timeout', sent: false, durationMs: 0, timing: NO_TIMING } };

describe('the client of a call', () => {
  it('sends nothing after the deadline of a call that hangs', async () => {
    const recorder = record(replied(200));
    const late = Promise.withResolvers<HttpAnswer>();
    const wake = Promise.withResolvers<null>();
    const { outcome, lines } = await refundBy(
      recorder,
      async ({ http }) => {
        await wake.promise;
        late.resolve(await http.send(requestOf({ deadlineMs: 600_000 })));
        return DONE;
      },
      20,
    );
    wake.resolve(null);

    expect(outcome).toEqual({ kind: 'unknown', cause: 'timeout' });
    expect(await late.promise).toEqual(ENDED);
    expect(recorder.sent).toEqual([]);
    expect(lines.join('')).toContain('The connector asked for a request after the end of its call.');
  });

  it('sends nothing after the answer of its call', async () => {
    const recorder = record(replied(200));
    const kept: CallContext[] = [];
    await refundBy(recorder, async (context) => {
      kept.push(context);
      await context.http.send(requestOf());
      return DONE;
    });

    expect(await kept[0]?.http.send(requestOf())).toEqual(ENDED);
    expect(recorder.sent).toHaveLength(1);
  });

  it('gives a request no more time than the rest of the call, and reads no endless reply', async () => {
    const recorder = record(replied(200));
    await refundBy(recorder, async ({ http }) => {
      await http.send(requestOf({ deadlineMs: 600_000, replyBytesMax: 1e9 }));
      await http.send(requestOf());
      return DONE;
    });

    const [long, short] = recorder.sent;
    expect(long?.deadlineMs).toBeLessThanOrEqual(5_000);
    expect(long?.replyBytesMax).toBe(64 * 1024 * 1024);
    expect(short).toMatchObject({ deadlineMs: 1_000, replyBytesMax: 1_000 });
  });
});

describe('an answer that claims that nothing was sent', () => {
  const NOT_SENT = { kind: 'unknown', cause: 'connection', sent: false };
  const REFUSED = { ...NOT_SENT, refusedAs: 'invalid_service_credentials' };
  const MAY_BE_SENT = { kind: 'unknown', cause: 'connection' };
  const refused = failed('connection_refused', false);

  /** Sends as many requests as there are answers, and claims. */
  const claim = async (claimed: object, method: 'GET' | 'POST', answers: readonly HttpAnswer[]) => {
    const { outcome } = await refundBy(record(...answers), async ({ http }) => {
      for (let sent = 0; sent < answers.length; sent++) await http.send(requestOf({ method }));
      return claimed;
    });
    return outcome;
  };

  it.each<[string, 'GET' | 'POST', readonly HttpAnswer[]]>([
    ['a request that may have arrived', 'POST', [failed('timeout', true), refused]],
    ['a server error', 'POST', [replied(503), refused]],
    ['an approval', 'POST', [replied(201), refused]],
    ['a read that may have arrived', 'GET', [failed('timeout', true), refused]],
  ])('is not believed after %s', async (_, method, answers) => {
    expect(await claim(NOT_SENT, method, answers)).toEqual(MAY_BE_SENT);
    expect(await claim(REFUSED, method, answers)).toEqual(MAY_BE_SENT);
  });

  it.each<[string, 'GET' | 'POST', readonly HttpAnswer[]]>([
    ['requests that never left', 'POST', [refused, refused]],
    ['explicit refusals', 'POST', [replied(401)]],
    ['a read', 'GET', [replied(200)]],
    ['nothing', 'POST', []],
  ])('is believed after %s', async (_, method, answers) => {
    expect(await claim(NOT_SENT, method, answers)).toEqual(NOT_SENT);
    expect(await claim(REFUSED, method, answers)).toEqual(REFUSED);
  });

  it('is not believed while a request is under way', async () => {
    const { outcome } = await refundBy({ http: { send: () => new Promise(() => undefined) } }, ({ http }) => {
      void http.send(requestOf());
      return Promise.resolve(NOT_SENT);
    });

    expect(outcome).toEqual(MAY_BE_SENT);
  });
});
