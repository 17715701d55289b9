import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAILURES_MAX } from '../../src/http/checkout/attempt-limit.ts';
import type { Link, LinksHarness } from './harness.ts';
import { paymentsOf, richLink, startSellingHarness, startShop, type Shop } from './shop.ts';
import { withoutRandom } from '../support/without-random.ts';

let harness: LinksHarness;
let shop: Shop;
beforeAll(async () => {
  [harness, shop] = await Promise.all([startSellingHarness(), startShop()]);
});
afterAll(() => Promise.all([harness.stop(), shop.close()]));

const made = (input: object = {}): Promise<Link> => harness.made({ ...richLink(shop), ...input });

/** The cookie and the form key of a browser that has loaded the page. */
type Visit = { readonly cookie: string; readonly formKey: string };

async function visit({ url }: Link): Promise<Visit> {
  const reply = await fetch(url);
  const formKey = /name="form_key" value="([^"]*)"/.exec(await reply.text())?.[1] ?? '';
  return { cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '', formKey };
}

const CARD = {
  method: 'card',
  number: '4111111111111111',
  expiry: '12/40',
  security_code: '123',
  name: 'Jane',
};

type Words = Readonly<Record<string, string>>;

const submit = ({ url }: Link, { cookie, formKey }: Visit, change: Words = {}, headers: Words = {}) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, ...headers },
    body: new URLSearchParams({ form_key: formKey, ...CARD, ...change }),
  });

