import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { FAILURES_MAX } from '../../src/http/checkout/attempt-limit.ts';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { newAppleMerchant } from '../support/apple-gateway.ts';
import { createService } from '../transactions/harness.ts';
import { ACCOUNTS, addBank, consent, fillBank, pressDebit } from './bank-shop.ts';
import type { Link, LinksHarness } from './harness.ts';
import { fillCard, openPage, pressPay, richLink, startShop, type Shop } from './shop.ts';
import { overlapsOn } from './text-overlaps.ts';
import { giftCard, giveGiftCard, startWallets, WRONG_PIN, type Wallets } from './wallet.ts';

/** Widths of phones, and of a desk, in pixels. */
const WIDTHS = [320, 390, 1280];

/** The pixels by which a page is wider than its window. */
const OVERHANG = 'document.documentElement.scrollWidth - innerWidth';

const inBrowser = browserRunsHere ? describe : describe.skip;

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The limit without images, which are the merchant's. */
const PAGE_BYTES_MAX = 33_500;

inBrowser('every state of the page of a payment link', () => {
  let wallets: Wallets;
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    [wallets, shop, browser] = await Promise.all([startWallets(), startShop(), startBrowser()]);
    ({ harness } = wallets);
    await addBank(harness);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([wallets.stop(), shop.close()]);
  });

  const submit = async (page: Page): Promise<void> => {
    await fillCard(page);
    await pressPay(page);
  };
  type Way = readonly [
    state: string,
    input: object,
    go: (page: Page, link: Link) => Promise<unknown>,
    shown: string,
  ];
  const STATES: readonly Way[] = [
    ['form', {}, async () => null, 'Pay Nordlicht Kaffee'],
    ['form in Arabic', { locale: 'ar' }, async () => null, 'الدفع إلى Nordlicht Kaffee'],
    ['form in yellow', { merchantColor: '#ffd400' }, async () => null, 'Pay Nordlicht Kaffee'],
    ['form in white', { merchantColor: '#fff', cartItems: null }, async () => null, 'Pay Nordlicht Kaffee'],
    ['without a method', { currency: 'GBP' }, async () => null, 'cannot be made at the moment'],
    ['mistakes', {}, pressPay, 'Enter a valid card number.'],
    ['declined', { amount: 200_011 }, submit, 'The card has too little money on it.'],
    ['processing', { amount: 600_001 }, submit, 'Your payment is being processed'],
    ['approval', {}, leaveApproval, 'Approve your payment'],
    ['completed', {}, submit, 'Paid with'],
    ['reserved', { intent: 'AUTHORIZE' }, submit, 'has not charged it yet'],
    ['received', { intent: 'CAPTURE' }, submit, 'has received your payment'],
    ['receipt offered', { offersReceipt: true }, submit, 'Send the receipt to'],
    ['receipt offered in Arabic', { offersReceipt: true, locale: 'ar' }, submit, 'إرسال الإيصال إلى'],
    ['receipt refused', { offersReceipt: true }, refuseReceipt, 'Enter a complete e-mail address'],
    ['expired', {}, expire, 'This payment link has expired'],
    [
      'unknown',
      {},
      (page) => page.goto(`${harness.server.url}/pay/${'b'.repeat(22)}`),
      'There is no such payment link',
    ],
    ['of another browser', {}, forgetTie, 'your browser does not keep cookies'],
    ['too many', { amount: 200_011 }, failOften, 'Too many attempts'],
  ];

  const DOLLARS = { currency: 'USD', country: 'US' };
  /** States of a buyer with stored cards, and of one with gift cards. */
  const WALLET_STATES: readonly Way[] = [
    ['stored cards', {}, async () => null, 'Expires 12/40'],
    ['stored cards in Arabic', { locale: 'ar' }, async () => null, 'تنتهي في'],
    ['a stored card without its code', {}, pressPay, 'Enter the 3 digits'],
    [
      'another card',
      { store: true },
      (page) => page.getByText('Another card').click(),
      'is stored for later',
    ],
    ['the form for gift cards', {}, (page) => page.locator('details summary').click(), 'Gift card PIN'],
    [
      'a wrong PIN',
      {},
      (page) => giveGiftCard(page, { ...giftCard(1), pin: WRONG_PIN }),
      'There is no gift card',
    ],
    ['a part by gift card', {}, (page) => giveGiftCard(page, giftCard(1200)), 'Left to pay'],
    [
      'all by gift card',
      { merchantColor: '#ffd400' },
      (page) => giveGiftCard(page, giftCard(9000)),
      'Left to pay',
    ],
  ];

  const EUROS = { intent: 'CAPTURE' };
  /** States of a bank debit. */
  const BANK_STATES: readonly Way[] = [
    ['the form for a debit', EUROS, (page) => fillBank(page, {}), 'I accept this mandate.'],
    ['the form for a debit in Arabic', { ...EUROS, locale: 'ar' }, (page) => fillBank(page, {}), 'أوافق'],
    ['mistakes in a debit', { ...EUROS, ...DOLLARS }, failDebit, 'Choose the type of the account.'],
    ['a debit alone', { ...EUROS, currency: 'GBP', country: 'GB' }, async () => null, 'Sort code'],
    ['a started debit', EUROS, debit, 'Your direct debit has been started'],
  ];

  async function failDebit(page: Page): Promise<void> {
    await fillBank(page, {});
    await pressDebit(page);
  }

  async function debit(page: Page): Promise<void> {
    await fillBank(page, ACCOUNTS.EUR);
    await consent(page);
    await pressDebit(page);
  }

  async function leaveApproval(page: Page, { url }: Link): Promise<void> {
    await page.getByRole('button', { name: 'Pay with PayPal' }).click();
    await page.goto(url);
  }

  async function refuseReceipt(page: Page): Promise<void> {
    await submit(page);
    await page.getByRole('button', { name: 'Send' }).click();
  }

  async function expire(page: Page, { id }: Link): Promise<void> {
    await harness.expire(id);
    await page.reload();
  }

  async function forgetTie(page: Page): Promise<void> {
    await page.context().clearCookies();
    await submit(page);
  }

  async function failOften(page: Page): Promise<void> {
    for (let count = 0; count <= FAILURES_MAX.link; count += 1) await submit(page);
  }

  describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
    const check = async (link: Link, [, , go, shown]: Way): Promise<void> => {
      // The page's policy blocks other scripts, so this context bypasses the policy.
      const page = await openPage(browser, link.url, { colorScheme, bypassCSP: true });
      await go(page, link);
      await page.getByText(shown).first().waitFor();
      await page.addScriptTag({ path: AXE });
      // Another scheme of colours changes the contrast alone.
      const isDark = colorScheme === 'dark';
      const rules = JSON.stringify(isDark ? { runOnly: ['color-contrast'] } : {});
      const { violations, passes } = await page.evaluate<AxeResults>(`axe.run(${rules})`);

      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(passes.map(({ id }) => id)).toContain('color-contrast');
      for (const width of isDark ? [] : WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await overlapsOn(page)]).toEqual([width, []]);
        expect([width, await page.evaluate<number>(OVERHANG)]).toEqual([width, 0]);
      }
      await page.context().close();
    };

    it.each([...STATES, ...BANK_STATES])(
      '(%s) has no fault that axe finds, and no overlap',
      async (...way) => {
        await check(await harness.made({ ...richLink(shop), ...way[1] }), way);
      },
    );

    it.each(WALLET_STATES)('(%s) has no fault that axe finds, and no overlap', async (...way) => {
      await check(await wallets.madeForBuyer(shop, { ...DOLLARS, ...way[1] }), way);
    });
  });

  it.each([
    [
      'Google Pay',
      'CHF',
      () => ({ google_pay_merchant_id: 'BCR2DN4T' }),
      'window.PaymentRequest = class { async canMakePayment() { return true; } };',
    ],
    [
      'Apple Pay',
      'NOK',
      newAppleMerchant,
      `window.ApplePaySession = class { static supportsVersion() { return true; }
        static canMakePayments() { return true; } };`,
    ],
  ])('with %s has no fault that axe finds, and stays small', async (wallet, currency, fieldsOf, double) => {
    await createService(harness.server, harness.provider.url, {
      definitionId: 'mock-acquirer',
      displayName: wallet,
      currencies: [currency],
      fields: fieldsOf(),
    });
    const { url } = await harness.made({ ...richLink(shop), currency });
    const context = await browser.newContext({ locale: 'en-US', bypassCSP: true });
    const page = await context.newPage();
    await page.addInitScript(double);
    await page.goto(url);
    await page.getByRole('button', { name: `Pay with ${wallet}` }).waitFor();
    await page.addScriptTag({ path: AXE });
    const { violations } = await page.evaluate<AxeResults>('axe.run()');

    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(Buffer.byteLength(await (await fetch(url)).text())).toBeLessThan(PAGE_BYTES_MAX);
    await context.close();
  });

  it('is small, even with two hundred items in the cart', async () => {
    const cartItems = Array.from({ length: 200 }, (_, at) => ({
      ...{ name: `Thing number ${at} of a long list`, quantity: 2, unitAmount: 100 },
      imageUrl: `${shop.url}/${at}.svg`,
    }));
    const sizes = [];
    for (const locale of ['en', 'de', 'ja', 'ar']) {
      const link = await wallets.madeForBuyer(shop, { locale, cartItems, intent: 'CAPTURE' });
      sizes.push(Buffer.byteLength(await (await fetch(link.url)).text()));
    }
    expect(Math.max(...sizes)).toBeLessThan(PAGE_BYTES_MAX);
  });

  it('is painted at once, because no other resource holds its first paint up', async () => {
    const page = await openPage(browser, (await harness.made(richLink(shop))).url);
    const loaded = await page.evaluate<{ name: string; renderBlockingStatus: string }[]>(
      `performance.getEntriesByType('resource').map(({ name, renderBlockingStatus }) => ({ name, renderBlockingStatus }))`,
    );
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter(({ renderBlockingStatus }) => renderBlockingStatus !== 'non-blocking')).toEqual([]);
    await page.context().close();
  });
});
