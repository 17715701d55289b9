import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decimal } from '../../src/http/checkout/methods/google-pay.ts';
import { createService } from '../transactions/harness.ts';
import { startLinks, type Link, type LinksHarness } from './harness.ts';
import { paymentsOf } from './shop.ts';

let harness: LinksHarness;
/** The second service by position. The first one has no merchant at Google. */
let service: string;
let calls: number;
beforeAll(async () => {
  harness = await startLinks('mock-acquirer');
  const { server, provider } = harness;
  service = await createService(server, provider.url, {
    ...{ definitionId: 'mock-acquirer', displayName: 'Google Pay', currencies: ['USD', 'JPY'] },
    fields: { google_pay_merchant_id: 'BCR2DN4T' },
  });
  // No merchant at Google.
  const euros = { definitionId: 'mock-acquirer', displayName: 'Euros', currencies: ['EUR'] };
  await createService(server, provider.url, euros);
});
afterAll(() => harness.stop());
beforeEach(() => void (calls = harness.provider.calls.length));

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

const submit = ({ url }: Link, { cookie, formKey }: Visit, token: string) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams({ form_key: formKey, method: 'googlepay', wallet_token: token }),
  });

const shown = ({ id }: Link) =>
  harness.ask(
    `query ($id: ID!) { answer: paymentLink(id: $id) { status transactions {
      status method amount paymentService { id } card { scheme lastFour } } } }`,
    { id },
  );

/** Reads the request for the wallet out of a page. */
const requestIn = (html: string): unknown => {
  const text = /data-google-pay="([^"]*)"/.exec(html)?.[1];
  return text === undefined ? null : JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
};

describe('Google Pay on the page of a link', () => {
  it('asks for a token that the service can read, for the amount of the link', async () => {
    const { html, headers } = await visit(await harness.made({ amount: 1205, merchantName: 'A "B" & C' }));

    expect(requestIn(html)).toEqual({
      method: {
        supportedMethods: 'https://google.com/pay',
        data: {
          ...{ environment: 'TEST', apiVersion: 2, apiVersionMinor: 0 },
          merchantInfo: { merchantId: 'BCR2DN4T', merchantName: 'A "B" & C' },
          allowedPaymentMethods: [
            {
              type: 'CARD',
              parameters: {
                allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
                allowedCardNetworks: ['AMEX', 'DISCOVER', 'JCB', 'MASTERCARD', 'VISA'],
              },
              tokenizationSpecification: {
                type: 'PAYMENT_GATEWAY',
                parameters: { gateway: 'example', gatewayMerchantId: 'test' },
              },
            },
          ],
        },
      },
      details: { total: { label: 'A "B" & C', amount: { currency: 'USD', value: '12.05' } } },
    });
    expect(headers.get('permissions-policy')).toBe('payment=(self)');
    expect(headers.get('content-security-policy')).toContain(
      `; connect-src 'self' https://google.com/pay https://www.google.com/pay https://pay.google.com; `,
    );
  });

  it('pays the link at the service that can read the token', async () => {
    const link = await harness.made();
    const reply = await submit(link, await visit(link), tokenOf('mastercard'));

    expect([reply.status, reply.headers.get('location')]).toEqual([303, new URL(link.url).pathname]);
    expect(await shown(link)).toEqual({
      status: 'COMPLETED',
      transactions: [
        {
          ...{ status: 'AUTHORIZATION_SUCCEEDED', method: 'googlepay', amount: 1299 },
          ...{ paymentService: { id: service }, card: { scheme: 'mastercard', lastFour: '4444' } },
        },
      ],
    });
    expect(harness.provider.calls.slice(calls)).toMatchObject([
      { wallet: { type: 'google_pay', token: tokenOf('mastercard') } },
    ]);
  });

  it('makes one transaction when twenty submit at once', async () => {
    const link = await harness.made();
    const visited = await visit(link);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => submit(link, visited, tokenOf('visa'))),
    );

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
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

      expect([reply.status, (await reply.text()).includes('role="alert"')]).toEqual([422, true]);
      expect(await paymentsOf(harness, link)).toEqual([]);
      expect(harness.provider.calls).toHaveLength(calls);
    },
  );

  it.each([
    ['no service with a merchant at Google takes', { currency: 'EUR' }],
    ['stores its payment method', { store: true }],
  ])('is neither offered nor accepted where the link %s', async (_, input) => {
    const link = await harness.made(input);
    const visited = await visit(link);
    const reply = await submit(link, visited, tokenOf('visa'));

    expect([requestIn(visited.html), visited.headers.get('permissions-policy')]).toEqual([null, null]);
    expect(reply.status).toBe(422);
    expect(await paymentsOf(harness, link)).toEqual([]);
    expect(harness.provider.calls).toHaveLength(calls);
  });

  it('is refused by a link that is paid or expired', async () => {
    const [paid, expired] = [await harness.made(), await harness.made()];
    const visits = [await visit(paid), await visit(expired)] as const;
    await Promise.all([harness.pay(paid), harness.expire(expired.id)]);
    calls = harness.provider.calls.length;
    const replies = [
      await submit(paid, visits[0], tokenOf('visa')),
      await submit(expired, visits[1], tokenOf('visa')),
    ];

    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    expect(harness.provider.calls).toHaveLength(calls);
  });
});

it.each([
  [1299, 'USD', '12.99'],
  [5, 'USD', '0.05'],
  [0, 'EUR', '0.00'],
  [1299, 'JPY', '1299'],
  [1, 'KWD', '0.001'],
  [99_999_999, 'EUR', '999999.99'],
])('writes %d of %s as %s', (amount, currency, text) => expect(decimal(amount, currency)).toBe(text));
