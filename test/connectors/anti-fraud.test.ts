import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { callAntiFraud } from '../../src/connectors/anti-fraud/call.ts';
import type { CheckRequest } from '../../src/connectors/anti-fraud/check-request.ts';
import type {
  AntiFraudConnector,
  CheckContext,
  ReviewRequest,
} from '../../src/connectors/anti-fraud/connector.ts';
import { readReviewWebhook } from '../../src/connectors/anti-fraud/read-webhook.ts';
import { sandboxAntiFraud } from '../../src/connectors/sandbox/anti-fraud/index.ts';
import { mockAntiFraud } from '../../src/connectors/sandbox/anti-fraud/definition.ts';
import { createHttpClient, type HttpClient } from '../../src/platform/http/http-client.ts';
import { BARE_CHECK, CHECKED_CARD, strangerAt } from '../support/check-request.ts';
import { startFakeAntiFraud, type CheckFault, type FakeAntiFraud } from '../support/fake-anti-fraud.ts';

const SECRET = 'a secret of the test';
const { key: KEY } = BARE_CHECK;

let thirdParty: FakeAntiFraud;
let http: HttpClient;
const lines: string[] = [];
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });

beforeAll(async () => {
  thirdParty = await startFakeAntiFraud();
  http = createHttpClient({ allowedNetworks: ['127.0.0.0/8'], allowInsecureHttp: true });
});

afterAll(async () => {
  http.close();
  await thirdParty.close();
});

const noNetwork: HttpClient = {
  send: () => Promise.reject(new Error('The network was called')),
  refuseUrl: () => null,
  close: () => undefined,
};

/** Long enough for a busy machine. */
const DEADLINE_MS = 30_000;
/** For checks without an answer. */
const SHORT_MS = 300;

const contextIn = (
  interfaceVersion: string,
  where: 'built in' | 'over HTTP',
  deadlineMs = DEADLINE_MS,
): CheckContext => ({
  definition: mockAntiFraud,
  interfaceVersion,
  credentials: {
    ...{ merchant_id: 'm-1', api_key: SECRET },
    ...(where === 'over HTTP' && { api_url: thirdParty.url }),
  },
  http: where === 'over HTTP' ? http : noNetwork,
  deadlineMs,
  now: new Date('2026-11-22T09:00:01Z'),
});

const requestBy = (emailAddress: string | null): CheckRequest => ({
  ...{ ...BARE_CHECK, buyer: strangerAt(emailAddress), card: CHECKED_CARD },
  deviceFingerprint: 'session 12',
});

const VERSIONS = ['2.1', '10.2'] as const;

describe.each(VERSIONS)('the sandbox in version %s', (version) => {
  test.each([
    ['accept@shop.example', 'accept', null],
    ['ACCEPT@other.example', 'accept', null],
    ['reject@shop.example', 'reject', null],
    ['review@shop.example', 'review', null],
    ['error@shop.example', 'error', null],
    ['timeout@shop.example', 'exception', null],
    ['unavailable@shop.example', 'error', 'server_error'],
    ['jane.reject@shop.example', 'accept', null],
    [null, 'skipped', null],
  ] as const)('gives %s the same decision built in and over HTTP: %s', async (email, decision, cause) => {
    const request = requestBy(email);
    const builtIn = await callAntiFraud(sandboxAntiFraud, contextIn(version, 'built in'), log, request);
    const overHttp = await callAntiFraud(sandboxAntiFraud, contextIn(version, 'over HTTP'), log, request);

    expect(builtIn).toMatchObject({ decision, cause, interfaceVersion: version });
    expect(overHttp).toEqual(builtIn);
    expect(builtIn.reference).toEqual(
      cause === null && email !== null ? expect.stringMatching(/^chk_[0-9a-f]{24}$/) : null,
    );
  });

  test('is called at its own address, with its key and the service’s own', async () => {
    await callAntiFraud(sandboxAntiFraud, contextIn(version, 'over HTTP'), log, requestBy(null));

    expect(thirdParty.calls.at(-1)).toMatchObject({
      path: `/risk/${version}/checks`,
      authorization: `Bearer ${SECRET}`,
      idempotencyKey: KEY,
    });
  });

  test.each<[CheckFault, string]>([
    ['server_error', 'server_error'],
    ['lost', 'connection'],
    ['nonsense', 'unreadable'],
    ['another_check', 'unreadable'],
    ['hang', 'timeout'],
  ])('that fails with %s has decided nothing', async (fault, cause) => {
    thirdParty.failNext(fault);

    const checked = await callAntiFraud(
      sandboxAntiFraud,
      contextIn(version, 'over HTTP', fault === 'hang' ? SHORT_MS : DEADLINE_MS),
      log,
      requestBy('reject@shop.example'),
    );

    expect(checked).toEqual({
      ...{ decision: 'error', cause, interfaceVersion: version },
      ...{ reference: null, rawResponseCode: null, rawResponseDescription: null },
    });
  });
});

