import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findLinkMethods, openApplePaySession } from '../../src/modules/payment-links/index.ts';
import {
  answerAgain,
  SESSION,
  startAppleGateway,
  VALIDATION_URL,
  type AppleGateway,
} from '../support/apple-gateway.ts';
import { createService } from '../transactions/harness.ts';
import { startLinks, type Link, type LinksHarness } from './harness.ts';
import { paymentsOf } from './shop.ts';

let gateway: AppleGateway;
let harness: LinksHarness;
/** The second service by position. The first one is no merchant at Apple. */
let service: string;
let calls: number;
beforeAll(async () => {
  gateway = await startAppleGateway();
  harness = await startLinks('mock-acquirer', {}, { http: gateway.http });
  const { server, provider } = harness;
  service = await createService(server, provider.url, {
    ...{ definitionId: 'mockds-card', displayName: 'Apple Pay', currencies: ['USD', 'JPY'] },
    fields: gateway.merchant(),
  });
  const euros = { definitionId: 'mock-acquirer', displayName: 'Euros', currencies: ['EUR'] };
  await createService(server, provider.url, euros);
});
afterAll(async () => {
  await harness.stop();
  await gateway.stop();
});
beforeEach(() => {
  calls = harness.provider.calls.length;
  gateway.requests.length = 0;
  answerAgain(gateway);
});

const tokenOf = (card: string) => JSON.stringify({ sandbox: card });

type Visit = {
  readonly cookie: string;
  readonly formKey: string;
  readonly html: string;
  readonly headers: Headers;
};

async function visit({ url }: Link): Promise<Visit> {
  const reply = await fetch(url);
  const html = await reply.text();
  const formKey = /name="form_key" value="([^"]*)"/.exec(html)?.[1] ?? '';
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, formKey, html, headers: reply.headers };
}

const post = ({ url }: Link, { cookie, formKey }: Visit, fields: Readonly<Record<string, string>>) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ form_key: formKey, method: 'applepay', ...fields }),
  });
const submit = (link: Link, visited: Visit, token: string) => post(link, visited, { wallet_token: token });
const openSession = (link: Link, visited: Visit, url = VALIDATION_URL) =>
  post(link, visited, { validation_url: url });

/** Reads the request for the wallet out of a page. */
const requestIn = (html: string): unknown => {
  const text = /data-apple-pay="([^"]*)"/.exec(html)?.[1];
  return text === undefined ? null : JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
};

describe('Apple Pay on the page of a link', () => {
  it('asks for the amount of the link in the name of the merchant', async () => {
    const { html, headers } = await visit(await harness.made({ amount: 1205, merchantName: 'A "B" & C' }));

    expect(requestIn(html)).toEqual({
      ...{ countryCode: 'DE', currencyCode: 'USD', merchantCapabilities: ['supports3DS'] },
      supportedNetworks: ['amex', 'discover', 'jcb', 'masterCard', 'visa'],
      total: { label: 'A "B" & C', amount: '12.05' },
    });
    expect(headers.get('permissions-policy')).toBe('payment=(self)');
    expect(headers.get('content-security-policy')).toContain(`; connect-src 'self'; `);
    expect(html).not.toMatch(/merchant\.com\.example|MII/);
  });

  it('pays the link at the service that can read the token', async () => {
    const link = await harness.made();
    const reply = await submit(link, await visit(link), tokenOf('mastercard'));

    expect([reply.status, reply.headers.get('location')]).toEqual([303, new URL(link.url).pathname]);
    const shown = await harness.ask(
      `query ($id: ID!) { answer: paymentLink(id: $id) { status transactions {
        status method amount paymentService { id } card { scheme lastFour } } } }`,
      { id: link.id },
    );
    expect(shown).toEqual({
      status: 'COMPLETED',
      transactions: [
        {
          ...{ status: 'AUTHORIZATION_SUCCEEDED', method: 'applepay', amount: 1299 },
          ...{ paymentService: { id: service }, card: { scheme: 'mastercard', lastFour: '4444' } },
        },
      ],
    });
    expect(harness.provider.calls.slice(calls)).toMatchObject([
      { wallet: { type: 'apple_pay', token: tokenOf('mastercard') } },
    ]);
  });

  it('makes one transaction when twenty submit at once', async () => {
    const link = await harness.made();
    const visited = await visit(link);
    await Promise.all(Array.from({ length: 20 }, () => submit(link, visited, tokenOf('visa'))));

    expect(await paymentsOf(harness, link)).toHaveLength(1);
    expect(harness.provider.calls.length - calls).toBe(1);
  });

  it('lets the buyer try again after a decline', async () => {
    const link = await harness.made();
    const declined = await submit(link, await visit(link), tokenOf('visa_declined'));
    const page = await (await fetch(new URL(declined.headers.get('location') ?? '', link.url))).text();
    expect(page).toContain('The card has too little money on it.');

    await submit(link, await visit(link), tokenOf('visa'));
    expect((await harness.read(link.id))?.status).toBe('COMPLETED');
  });

  it.each(['', 'no json', '["list"]', `{"x":"${'x'.repeat(10_000)}"}`])(
    'refuses the token %j, and pays nothing',
    async (token) => {
      const link = await harness.made();
      const reply = await submit(link, await visit(link), token);

      expect([reply.status, /role="alert"\s+tabindex/.test(await reply.text())]).toEqual([422, true]);
      expect(await paymentsOf(harness, link)).toEqual([]);
      expect(harness.provider.calls).toHaveLength(calls);
    },
  );

  it.each([
    ['no service of a merchant at Apple takes', { currency: 'EUR' }],
    ['stores its payment method', { store: true }],
  ])('is neither offered nor accepted where the link %s', async (_, input) => {
    const link = await harness.made(input);
    const visited = await visit(link);
    const [paid, opened] = [await submit(link, visited, tokenOf('visa')), await openSession(link, visited)];

    expect([requestIn(visited.html), visited.headers.get('permissions-policy')]).toEqual([null, null]);
    expect([paid.status, opened.status]).toEqual([422, 422]);
    expect(await paymentsOf(harness, link)).toEqual([]);
    expect([harness.provider.calls.length, gateway.requests]).toEqual([calls, []]);
  });

  it('is neither offered nor asked for after the end of the certificate', async () => {
    const { app } = harness.server;
    const link = await harness.found(await harness.made());
    const later = { ...app, clock: { ...app.clock, now: () => new Date(Date.now() + 2 * 365 * 86_400_000) } };
    const given = { validationUrl: VALIDATION_URL, displayName: 'Nordlicht', left: 1299 };

    expect((await findLinkMethods(app, link)).applePay).toEqual({
      countryCode: 'DE',
      paymentServiceId: service,
    });
    expect((await findLinkMethods(later, link)).applePay).toBeNull();
    expect(await openApplePaySession(later, link, given)).toEqual({ kind: 'not_offered' });
    expect(gateway.requests).toEqual([]);
  });
});

