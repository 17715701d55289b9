import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import type { Link, LinksHarness } from './harness.ts';
import { fillCard, openPage, pressPay, richLink, startSellingHarness, startShop, type Shop } from './shop.ts';
import { overlapsOn } from './text-overlaps.ts';

/** A number of each scheme, in its longest form. */
const NUMBERS = {
  'American Express': '378282246310005',
  Visa: '4111111111111111110',
  Mastercard: '5555555555554444',
  Discover: '6011000990139424000',
  'Diners Club': '3056930009020004',
  JCB: '3530111333300000',
  UnionPay: '6212345678901232000',
};

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('no two texts of the payment page overlap', () => {
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

  const made = (): Promise<Link> => harness.made(richLink(shop));
  const open = async (width: number, locale = 'en-US'): Promise<Page> =>
    openPage(browser, (await made()).url, { viewport: { width, height: 900 }, locale });

  const WIDTHS = [320, 360, 390, 1280];

  it.each(
    WIDTHS.flatMap((width) => ['en-US', 'de', 'pt-BR', 'ar'].map((locale) => [width, locale] as const)),
  )('with a number of each scheme, and with errors, at %d pixels in %s', async (width, locale) => {
    const page = await open(width, locale);
    expect(await overlapsOn(page)).toEqual([]);
    for (const [scheme, number] of Object.entries(NUMBERS)) {
      await page.locator('#number').fill(number);
      expect(await page.locator('.scheme').innerText()).toBe(scheme);
      expect([scheme, await overlapsOn(page)]).toEqual([scheme, []]);
    }
    await pressPay(page);
    expect(await page.locator('#expiry-error').innerText()).not.toBe('');
    expect(await overlapsOn(page)).toEqual([]);
    await page.context().close();
  });

  it.each(WIDTHS.flatMap((width) => ['en-US', 'ar'].map((locale) => [width, locale] as const)))(
    'after a decline, and after the payment, at %d pixels in %s',
    async (width, locale) => {
      const link = await harness.made({ ...richLink(shop), cartItems: [], amount: 200_011 });
      const page = await openPage(browser, link.url, { viewport: { width, height: 900 }, locale });
      await fillCard(page);
      await pressPay(page);
      await page.getByRole('alert').waitFor();
      expect(await overlapsOn(page)).toEqual([]);
      await harness.rows('UPDATE payment_link SET amount = 1299 WHERE id = $1::uuid', link.id);
      await fillCard(page);
      await pressPay(page);
      await page.locator('.icon.good').waitFor();
      expect(await page.locator('[data-print]').isVisible()).toBe(true);
      expect(await overlapsOn(page)).toEqual([]);
      await page.context().close();
    },
  );

  it('is a check that sees one text over another', async () => {
    const page = await open(390);
    await page.locator('#number').fill('378282246310005');
    await page.evaluate(
      "Object.assign(document.querySelector('.scheme').style, { position: 'relative', top: '2.25rem', right: '10rem' })",
    );
    expect(await overlapsOn(page)).toEqual(['"American Express" and "3782 822463 10005"']);
    await page.context().close();
  });
});
