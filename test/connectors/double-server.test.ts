import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpClient, SANDBOX_NETWORKS } from '../../src/platform/http/http-client.ts';
import { listenOn, openLine, sentTo, type DoubleCore, type DoubleServer } from './double-server.ts';

let worked: string[];
let inUse: Set<string>;
let server: DoubleServer;
let line: ReturnType<typeof openLine>;

beforeEach(async () => {
  worked = [];
  inUse = new Set();
  line = openLine(counter());
  server = await listenOn(line);
});
afterEach(() => server.close());

/** A provider that counts. */
const counter = (): DoubleCore => ({
  usual: /^(?!POST \/token)/,
  handle: ({ body }) => {
    worked.push(body);
    return json(200, { word: 'done', amount: 5, currency: 'EUR' });
  },
  hold: ({ body }) => {
    inUse.add(body);
    return () => void inUse.delete(body);
  },
  words: {
    serverError: (_, done) => json(500, { done: done !== null }),
    rateLimited: (seconds) => ({
      ...json(429, {}),
      headers: seconds === null ? {} : { 'retry-after': `${seconds}` },
    }),
    unauthorized: () => json(401, {}),
    forbidden: () => json(403, {}),
    unknownWord: ({ status }) => json(status, { word: 'perhaps' }),
    otherAmount: ({ status }) => json(status, { amount: 6 }),
    otherCurrency: ({ status }) => json(status, { currency: 'XXX' }),
  },
});

const json = (status: number, body: object) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const send = async (body: string, path = '/pay') => {
  const response = await fetch(server.url + path, { method: 'POST', body });
  return { status: response.status, body: await response.text() };
};

const DONE = '{"word":"done","amount":5,"currency":"EUR"}';

describe('a fault of the next call', () => {
  it.each([
    ['error_before_work', 500, '{"done":false}', 0],
    ['error_after_work', 500, '{"done":true}', 1],
    ['rate_limited', 429, '{}', 0],
    ['maintenance', 503, expect.stringContaining('<!doctype html>'), 0],
    ['truncated', 200, DONE.slice(0, 22), 1],
    ['unknown_word', 200, '{"word":"perhaps"}', 1],
    ['other_amount', 200, '{"amount":6}', 1],
    ['other_currency', 200, '{"currency":"XXX"}', 1],
    ['unauthorized', 401, '{}', 0],
    ['forbidden', 403, '{}', 0],
  ] as const)('is %s, once', async (fault, status, body, work) => {
    line.failNext(fault);

    expect(await send('a')).toEqual({ status, body });
    expect(worked).toHaveLength(work);
    expect(await send('a')).toEqual({ status: 200, body: DONE });
    expect(line.calls).toHaveLength(2);
  });

  it.each([
    ['lose_request', []],
    ['lose_answer', ['a']],
  ] as const)('is %s', async (fault, work) => {
    line.failNext(fault);

    await expect(send('a')).rejects.toThrow();
    expect(worked).toEqual(work);
  });

  it.each([
    ['hang', ['a']],
    ['hang_before_work', []],
  ] as const)('is %s until the release, and holds the key', async (fault, before) => {
    line.failNext(fault);
    const sent = send('a');
    while (inUse.size === 0) await new Promise((resolve) => setTimeout(resolve, 2));

    expect(worked).toEqual(before);
    line.release();

    expect(await sent).toEqual({ status: 200, body: DONE });
    expect([worked, inUse.size]).toEqual([['a'], 0]);
  });

  it('says with a hint when to come back', async () => {
    line.failNext('rate_limited_with_hint');

    const response = await fetch(server.url, { method: 'POST' });

    expect(response.headers.get('retry-after')).toBe('1');
  });
});

describe('an ordered fault', () => {
  it('waits for the call that it names', async () => {
    line.failNextOf(/refund/, 'forbidden');

    expect([(await send('a')).status, (await send('a', '/refund')).status]).toEqual([200, 403]);
  });

  it('meets the usual calls, unless a test names others', async () => {
    line.failNext('forbidden');
    line.failNextOf('POST /token', 'unauthorized');

    expect([await send('', '/token'), await send('', '/token'), await send('')]).toMatchObject([
      { status: 401 },
      { status: 200 },
      { status: 403 },
    ]);
  });

  it('is cancelled', async () => {
    line.failNext('forbidden');
    line.behave();

    expect((await send('a')).status).toBe(200);
  });
});

it('takes the place of the provider for our client', async () => {
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const request = { url: 'https://provider.example/pay?a=1', headers: { 'X-Key': 'k' }, body: 'b' };

  const sent = await sentTo(http, server.url).send({
    ...{ ...request, method: 'POST', pool: 'double', deadlineMs: 5_000, replyBytesMax: 1_000 },
  });

  http.close();
  expect(sent).toMatchObject({ reply: { status: 200, body: DONE } });
  expect(line.calls).toMatchObject([
    { method: 'POST', path: '/pay?a=1', headers: { 'x-key': 'k' }, body: 'b' },
  ]);
});
