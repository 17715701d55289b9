import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSessionHarness, type SessionHarness, type Waiting } from '../transactions/session-harness.ts';

let harness: SessionHarness;
beforeAll(async () => {
  harness = await startSessionHarness();
});
afterAll(() => harness.stop());

/** Exchanges the token as a client without an access token. */
const exchange = ({ id, token }: Waiting, init: RequestInit = {}): Promise<Response> =>
  fetch(`${harness.server.url}/transactions/${id}/session?token=${token}`, { method: 'POST', ...init });

type Body = {
  readonly session_data: Readonly<Record<string, string | null>>;
  readonly default_completion_url: string;
  readonly integration_client: string;
  readonly expires_at: string;
};

describe('POST /transactions/{id}/session', () => {
  it('gives a client with the token the session of createTransactionSession, without an access token', async () => {
    const waiting = await harness.wait({ integrationClient: 'IOS', intent: 'CAPTURE' });
    const answer = await exchange(waiting, {
      body: '{"payload":{}}',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const body = (await answer.json()) as Body;
    const { sessionData, defaultCompletionUrl, expiresAt } = await harness.opened(waiting);
    expect(body).toEqual({
      session_data: {
        order_id: sessionData['orderId'],
        client_id: sessionData['clientId'],
        merchant_id: 'test',
        currency: 'USD',
        intent: 'capture',
        funding_source: 'venmo',
        approval_url: sessionData.approvalUrl,
        action: null,
      },
      default_completion_url: defaultCompletionUrl,
      integration_client: 'ios',
      expires_at: expiresAt,
    });
    await fetch(body.session_data['approval_url'] ?? '', {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approved' }),
    });
    expect((await harness.complete(body.default_completion_url)).status).toBe(303);
    expect((await harness.show(waiting.id)).status).toBe('CAPTURE_SUCCEEDED');
  });

  it('refuses every other token alike, and reports the end of the wait', async () => {
    const [mine, other] = [await harness.wait(), await harness.wait()];
    const refused = [
      await exchange({ id: mine.id, token: other.token }),
      await exchange({ id: mine.id, token: '' }),
      await exchange({ id: mine.id, token: `${mine.token}&token=${mine.token}` }),
      await exchange({ id: 'x', token: mine.token }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(await Promise.all(refused.map((each) => each.text()))).size).toBe(1);
    await harness.cancel(mine.id);
    const over = await exchange(mine);
    expect([over.status, await over.json()]).toEqual([
      409,
      {
        ...{ type: 'error', code: 'bad_request', status: 409, reason: 'operation_not_allowed', details: [] },
        message: expect.any(String),
      },
    ]);
    harness.provider.failNext('nonsense');
    expect((await exchange(other)).status).toBe(503);
    expect((await exchange(other)).status).toBe(200);
  });

  it('is open to browsers of every origin, by POST alone', async () => {
    const waiting = await harness.wait();
    const path = `${harness.server.url}/transactions/${waiting.id}/session`;
    const preflight = await fetch(path, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
    expect((await fetch(`${path}?token=${waiting.token}`)).status).toBe(404);
  });

  it('writes no token to the log', async () => {
    const waiting = await harness.wait();
    await exchange(waiting);
    const { defaultCompletionUrl } = await harness.opened(waiting);
    await harness.complete(defaultCompletionUrl);
    expect(harness.server.logs()).not.toContain(waiting.token);
    expect(harness.server.logs()).not.toContain(defaultCompletionUrl.split('/').at(-1));
  });
});

const inBrowser = browserRunsHere ? it : it.skip;

inBrowser('a buyer approves in the wallet and is led back by the completion, with scripts off', async () => {
  const [browser, shop] = await Promise.all([startBrowser(), startReceiver()]);
  const redirectUrl = `${shop.url}/back`;
  const waiting = await harness.wait({ redirectUrl });
  const { sessionData, defaultCompletionUrl } = await harness.opened(waiting);
  const context = await browser.newContext({
    viewport: { width: 320, height: 640 },
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto(defaultCompletionUrl);
  expect(await page.getByRole('heading').innerText()).toBe('The payment is not approved yet');
  await page.goto(sessionData.approvalUrl);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  expect(await page.getByRole('heading').innerText()).toBe('You approved this payment');
  const returned = page.waitForRequest((request) => request.url().startsWith(redirectUrl));
  // The shop has no page.
  await page.goto(defaultCompletionUrl).catch(() => undefined);
  expect(new URL((await returned).url()).searchParams.get('transaction_status')).toBe(
    'authorization_succeeded',
  );
  await browser.close();
  await shop.close();
});
