import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { CREDENTIALS } from '../connectors/adyen/double.ts';
import { startAdyen } from '../connectors/adyen/start.ts';
import { connect } from '../connectors/kit/service.ts';
import { openShop } from '../connectors/kit/shop.ts';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { openPage } from './shop.ts';
import { overlapsOn } from './text-overlaps.ts';

/** Widths of a phone, a tablet and two desks, in pixels. */
const WIDTHS = [390, 768, 1024, 1440];

/** The pixels by which a page is wider than its window. */
const OVERHANG = 'document.documentElement.scrollWidth - innerWidth';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const inBrowser = browserRunsHere ? describe : describe.skip;

const shop = await openShop((now) => startAdyen({ now }));
const { double, harness } = shop;
const serviceFor = (definition: string, currency: string, country: string) =>
  connect(harness, definition, CREDENTIALS, { acceptedCurrencies: [currency], acceptedCountries: [country] });
const ofCodes = await serviceFor('adyen-paynow', 'SGD', 'SG');
await serviceFor('adyen-multibanco', 'EUR', 'PT');

async function linkIn(currency: string, country: string, locale: string): Promise<string> {
  const input = { amount: 1299, currency, country, intent: 'CAPTURE', locale };
  const { made } = await harness.ask<{ made: { paymentLink: { url: string } } }>(
    `mutation ($input: CreatePaymentLinkInput!) { made: createPaymentLink(input: $input) { paymentLink { url } } }`,
    { input },
  );
  return made.paymentLink.url;
}

inBrowser('a page that says how to pay', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  async function expectFlawless(page: Page): Promise<void> {
    await page.addScriptTag({ path: AXE });
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await overlapsOn(page)]).toEqual([width, []]);
      expect([width, await page.evaluate<number>(OVERHANG)]).toEqual([width, 0]);
    }
  }

  it.each([
    ['a code', ['SGD', 'SG'], /PayNow/, 'en-US', 'Scan the code to pay'],
    ['a code, in Arabic', ['SGD', 'SG'], /PayNow/, 'ar', 'امسح الرمز للدفع'],
    ['a voucher', ['EUR', 'PT'], /Multibanco/, 'en-US', 'Pay with this reference'],
    ['a voucher, in Arabic', ['EUR', 'PT'], /Multibanco/, 'ar', 'ادفع بهذا المرجع'],
  ] as const)('by %s fits every window', async (_, [currency, country], button, locale, title) => {
    const url = await linkIn(currency, country, locale);
    // The page's policy blocks other scripts, so this context bypasses the policy.
    const page = await openPage(browser, url, { bypassCSP: true, locale });
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expectFlawless(page);
    await page.context().close();
  });

  it('by a code copies the code, and goes on by itself when the payment is told', async () => {
    const page = await openPage(browser, await linkIn('SGD', 'SG', 'en'));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: /PayNow/ }).click();
    await page.getByRole('button', { name: 'Copy the code' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const { reference = '', pspReference } = double.books().at(-1) ?? {};
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`00020101021226${pspReference}`);

    double.decideElsewhere(reference, 'approve');
    await double.deliver(ofCodes.webhookUrl);

    await page.getByRole('heading', { level: 1, name: 'Payment successful' }).waitFor();
    await page.context().close();
  });
});
