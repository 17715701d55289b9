import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  answerAgain,
  SESSION,
  startAppleGateway,
  VALIDATION_URL,
  type AppleGateway,
} from '../support/apple-gateway.ts';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { createService } from '../transactions/harness.ts';
import type { Link, LinksHarness } from './harness.ts';
import { fillCard, openPage, paymentsOf, pressPay, richLink, startShop, type Shop } from './shop.ts';
import { giftCard, giveGiftCard, startWallets, type Wallets } from './wallet.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

/**
 * Plays the wallet of Safari. `wallet.has` tells whether the browser has Apple Pay. A sheet asks the page for a session at
 * once. `wallet.give` then chooses a card. Null stands for a buyer who closes the sheet. `wallet.ends` lists the ends of the sheets.
 */
const WALLET = `
  window.wallet = { has: true, asked: [], sessions: [], ends: [], address: '${VALIDATION_URL}', give: null };
  window.ApplePaySession = class {
    static STATUS_SUCCESS = 0;
    static STATUS_FAILURE = 1;
    static supportsVersion(version) { return version <= 14; }
    static canMakePayments() { return wallet.has; }
    constructor(version, request) { wallet.asked.push(request); }
    begin() { this.onvalidatemerchant({ validationURL: wallet.address }); }
    completeMerchantValidation(session) {
      wallet.sessions.push(session);
      wallet.give = (card) => {
        wallet.give = null;
        if (card === null) return this.oncancel({});
        this.onpaymentauthorized({ payment: { token: { paymentData: { sandbox: card } } } });
      };
    }
    completePayment({ status }) { this.end(status === 0 ? 'success' : 'failure'); }
    abort() { this.end('abort'); }
    end(how) {
      wallet.ends.push(how);
      sessionStorage.setItem('ends', [sessionStorage.getItem('ends'), how].filter(Boolean).join(' '));
    }
  };`;