describe('the caller', () => {
  const by = (check: AntiFraudConnector['check']) =>
    callAntiFraud(
      { ...sandboxAntiFraud, check },
      contextIn('2.1', 'built in', SHORT_MS),
      log,
      requestBy(null),
    );

  test('turns exceptions of a connector into errors, at once and later, and logs none of them', async () => {
    const sync = await by(() => {
      throw new TypeError('canary at once');
    });
    const later = await by(() => Promise.reject(new TypeError('canary later')));
    const unknown = await callAntiFraud(
      sandboxAntiFraud,
      contextIn('11.0', 'built in'),
      log,
      requestBy(null),
    );

    for (const checked of [sync, later, unknown])
      expect(checked).toMatchObject({ decision: 'error', cause: 'unreadable' });
    expect(lines.join()).toContain('TypeError');
    expect(lines.join()).not.toMatch('canary');
  });

  test('waits no longer than the deadline for a connector that ignores it', async () => {
    const startedAt = performance.now();

    expect(await by(() => new Promise(() => undefined))).toMatchObject({
      decision: 'error',
      cause: 'timeout',
    });
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS);
  });

  test('removes secrets, card numbers and characters that cannot be stored from the answer', async () => {
    const checked = await by(() =>
      Promise.resolve({
        ...({ kind: 'decided', decision: 'reject', reference: 'a\u0000b' } as const),
        rawResponseCode: `code ${SECRET}`,
        rawResponseDescription: `4111 1111 1111 1111 is listed\u0000${'x'.repeat(600)}`,
      }),
    );

    expect(checked).toMatchObject({ decision: 'reject', reference: null, rawResponseCode: 'code …' });
    expect(checked.rawResponseDescription).toMatch(/^… is listed x+$/);
    expect(checked.rawResponseDescription?.length).toBeLessThanOrEqual(500);
  });
});

describe('the reader of reviews', () => {
  const review21 = { version: '2.1', check_ref: KEY, check_id: 'chk_3', decision: 'D', comment: SECRET };
  const review102 = {
    ...{ apiVersion: '10.2', eventId: 'evt_1', occurredAt: '2026-11-22T09:00:00Z', requestId: KEY },
    assessment: { id: 'chk_3', verdict: 'APPROVED', comment: 'Card 4111111111111111 was called' },
  };
  const requestOf = (body: unknown, signature?: string): ReviewRequest => {
    const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const digest = createHmac('sha256', SECRET).update(rawBody).digest('hex');
    return {
      ...{ rawBody, definition: mockAntiFraud, environment: 'sandbox' },
      headers: { 'x-sandbox-signature': signature ?? `sha256=${digest}` },
      credentials: { webhook_secret: SECRET },
      now: new Date('2026-11-22T09:00:00Z'),
    };
  };
  const read = (request: ReviewRequest) => readReviewWebhook(sandboxAntiFraud, request, log);

  test('reads both versions, whichever the service uses now, and cleans comments', () => {
    expect(read(requestOf(review21))).toMatchObject({
      ok: true,
      value: [{ interfaceVersion: '2.1', key: KEY, decision: 'reject', comment: '…' }],
    });
    expect(read(requestOf(review102))).toMatchObject({
      ok: true,
      value: [{ interfaceVersion: '10.2', key: KEY, decision: 'accept', comment: 'Card … was called' }],
    });
  });

  test.each([
    ['another signature', requestOf(review21, `sha256=${'0'.repeat(64)}`), 'bad_signature'],
    ['no signature', requestOf(review21, ''), 'bad_signature'],
    ['no JSON', requestOf('{'), 'unreadable'],
    ['a reference that cannot be stored', requestOf({ ...review21, check_id: 'a\u0000b' }), 'unreadable'],
  ])('refuses one with %s', (_, request, refusal) => {
    expect(read(request)).toMatchObject({ ok: false, refusals: [refusal] });
  });

  test('ignores a notice without a review', () => {
    expect(read(requestOf({ version: '2.1', ping: true }))).toEqual({ ok: true, value: [] });
  });

  test('treats a notice as unreadable when its connector throws', () => {
    const throwing: AntiFraudConnector = {
      ...sandboxAntiFraud,
      readWebhook: () => {
        throw new Error('canary');
      },
    };

    expect(readReviewWebhook(throwing, requestOf(review21), log)).toMatchObject({
      ok: false,
      refusals: ['unreadable'],
    });
    expect(lines.join()).not.toMatch('canary');
  });
});
