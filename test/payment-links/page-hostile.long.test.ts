import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { HOSTILE_ADDRESSES, HOSTILE_COLORS, HOSTILE_TEXTS } from './hostile.ts';
import type { Link, LinksHarness } from './harness.ts';
import { openPage, richLink, startShop, type Shop } from './shop.ts';
import { startWallets, type Wallets } from './wallet.ts';

/** Triggers code that waits for the focus or the pointer. */
const TOUCH_ALL = `for (const each of document.querySelectorAll('*')) {
  each.focus?.();
  for (const type of ['mouseover', 'mouseenter', 'toggle']) each.dispatchEvent(new Event(type));
}`;

/** Fills every field with a text and sends the form of the gift card. */
const submitGiftCard = (
  text: string,
) => `for (const each of document.querySelectorAll('input:not([type=hidden])'))
  each.value = ${JSON.stringify(text)};
document.querySelector('form.gift')?.submit();`;

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('the page of a payment link with hostile values', () => {
  let wallets: Wallets;
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  let page: Page;
  let ran: string[];
  let foreign: string[];
  beforeAll(async () => {
    [wallets, shop, browser] = await Promise.all([startWallets(), startShop(), startBrowser()]);
    ({ harness } = wallets);
    // The database refuses such a colour, too. This test is about the page.
    await harness.rows('ALTER TABLE payment_link DROP CONSTRAINT payment_link_merchant_color_check');
    page = await openPage(browser, 'about:blank');
    await page.exposeFunction('boo', () => void ran.push('boo'));
    page.on('dialog', (dialog) => {
      ran.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => void ran.push(error.message));
    const ours = [harness.server.url, shop.url];
    page.on('request', (request) => {
      if (!ours.includes(new URL(request.url()).origin)) foreign.push(request.url());
    });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([wallets.stop(), shop.close()]);
  });

  /** Writes a value that the API would refuse: the page has to be safe with any stored value. */
  const write = (link: Link, columns: Readonly<Record<string, unknown>>): Promise<unknown> =>
    harness.rows(
      `UPDATE payment_link SET (${Object.keys(columns).join(', ')}) =
         (SELECT ${Object.keys(columns).join(', ')} FROM jsonb_populate_record(NULL::payment_link, $2::jsonb))
       WHERE id = $1::uuid`,
      link.id,
      JSON.stringify(columns),
    );

  /** Opens the form and the page of success, moves about in both, and returns the findings. */
  async function look(link: Link): Promise<readonly string[]> {
    const policies: string[] = [];
    for (const status of ['active', 'completed']) {
      await write(link, { status });
      const reply = await page.goto(link.url);
      policies.push(reply?.headers()['content-security-policy'] ?? '');
      await page.evaluate(TOUCH_ALL);
      const leads = await page.evaluate<
        readonly string[]
      >(`[...document.querySelectorAll('[href],[src],[action],[formaction]')]
        .map((each) => new URL(each.getAttribute('href') ?? each.getAttribute('src') ?? each.getAttribute('action'), 'https://x.test').protocol)`);
      expect(leads.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([]);
      expect(await page.locator('script').count()).toBe(1);
      expect(await page.locator('style').count()).toBe(2);
    }
    return policies.map((policy) =>
      policy
        .replace(/img-src [^;]*; /, '')
        .replace(` ${harness.server.url}`, '')
        .replaceAll(/'sha256-[^']+'/g, '#'),
    );
  }

  const POLICY =
    "default-src 'none'; style-src # #; script-src #; connect-src 'self'; require-trusted-types-for 'script'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  const check = async (columns: Readonly<Record<string, unknown>>): Promise<void> => {
    [ran, foreign] = [[], []];
    const link = await harness.made(richLink(shop));
    await write(link, columns);
    expect(new Set(await look(link))).toEqual(new Set([POLICY]));
    expect({ ran, foreign }).toEqual({ ran: [], foreign: [] });
  };

  it('notices code that runs and loads, or the test would prove nothing', async () => {
    [ran, foreign] = [[], []];
    await page.setContent('<img src=x onerror=boo()><img src=https://evil.test/x.png>');
    await page.waitForTimeout(200);
    expect([ran, foreign]).toEqual([['boo'], ['https://evil.test/x.png']]);
  });

  it.each(HOSTILE_TEXTS)('shows %j as a text', async (text) => {
    await check({
      ...{ merchant_name: text, merchant_message: text, external_identifier: text },
      ...{ metadata: { [text]: text }, buyer: { displayName: text } },
      cart_items: [
        { name: text, quantity: 2, unitAmount: 100, discountAmount: 0, taxAmount: 0, imageUrl: null },
      ],
    });
  });

  describe('of a buyer with a stored card and a gift card', () => {
    let link: Link;
    let card: string;
    beforeAll(async () => {
      const buyerId = await wallets.buyer();
      card = await wallets.storedCard(buyerId);
      link = await wallets.made(shop, { buyerId });
    });

    it.each(HOSTILE_TEXTS)('shows stored %j as a text, and shows no entered text', async (text) => {
      [ran, foreign] = [[], []];
      await harness.rows(
        'UPDATE payment_method SET scheme = $2, label = $2, last_four = $2 WHERE id = $1::uuid',
        card,
        text,
      );
      await page.goto(link.url);
      expect(await page.locator('.choice').first().innerText()).toContain('Expires 12/40');
      await page.evaluate(TOUCH_ALL);
      await page.evaluate(submitGiftCard(text));
      await page.locator('details[open] .error').first().waitFor();
      expect(await page.locator('#gift_number').inputValue()).toBe('');
      expect({ ran, foreign }).toEqual({ ran: [], foreign: [] });
    });
  });

  it.each(HOSTILE_ADDRESSES)('goes nowhere with %j', async (address) => {
    const names = ['merchant_url', 'merchant_banner_url', 'merchant_favicon_url', 'return_url'];
    const terms = 'merchant_terms_and_conditions_url';
    const item = {
      name: 'Shoe',
      quantity: 1,
      unitAmount: 100,
      discountAmount: 0,
      taxAmount: 0,
      imageUrl: address,
    };
    await check({
      ...Object.fromEntries([...names, terms].map((name) => [name, address])),
      cart_items: [item],
    });
  });

  it.each(HOSTILE_COLORS)('does not accept %j as a colour', async (merchant_color) => {
    await check({ merchant_color });
    expect(await page.locator('style').nth(1).textContent()).toBe(':root{--brand:#1f4fd8;--on:#ffffff}');
  });
});