inBrowser('Apple Pay on the page of a payment link', () => {
  let gateway: AppleGateway;
  let wallets: Wallets;
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startAppleGateway();
    [wallets, shop, browser] = await Promise.all([
      startWallets({}, { http: gateway.http }),
      startShop(),
      startBrowser(),
    ]);
    ({ harness } = wallets);
    await createService(harness.server, harness.provider.url, {
      ...{ definitionId: 'mock-acquirer', displayName: 'Apple Pay', currencies: ['EUR', 'USD'] },
      fields: gateway.merchant(),
    });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([wallets.stop(), shop.close()]);
    await gateway.stop();
  });
  beforeEach(() => answerAgain(gateway));

  const made = (input: object = {}): Promise<Link> => harness.made({ ...richLink(shop), ...input });
  const buttonOf = (page: Page) => page.getByRole('button', { name: 'Pay with Apple Pay' });
  const failureOf = (page: Page) => page.getByText('Nothing was paid with Apple Pay.');
  const isPaid = (page: Page) => page.getByText('Payment successful').waitFor();
  const endsOf = (page: Page) => page.evaluate(`sessionStorage.getItem('ends')`);

  /** Waits until a sheet has its session. */
  const sheetOf = (page: Page) => until(() => page.evaluate<boolean>('wallet.give !== null'));

  /** Waits for a sheet, and lets the buyer choose a card. */
  async function choose(page: Page, card: string | null): Promise<void> {
    await sheetOf(page);
    await page.evaluate(`wallet.give(${JSON.stringify(card)})`);
  }

  async function open({ url }: Link, change = ''): Promise<Page> {
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
    await page.addInitScript(WALLET + change);
    await page.goto(url);
    return page;
  }

  it('pays with the token of the wallet, and tells the wallet the outcome', async () => {
    const link = await made();
    const page = await open(link);
    await buttonOf(page).click();
    await choose(page, 'visa');
    await isPaid(page);

    expect(await endsOf(page)).toBe('success');
    expect(await page.locator('.facts').innerText()).toContain('1111');
    expect(await paymentsOf(harness, link)).toMatchObject([
      { status: 'authorization_succeeded', method: 'applepay' },
    ]);
    const [{ browser_info: described } = { browser_info: null }] = await harness.rows<{
      browser_info: unknown;
    }>('SELECT browser_info FROM transaction WHERE payment_link_id = $1::uuid', link.id);
    expect(described).toMatchObject({ language: 'en-US' });
    await page.context().close();
  });

  it('shows the button above the card form, and opens nothing before the buyer does', async () => {
    gateway.requests.length = 0;
    const page = await open(await made());
    await buttonOf(page).waitFor();
    await page.getByRole('heading', { name: 'or pay by card' }).waitFor();

    expect(await page.evaluate('wallet.asked')).toEqual([]);
    expect(gateway.requests).toEqual([]);
    await page.context().close();
  });

  it('gives the wallet the session from Apple, and the amount of the page', async () => {
    const page = await open(await made());
    await buttonOf(page).click();
    await sheetOf(page);

    expect(await page.evaluate('wallet.sessions')).toEqual([SESSION]);
    expect(await page.evaluate('wallet.asked')).toMatchObject([
      { countryCode: 'DE', currencyCode: 'EUR', total: { label: 'Nordlicht Kaffee', amount: '54.80' } },
    ]);
    await page.context().close();
  });

  it('opens one sheet after a double click', async () => {
    const link = await made();
    const page = await open(link);
    await buttonOf(page).dblclick();
    await choose(page, 'visa');
    await isPaid(page);

    expect(await endsOf(page)).toBe('success');
    expect(await paymentsOf(harness, link)).toHaveLength(1);
    await page.context().close();
  });

  it('lets a buyer close the sheet and open it again, and pay by card after a decline', async () => {
    const link = await made();
    const page = await open(link);
    await buttonOf(page).click();
    await choose(page, null);
    await buttonOf(page).click();
    await choose(page, 'visa_declined');
    await page.getByText('The card has too little money on it.').waitFor();
    expect(await endsOf(page)).toBe('failure');
    await fillCard(page);
    await pressPay(page);
    await isPaid(page);

    expect((await paymentsOf(harness, link)).map(({ method }) => method)).toEqual(['applepay', 'card']);
    await page.context().close();
  });

  it('pays what gift cards have left', async () => {
    const link = await wallets.made(shop);
    const page = await open(link);
    await giveGiftCard(page, giftCard(1200));
    await buttonOf(page).click();
    await choose(page, 'mastercard');
    await isPaid(page);

    expect(harness.provider.calls.at(-1)).toMatchObject({ amount: 4280, wallet: { type: 'apple_pay' } });
    await page.context().close();
  });

  it('closes the sheet and says so when Apple opens no session, and can then be tried again', async () => {
    gateway.answer = { status: 417, body: '{}' };
    const link = await made();
    const page = await open(link);
    await buttonOf(page).click();
    await failureOf(page).waitFor();
    expect([await endsOf(page), await paymentsOf(harness, link)]).toEqual(['abort', []]);

    answerAgain(gateway);
    await buttonOf(page).click();
    await choose(page, 'visa');
    await isPaid(page);
    expect(await endsOf(page)).toBe('abort success');
    await page.context().close();
  });

  it('sends no request to an address that is not Apple’s', async () => {
    gateway.requests.length = 0;
    const page = await open(
      await made(),
      `wallet.address = 'https://example.com/paymentservices/startSession';`,
    );
    await buttonOf(page).click();
    await failureOf(page).waitFor();

    expect([await endsOf(page), gateway.requests]).toEqual(['abort', []]);
    await page.context().close();
  });

  it('tells the wallet neither success nor failure while the outcome is unknown', async () => {
    const link = await made({ amount: 600_001 });
    const page = await open(link);
    await buttonOf(page).click();
    await choose(page, 'visa');
    await page.getByText('Your payment is being processed').waitFor();

    expect(await endsOf(page)).toBe('abort');
    expect(await paymentsOf(harness, link)).toHaveLength(1);
    await page.context().close();
  });

  it('shows the state of the payment when the answer is lost', async () => {
    const link = await made();
    const page = await open(link);
    await page.route(link.url, async (route) => {
      const isPayment = route.request().postData()?.includes('wallet_token') ?? false;
      if (!isPayment) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await buttonOf(page).click();
    await choose(page, 'visa');
    await isPaid(page);

    expect(await endsOf(page)).toBe('abort');
    expect(await paymentsOf(harness, link)).toHaveLength(1);
    await page.context().close();
  });

  it('says that nothing was paid when the token is refused', async () => {
    const link = await made();
    const page = await open(link);
    await page.context().clearCookies();
    await page.route(link.url, async (route) => {
      const { postData, headers } = {
        postData: route.request().postData() ?? '',
        headers: route.request().headers(),
      };
      if (!postData.includes('wallet_token')) return route.continue();
      return route.continue({ headers, postData: postData.replace(/wallet_token=[^&]*/, 'wallet_token=x') });
    });
    await page.goto(link.url);
    await buttonOf(page).click();
    await choose(page, 'visa');
    await failureOf(page).waitFor();

    expect([await endsOf(page), await paymentsOf(harness, link)]).toEqual(['failure', []]);
    await page.context().close();
  });

  it.each([
    ['has no card in the wallet', 'wallet.has = false;'],
    ['is not Safari', 'delete window.ApplePaySession;'],
    ['has a version of long ago', 'ApplePaySession.supportsVersion = (version) => version < 3;'],
    ['forbids it without TLS', 'ApplePaySession.canMakePayments = () => { throw new TypeError(); };'],
  ])('is not shown where the browser %s', async (_, change) => {
    const page = await open(await made(), change);
    await page.locator('form.card button').waitFor();

    expect(await buttonOf(page).count()).toBe(0);
    await page.context().close();
  });

  it('is not shown without scripts', async () => {
    const page = await openPage(browser, (await made()).url, { javaScriptEnabled: false });
    await page.locator('form.card button').waitFor();

    expect(await buttonOf(page).count()).toBe(0);
    await page.context().close();
  });
});
