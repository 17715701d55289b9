import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { createService } from '../transactions/harness.ts';
import { startLinks, type LinksHarness } from './harness.ts';
import { fillCard, openPage, paymentsOf, pressPay, richLink, startShop, type Shop } from './shop.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The limit of the page's other states. */
const PAGE_BYTES_MAX = 33_500;

/** The sandbox's cards of Cartes Bancaires with Visa and with Mastercard. */
const VISA = '4000 0025 0000 1001';
const MASTERCARD = '5555 5525 0000 1001';

inBrowser('the choice of a network on the page of a payment link', () => {
  let harness: LinksHarness;
  let browser: Browser;
  let shop: Shop;
  beforeAll(async () => {
    [harness, browser, shop] = await Promise.all([startLinks(), startBrowser(), startShop()]);
    await createService(harness.server, harness.provider.url, { currencies: ['EUR'], countries: ['FR'] });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([harness.stop(), shop.close()]);
  });

  const made = () => harness.made({ amount: 1299, currency: 'EUR', country: 'FR' });
  const offered = (page: Page): Promise<string[]> => page.locator('#network option').allInnerTexts();

  it('appears beside a number that may be co-badged, with the networks of the number', async () => {
    const page = await openPage(browser, (await made()).url);
    const select = page.locator('#network');
    expect(await select.isVisible()).toBe(false);

    await page.locator('#number').pressSequentially('4000');
    expect(await offered(page)).toEqual(['No preference', 'Cartes Bancaires', 'Visa']);
    await select.selectOption('visa');
    await page.locator('#number').fill(MASTERCARD);
    expect([await offered(page), await select.inputValue()]).toEqual([
      ['No preference', 'Cartes Bancaires', 'Mastercard'],
      '',
    ]);
    await select.selectOption('carte_bancaire');
    await page.locator('#number').fill(VISA);
    expect(await select.inputValue()).toBe('carte_bancaire');
    await page.locator('#number').fill('3782 822463 10005');
    expect([await select.isVisible(), await select.inputValue()]).toEqual([false, '']);
    await page.context().close();
  });

  it('keeps the page small, and without a fault of accessibility', async () => {
    const { url } = await harness.made({ ...richLink(shop), currency: 'EUR', country: 'FR' });
    const page = await openPage(browser, url, { bypassCSP: true });
    await page.locator('#number').fill(VISA);
    await page.addScriptTag({ path: AXE });
    const { violations } = await page.evaluate<{ violations: readonly { id: string }[] }>('axe.run()');

    expect(await page.locator('#network').isVisible()).toBe(true);
    expect(violations.map(({ id }) => id)).toEqual([]);
    expect(Buffer.byteLength(await (await fetch(url)).text())).toBeLessThan(PAGE_BYTES_MAX);
    await page.context().close();
  });

  it.each([{}, { javaScriptEnabled: false }])('pays by the chosen network (%j)', async (settings) => {
    const link = await made();
    const page = await openPage(browser, link.url, settings);
    await fillCard(page, VISA);
    await page.locator('#network').selectOption('carte_bancaire');
    await pressPay(page);

    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Payment successful');
    expect(await paymentsOf(harness, link)).toMatchObject([{ status: 'authorization_succeeded' }]);
    expect(harness.provider.calls.at(-1)).toMatchObject({ network: 'carte_bancaire' });
    await page.context().close();
  });
});
