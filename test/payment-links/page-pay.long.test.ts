import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
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
import { withoutRandom } from '../support/without-random.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('the page of a payment link', () => {
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

  it.each([{}, WITHOUT_SCRIPTS])('accepts a card and leads back to the merchant (%j)', async (settings) => {
    const link = await made();
    const page = await open(link, settings);
    expect(await heading(page)).toBe('Pay Nordlicht Kaffee');
    expect(await page.locator('.amount').innerText()).toBe('€54.80');
    await fillCard(page);
    await pressPay(page);

    expect(await heading(page)).toBe('Payment successful');
    expect(page.url()).toBe(link.url);
    const [payment] = await paymentsOf(harness, link);
    expect(payment).toMatchObject({ status: 'authorization_succeeded', buyer: { displayName: 'Jane Doe' } });
    const hasScripts = settings !== WITHOUT_SCRIPTS;
    expect(harness.provider.calls.at(-1)).toMatchObject({
      ip_address: '127.0.0.1',
      browser_info: {
        user_agent: expect.stringContaining('Mozilla/5.0'),
        user_device: 'desktop',
        language: 'en-US',
        javascript_enabled: hasScripts,
        screen_width: hasScripts ? 1280 : null,
        time_zone_offset: hasScripts ? expect.any(Number) : null,
      },
    });
    await page.getByRole('link', { name: 'Back to Nordlicht Kaffee' }).click();
    expect(page.url()).toBe(
      `${shop.url}/back?basket=7&transaction_id=${payment?.id}&transaction_status=authorization_succeeded`,
    );
    await page.context().close();
  });

  it.each([{}, WITHOUT_SCRIPTS])(
    'leads to the approval of a payment, and shows it paid (%j)',
    async (settings) => {
      const link = await made();
      const page = await open(link, settings);
      await page.getByRole('button', { name: 'Pay with PayPal' }).click();
      expect(await page.title()).toBe('Approve a payment');
      await page.getByRole('button', { name: 'Approve', exact: true }).click();

      expect(await heading(page)).toBe('Payment successful');
      const [payment] = await paymentsOf(harness, link);
      expect(payment).toMatchObject({ status: 'authorization_succeeded', method: 'paypal' });
      // Columns in clear text do not contain the token of the link.
      expect(payment?.redirect_url).toBe(`${harness.server.url}/pay/back/${link.id}`);
      await page.context().close();
    },
  );

  it('shows the faults of all fields at once, and keeps no card', async () => {
    const link = await made();
    const page = await open(link, WITHOUT_SCRIPTS);
    await page.locator('#number').fill('4111 1111 1111 1112');
    await page.locator('#expiry').fill('13/99');
    await page.locator('#security_code').fill('77');
    await pressPay(page);

    expect(await page.locator('.error').allInnerTexts()).toEqual([
      'Enter a valid card number.',
      'Enter the expiry date as MM/YY. It must not have passed.',
      'Enter the 3 digits of the security code.',
      'Enter the name that is on the card.',
    ]);
    expect(await page.locator('input[aria-invalid=true]').count()).toBe(4);
    expect(await page.locator('input:focus').getAttribute('id')).toBe('number');
    const html = withoutRandom(await page.content());
    expect([html.includes('4111'), html.includes('"77"'), html.includes('13/99')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await paymentsOf(harness, link)).toEqual([]);
    await page.context().close();
  });
});
