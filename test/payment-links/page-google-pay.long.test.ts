import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { createService } from '../transactions/harness.ts';
import type { Link, LinksHarness } from './harness.ts';
import {
  fillCard,
  openPage,
  paymentsOf,
  pressPay,
  richLink,
  startSellingHarness,
  startShop,
  type Shop,
} from './shop.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

/**
 * Plays the wallet of a browser. `window.wallet` decides: `has` tells whether the browser has Google Pay, and `cards`
 * lists what each opened wallet gives. Null stands for a buyer who closes the wallet.
 */
const WALLET = `
  window.wallet = { has: true, cards: ['visa'], asked: [], opened: 0 };
  window.PaymentRequest = class {
    constructor(methods, details) {
      wallet.asked.push({ method: methods[0].supportedMethods, total: details.total });
    }
    async canMakePayment() { return wallet.has; }
    async show() {
      const card = wallet.cards[wallet.opened++];
      await new Promise((resolve) => setTimeout(resolve));
      if (!card) throw new DOMException('closed', 'AbortError');
      const token = JSON.stringify({ sandbox: card });
      return { details: { paymentMethodData: { tokenizationData: { token } } }, complete: async () => {} };
    }
  };`;

inBrowser('Google Pay on the page of a payment link', () => {
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    [harness, shop, browser] = await Promise.all([startSellingHarness(), startShop(), startBrowser()]);
    const settings = {
      ...{ definitionId: 'mock-acquirer', displayName: 'Google Pay', currencies: ['EUR'] },
      fields: { google_pay_merchant_id: 'BCR2DN4T' },
    };
    await createService(harness.server, harness.provider.url, settings);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([harness.stop(), shop.close()]);
  });

  const made = (input: object = {}): Promise<Link> => harness.made({ ...richLink(shop), ...input });
  const buttonOf = (page: Page) => page.getByRole('button', { name: 'Pay with Google Pay' });
  const isPaid = (page: Page) => page.getByText('Payment successful').waitFor();

  async function open({ url }: Link, change = ''): Promise<Page> {
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await page.addInitScript(WALLET + change);
    await page.goto(url);
    return page;
  }

  it('pays with the token of the wallet, for the amount on the page', async () => {
    const link = await made();
    const page = await open(link);
    await buttonOf(page).click();
    await isPaid(page);

    expect(await page.locator('.facts').innerText()).toContain('1111');
    expect(await paymentsOf(harness, link)).toMatchObject([
      { status: 'authorization_succeeded', method: 'googlepay' },
    ]);
    await page.context().close();
  });

  it('tells the wallet the amount, and asks nothing before the buyer does', async () => {
    const page = await open(await made());
    await buttonOf(page).waitFor();

    expect(await page.evaluate('wallet')).toMatchObject({
      opened: 0,
      asked: [
        {
          method: 'https://google.com/pay',
          total: { label: 'Nordlicht Kaffee', amount: { currency: 'EUR', value: '54.80' } },
        },
      ],
    });
    await page.context().close();
  });

  it('opens the wallet once and pays once after a double click', async () => {
    const link = await made();
    const page = await open(link);
    await buttonOf(page).dblclick();
    await isPaid(page);

    expect(await paymentsOf(harness, link)).toHaveLength(1);
    await page.context().close();
  });

  it('lets a buyer close the wallet and open it again, and pay by card after a decline', async () => {
    const link = await made();
    const page = await open(link, `wallet.cards = [null, 'visa_declined'];`);
    await buttonOf(page).click();
    await page.waitForFunction('wallet.opened === 1');
    expect(await paymentsOf(harness, link)).toEqual([]);
    await buttonOf(page).click();
    await page.getByText('The card has too little money on it.').waitFor();
    await fillCard(page);
    await pressPay(page);
    await isPaid(page);

    expect((await paymentsOf(harness, link)).map(({ method }) => method)).toEqual(['googlepay', 'card']);
    await page.context().close();
  });

  it.each([
    ['has no wallet', 'wallet.has = false;'],
    ['has no Payment Request API', 'delete window.PaymentRequest;'],
    ['refuses the request', 'window.PaymentRequest = class { constructor() { throw new RangeError(); } };'],
  ])('is not shown where the browser %s', async (_, change) => {
    const page = await open(await made(), change);
    await page.locator('form.card button').waitFor();
    // The answer of the wallet comes after the script has run.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))');

    expect(await buttonOf(page).count()).toBe(0);
    await page.context().close();
  });

  it('is not shown without scripts', async () => {
    const page = await openPage(browser, (await made()).url, { javaScriptEnabled: false });
    await page.locator('form.card button').waitFor();

    expect(await buttonOf(page).count()).toBe(0);
    await page.context().close();
  });

  it('may be asked for by the policy of the page, where another wallet may not', async () => {
    const page = await openPage(browser, (await made()).url);
    const details = `{ total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }`;
    const ask = (method: string) =>
      page.evaluate<string>(`(() => {
        if (!('PaymentRequest' in window)) return 'none';
        try { new PaymentRequest([{ supportedMethods: '${method}', data: {} }], ${details}); return 'allowed'; }
        catch (error) { return error.name; } })()`);
    const answers = [await ask('https://google.com/pay'), await ask('https://wallet.example/pay')];

    // A browser without the API has nothing to allow.
    expect([
      ['allowed', 'RangeError'],
      ['none', 'none'],
    ]).toContainEqual(answers);
    await page.context().close();
  });
});
