import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { expireLapsed, finishDue } from '../../src/modules/payment-links/index.ts';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
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

inBrowser('the page of a payment link, at further visits', () => {
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    [harness, shop, browser] = await Promise.all([startSellingHarness(), startShop(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([harness.stop(), shop.close()]);
  });

  const made = (input: object = {}): Promise<Link> => harness.made({ ...richLink(shop), ...input });
  const open = (link: Link, settings = {}): Promise<Page> => openPage(browser, link.url, settings);
  const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
  const WITHOUT_SCRIPTS = { javaScriptEnabled: false };

  it('of an older tab does not pay again', async () => {
    const link = await made();
    const page = await open(link, WITHOUT_SCRIPTS);
    const older = await page.context().newPage();
    await older.goto(link.url);
    for (const tab of [page, older]) {
      await fillCard(tab);
      await pressPay(tab);
      expect(await heading(tab)).toBe('Payment successful');
    }
    expect(await paymentsOf(harness, link)).toHaveLength(1);
    await page.context().close();
  });

  it.each([{}, WITHOUT_SCRIPTS])('shows a pending payment, and then its result (%j)', async (settings) => {
    const link = await made({ amount: 600_001 });
    const page = await open(link, settings);
    await fillCard(page);
    await pressPay(page);
    expect(await heading(page)).toBe('Your payment is being processed');
    expect(await page.getByRole('status').innerText()).toMatch(/^Please do not pay again/);

    harness.clock.advance(60_000);
    while (await reconcileDue(harness.server.app));
    while (await finishDue(harness.server.app));
    await page.getByText('Payment successful').waitFor();
    await page.context().close();
  });

  it('has its own pages and statuses for links that are expired, paid or unknown', async () => {
    const [expired, lapsed, paid] = [await made(), await made(), await made()];
    await harness.expire(expired.id);
    await harness.rows(`UPDATE payment_link SET expires_at = now() WHERE id = $1::uuid`, lapsed.id);
    await harness.pay(paid);
    const page = await openPage(browser, 'about:blank');
    const look = async (url: string) => [(await page.goto(url))?.status(), await heading(page)];

    expect(await look(expired.url)).toEqual([410, 'This payment link has expired']);
    expect(await look(lapsed.url)).toEqual([410, 'This payment link has expired']);
    expect(await look(paid.url)).toEqual([200, 'Payment successful']);
    expect(await look(`${harness.server.url}/pay/${'a'.repeat(22)}`)).toEqual([
      404,
      'There is no such payment link',
    ]);
    expect(await look(`${harness.server.url}/pay/back/${paid.id}`)).toEqual([
      404,
      'There is no such payment link',
    ]);
    await expireLapsed(harness.server.app);
    await page.context().close();
  });

  it('does not accept a card for a link that has expired while the page was open', async () => {
    const link = await made();
    const page = await open(link);
    await harness.expire(link.id);
    await fillCard(page);
    await pressPay(page);
    expect(await heading(page)).toBe('This payment link has expired');
    expect(await paymentsOf(harness, link)).toEqual([]);
    await page.context().close();
  });

  it('speaks the language of the link, else that of the browser', async () => {
    const german = await open(await made({ locale: 'de-DE' }), { locale: 'fr-FR' });
    expect(await german.locator('form.card button').innerText()).toBe(
      '54,80 € bezahlen'.replace('80 €', '80\u00a0€'),
    );
    const french = await open(await made(), { locale: 'fr-FR' });
    expect(await french.locator('html').getAttribute('lang')).toBe('fr-FR');
    const arabic = await open(await made({ locale: 'ar', currency: 'SAR' }));
    expect(await arabic.locator('html').getAttribute('dir')).toBe('rtl');
    const [label, box] = [
      await arabic.locator('.summary').boundingBox(),
      await arabic.locator('.panel').boundingBox(),
    ];
    expect(label?.x).toBeGreaterThan(box?.x ?? Infinity);
    await fillCard(arabic);
    await pressPay(arabic);
    expect(await heading(arabic)).toBe('تمّت الدفعة بنجاح');
    await Promise.all([german, french, arabic].map((page) => page.context().close()));
  });

  it.each([320, 375, 768, 927, 928, 1920])('fits into %d pixels', async (width) => {
    const long = 'Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung'
      .repeat(3)
      .slice(0, 100);
    const input = { amount: 99_999_999, merchantName: long, externalIdentifier: long, merchantMessage: long };
    const cartItems = [{ name: long, quantity: 99, unitAmount: 99_999_999 }];
    const page = await open(await made({ ...input, cartItems, locale: 'de' }), {
      viewport: { width, height: 700 },
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await pressPay(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.context().close();
  });

  it('offers the methods of the services, and says when there is none', async () => {
    const dollars = await open(await made({ currency: 'USD', country: 'US' }));
    expect(await dollars.getByRole('button').allInnerTexts()).toEqual(['Pay $54.80']);
    const euros = await open(await made());
    expect(await euros.getByRole('button').allInnerTexts()).toEqual(['Pay with PayPal', 'Pay €54.80']);
    const pounds = await open(await made({ currency: 'GBP' }));
    expect(await pounds.getByRole('button').count()).toBe(0);
    expect(await pounds.locator('.panel').innerText()).toBe(
      'This payment cannot be made at the moment. Please ask Nordlicht Kaffee.',
    );
    await Promise.all([dollars, euros, pounds].map((page) => page.context().close()));
  });
});
