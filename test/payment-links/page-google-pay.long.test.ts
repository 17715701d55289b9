import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { createService } from '../transactions/harness.ts';
import type { Link, LinksHarness } from './harness.ts';
import { fillCard, openPage, paymentsOf, pressPay, richLink, startShop, type Shop } from './shop.ts';
import { giftCard, giveGiftCard, startWallets, type Wallets } from './wallet.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

/**
 * Plays the wallet of a browser. `window.wallet` decides: `has` tells whether the browser has Google Pay. Each opened
 * wallet waits for `wallet.give` with a card. Null stands for a buyer who closes the wallet.
 */
const WALLET = `
  window.wallet = { has: true, asked: [], opened: 0, give: null };
  window.PaymentRequest = class {
    constructor(methods, details) {
      wallet.asked.push({ method: methods[0].supportedMethods, total: details.total });
    }
    async canMakePayment() { return wallet.has; }
    async show() {
      wallet.opened += 1;
      const card = await new Promise((resolve) => (wallet.give = resolve));
      if (card === null) throw new DOMException('closed', 'AbortError');
      const token = JSON.stringify({ sandbox: card });
      return { details: { paymentMethodData: { tokenizationData: { token } } }, complete: async () => {} };
    }
  };`;

inBrowser('Google Pay on the page of a payment link', () => {
  let wallets: Wallets;
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    [wallets, shop, browser] = await Promise.all([startWallets(), startShop(), startBrowser()]);
    ({ harness } = wallets);
    const settings = {
      ...{ definitionId: 'mock-acquirer', displayName: 'Google Pay', currencies: ['EUR', 'USD'] },
      fields: { google_pay_merchant_id: 'BCR2DN4T' },
    };
    await createService(harness.server, harness.provider.url, settings);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([wallets.stop(), shop.close()]);
  });

  const made = (input: object = {}): Promise<Link> => harness.made({ ...richLink(shop), ...input });
  const buttonOf = (page: Page) => page.getByRole('button', { name: 'Pay with Google Pay' });
  const isPaid = (page: Page) => page.getByText('Payment successful').waitFor();

  /** Waits until the wallet is open for this time, and lets the buyer choose a card. */
  async function choose(page: Page, card: string | null, time = 1): Promise<void> {
    await until(() => page.evaluate<boolean>(`wallet.opened === ${time} && wallet.give !== null`));
    await page.evaluate(`wallet.give(${JSON.stringify(card)})`);
  }

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
    await choose(page, 'visa');
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
    await page.getByRole('heading', { name: 'or pay by card' }).waitFor();

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
    expect(await page.evaluate('wallet.opened')).toBe(1);
    await choose(page, 'visa');
    await isPaid(page);

    expect(await paymentsOf(harness, link)).toHaveLength(1);
    await page.context().close();
  });

  it('lets a buyer close the wallet and open it again, and pay by card after a decline', async () => {
    const link = await made();
    const page = await open(link);
    await buttonOf(page).click();
    await choose(page, null);
    await buttonOf(page).click();
    await choose(page, 'visa_declined', 2);
    await page.getByText('The card has too little money on it.').waitFor();
    await fillCard(page);
    await pressPay(page);
    await isPaid(page);

    expect((await paymentsOf(harness, link)).map(({ method }) => method)).toEqual(['googlepay', 'card']);
    await page.context().close();
  });

  it('pays what gift cards have left', async () => {
    const link = await wallets.made(shop);
    const page = await open(link);
    await giveGiftCard(page, giftCard(1200));
    await buttonOf(page).click();
    const asked = await page.evaluate('wallet.asked.at(-1).total.amount');
    await choose(page, 'mastercard');
    await isPaid(page);

    expect(asked).toEqual({ currency: 'USD', value: '42.80' });
    expect(harness.provider.calls.at(-1)).toMatchObject({ amount: 4280, wallet: { type: 'google_pay' } });
    await page.context().close();
  });

  it.each([
    ['has no wallet', 'wallet.has = false;'],
    ['has no Payment Request API', 'delete window.PaymentRequest;'],
    ['refuses the request', 'window.PaymentRequest = class { constructor() { throw new RangeError(); } };'],
  ])('is not shown where the browser %s', async (_, change) => {
    const page = await open(await made(), change);
    await page.locator('form.card button').waitFor();
    // The double answers in microtasks, which end before the page answers again.
    await page.evaluate('null');

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
        try { new PaymentRequest([{ supportedMethods: '${method}', data: {} }], ${details}); return 'allowed'; }
        catch (error) { return error.name; } })()`);

    expect([await ask('https://google.com/pay'), await ask('https://wallet.example/pay')]).toEqual([
      'allowed',
      'RangeError',
    ]);
    await page.context().close();
  });
});