describe('the page of a payment link', () => {
  it('makes one transaction when fifty submit at once', async () => {
    const link = await made();
    const visited = await visit(link);
    const calls = harness.provider.calls.length;
    const replies = await Promise.all(Array.from({ length: 50 }, () => submit(link, visited)));

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    expect(new Set(replies.map(({ headers }) => headers.get('location')))).toEqual(
      new Set([new URL(link.url).pathname]),
    );
    expect(await paymentsOf(harness, link)).toHaveLength(1);
    expect(harness.provider.calls.length - calls).toBe(1);
  });

  it('accepts a form only from its own page in the same browser', async () => {
    const [link, other] = [await made(), await made()];
    const [own, ownAgain, foreign] = [await visit(link), await visit(link), await visit(other)];
    const wrong: readonly Visit[] = [
      { ...own, cookie: '' },
      { ...own, formKey: '' },
      { ...own, formKey: own.formKey.replace(/.$/, 'x') },
      { ...own, cookie: ownAgain.cookie },
      { ...own, cookie: foreign.cookie },
      { ...own, formKey: foreign.formKey },
      foreign,
    ];
    for (const each of wrong) {
      const reply = await submit(link, each);
      expect([reply.status, withoutRandom(await reply.text()).includes('4111')]).toEqual([403, false]);
    }
    expect(await paymentsOf(harness, link)).toEqual([]);
    expect((await submit(link, own)).status).toBe(303);
  });

  it('hides its cookie from scripts and other sites, and sets the common headers', async () => {
    const link = await made();
    const reply = await fetch(link.url);
    expect(reply.headers.get('set-cookie')).toMatch(
      /^pay_[\w-]{36}=[\w-]{22}\.[\w-]{22}; Path=\/pay; HttpOnly; SameSite=Lax$/,
    );
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('has a policy that allows its own styles and script by hash, the images of the link, and no more', async () => {
    const link = await made();
    const reply = await fetch(link.url);
    const html = await reply.text();
    const hashes = (element: string): readonly string[] =>
      Array.from(html.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g')), ([, text = '']) => {
        return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
      });
    expect(hashes('script')).toHaveLength(1);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/ (?:style|on\w+)="/);
    expect(reply.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hashes('style').join(' ')}`,
      `script-src ${hashes('script').join(' ')}`,
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
      `img-src ${shop.url}`,
      `form-action 'self' ${harness.server.url}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('blocks a caller after too many failures, and names the waiting time', async () => {
    const link = await made({ amount: 200_011 });
    const visited = await visit(link);
    const statuses: number[] = [];
    for (let count = 0; count < FAILURES_MAX.link; count += 1)
      statuses.push((await submit(link, visited)).status);
    const held = await submit(link, visited);

    expect(new Set(statuses)).toEqual(new Set([303]));
    expect(held.status).toBe(429);
    expect(Number(held.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await paymentsOf(harness, link)).toHaveLength(FAILURES_MAX.link);
    harness.clock.advance(16 * 60_000);
    expect((await submit(link, visited)).status).toBe(303);
  });

  it('behind TLS and under another path keeps to both', async () => {
    const proxied = await startSellingHarness({ PAYGRAPH_PUBLIC_URL: 'https://shop.example/payments' });
    const link = await proxied.made(richLink(shop));
    expect(link.url).toMatch(/^https:\/\/shop\.example\/payments\/pay\/[\w-]{22}$/);
    const inside = { ...link, url: `${proxied.server.url}/pay/${link.url.slice(-22)}` };
    const reply = await fetch(inside.url);
    expect(reply.headers.get('set-cookie')).toMatch(
      /; Path=\/payments\/pay; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(reply.headers.get('strict-transport-security')).toBe('max-age=31536000');
    const visited = await visit(inside);
    expect((await submit(inside, visited)).headers.get('location')).toBe(
      `/payments/pay/${link.url.slice(-22)}`,
    );
    await proxied.stop();
  });

  it('distinguishes buyers behind a proxy only when the proxy is trusted', async () => {
    const proxied = await startSellingHarness({ PAYGRAPH_TRUSTED_PROXIES: '127.0.0.0/8' });
    for (const [at, trusted] of [
      [proxied, true],
      [harness, false],
    ] as const) {
      const buyer = async (address: string) => {
        const link = await at.made({ ...richLink(shop), amount: 200_011 });
        const visited = await visit(link);
        return () => submit(link, visited, {}, { 'x-forwarded-for': address });
      };
      for (let count = 0; count < FAILURES_MAX.address; count += 1) await (await buyer('192.0.2.1'))();
      expect((await (await buyer('192.0.2.1'))()).status).toBe(429);
      expect((await (await buyer('192.0.2.2'))()).status).toBe(trusted ? 303 : 429);
    }
    harness.clock.advance(16 * 60_000);
    await proxied.stop();
  });

  it.each([
    ['an unknown method', { method: 'cheque' }],
    ['a method that no service accepts', { method: 'paypal' }],
    ['no method', { method: '' }],
    ['a number that is none', { number: '<script>alert(1)</script>' }],
    ['a security code of letters', { security_code: 'abc' }],
    ['a name without end', { name: 'x'.repeat(5000) }],
  ])('refuses %s, repeats no card and pays nothing', async (_, change) => {
    const link = await made({ currency: 'JPY' });
    const reply = await submit(link, await visit(link), change);
    const html = withoutRandom(await reply.text());
    expect([reply.status, html.includes('role="alert"')]).toEqual([422, true]);
    expect(html).not.toMatch(/4111|value="123"|<script>alert/);
    expect(await paymentsOf(harness, link)).toEqual([]);
    expect((await harness.read(link.id))?.status).toBe('ACTIVE');
  });

  it('answers an invalid form, and logs nothing of a card', async () => {
    const link = await made();
    const reply = await fetch(link.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    });
    expect(reply.status).toBe(403);
    const huge = await fetch(link.url, {
      method: 'POST',
      body: new URLSearchParams({ name: 'x'.repeat(300_000) }),
    });
    expect(huge.status).toBe(413);
    expect(withoutRandom(harness.server.logs())).not.toMatch(/4111|Jane/);
    expect(harness.server.logs()).not.toContain(link.url.split('/').at(-1));
  });

  it('reveals nothing about payments of other links', async () => {
    const [declined, link] = [await made({ amount: 200_011 }), await made()];
    await submit(declined, await visit(declined));
    const [payment] = await paymentsOf(harness, declined);
    const pages = [
      `${declined.url}?transaction_id=${payment?.id}`,
      `${link.url}?transaction_id=${payment?.id}`,
    ];
    const shown = await Promise.all(pages.map(async (page) => (await fetch(page)).text()));
    expect(shown.map((html) => html.includes('too little money'))).toEqual([true, false]);
    // Another browser gets nothing that the buyer typed.
    expect(shown.filter((html) => /value="(12\/40|Jane)/.test(html))).toEqual([]);
  });
});