describe('a session of Apple Pay for the page of a link', () => {
  it('comes from Apple, for the merchant and the public host', async () => {
    const link = await harness.made({ merchantName: 'Nordlicht Coffee' });
    const reply = await openSession(link, await visit(link));

    expect([reply.status, reply.headers.get('cache-control'), await reply.json()]).toEqual([
      ...[200, 'no-store', SESSION],
    ]);
    expect(gateway.requests).toEqual([
      {
        ...{ path: '/paymentservices/startSession', merchant: 'merchant.com.example' },
        body: {
          merchantIdentifier: 'merchant.com.example',
          displayName: 'Nordlicht Coffee',
          initiative: 'web',
          initiativeContext: new URL(harness.server.app.publicUrl).hostname,
        },
      },
    ]);
    expect(await paymentsOf(harness, link)).toEqual([]);
  });

  it.each([
    '',
    'https://example.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com.example.com/paymentservices/startSession',
    'http://apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://127.0.0.1/paymentservices/startSession',
  ])('is not asked for at %j', async (url) => {
    const link = await harness.made();
    const reply = await openSession(link, await visit(link), url);

    expect([reply.status, await reply.json()]).toMatchObject([
      422,
      { message: 'validation_url must be the address of Apple that the browser gave.' },
    ]);
    expect(gateway.requests).toEqual([]);
  });

  it('is not asked for by another page, or for a link that is paid', async () => {
    const link = await harness.made();
    const visited = await visit(link);
    const strange = [
      await openSession(link, { ...visited, cookie: '' }),
      await openSession(link, { ...visited, formKey: 'x' }),
    ];
    await harness.pay(link);
    const paid = await openSession(link, visited);

    expect([...strange, paid].map(({ status }) => status)).toEqual([403, 403, 409]);
    expect(gateway.requests).toEqual([]);
  });

  it.each([
    ['refuses', { status: 417, body: '{"statusMessage":"secret words"}' }],
    ['fails', { status: 503, body: '' }],
    ['answers nonsense', { status: 200, body: '<html>' }],
    ['does not answer', null],
  ])('is unavailable when Apple %s, and the link can still be paid', async (_, answer) => {
    gateway.answer = answer;
    const link = await harness.made();
    const visited = await visit(link);
    const reply = await openSession(link, visited);
    const text = await reply.text();

    expect([reply.status, text.includes('provider_unavailable'), text.includes('secret')]).toEqual([
      ...[503, true, false],
    ]);
    expect((await harness.read(link.id))?.status).toBe('ACTIVE');
    await submit(link, visited, tokenOf('visa'));
    expect((await harness.read(link.id))?.status).toBe('COMPLETED');
  });

  it('is opened thirty times for a link in a quarter of an hour', async () => {
    const link = await harness.made();
    const visited = await visit(link);
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await openSession(link, visited)).status);
    const held = await openSession(link, visited);

    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
    expect(gateway.requests).toHaveLength(30);
  });

  it('leaves no key or certificate in the log', () => {
    const { apple_pay_certificate, apple_pay_private_key } = gateway.merchant();
    const logs = harness.server.logs();
    expect(logs).toContain('Apple opened no session of Apple Pay.');
    for (const pem of [apple_pay_certificate, apple_pay_private_key])
      expect(logs).not.toContain(pem.split('\n')[3]);
  });
});
