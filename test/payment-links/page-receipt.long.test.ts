import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import type { Link, LinksHarness } from './harness.ts';
import { fillCard, openPage, pressPay, richLink, startSellingHarness, startShop, type Shop } from './shop.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('the receipt on the page of a payment link', () => {
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

  const made = (input: object): Promise<Link> => harness.made({ ...richLink(shop), ...input });

  async function openPaid(link: Link, settings = {}): Promise<Page> {
    const page = await openPage(browser, link.url, settings);
    await fillCard(page);
    await pressPay(page);
    await page.getByText('Payment successful').waitFor();
    return page;
  }

  const requestsOf = async ({ id }: Link): Promise<readonly string[]> =>
    (
      await harness.rows<{ payload: string }>(
        `SELECT payload FROM event WHERE target_id = $1 AND name = 'payment-link.receipt-requested'`,
        id,
      )
    ).map(
      ({ payload }) => (JSON.parse(payload) as { target: { email_address: string } }).target.email_address,
    );

  it.each([{}, { javaScriptEnabled: false }])(
    'refuses an incomplete address, and then takes the corrected one (%j)',
    async (settings) => {
      const link = await made({ offersReceipt: true });
      const page = await openPaid(link, settings);
      const email = page.getByLabel('Send the receipt to');
      expect(await email.inputValue()).toBe('');
      await email.fill('jane@example');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Enter a complete e-mail address').waitFor();
      expect(await email.inputValue()).toBe('jane@example');
      expect(await requestsOf(link)).toEqual([]);

      await email.fill('jane@example.com');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Nordlicht Kaffee has your e-mail address and sends the receipt.').waitFor();
      expect(await email.count()).toBe(0);
      expect(await requestsOf(link)).toEqual(['jane@example.com']);
      await page.context().close();
    },
  );

  it('is requested once, even after a double click, going back, or a reload', async () => {
    const link = await made({ offersReceipt: true });
    const page = await openPaid(link);
    await page.getByLabel('Send the receipt to').fill('jane@example.com');
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await page.getByText('has your e-mail address').waitFor();
    await page.reload();
    await page.goBack();
    await page.goto(link.url);
    await page.getByText('has your e-mail address').waitFor();

    expect(await requestsOf(link)).toEqual(['jane@example.com']);
    await page.context().close();
  });

  it('is not offered without the opt-in', async () => {
    const link = await made({});
    const page = await openPaid(link);
    expect(await page.getByLabel('Send the receipt to').count()).toBe(0);
    await page.context().close();
  });
});
