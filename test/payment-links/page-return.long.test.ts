import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { createService } from '../transactions/harness.ts';
import type { LinksHarness } from './harness.ts';
import { openPage, paymentsOf, richLink, startSellingHarness, startShop, type Shop } from './shop.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('a payment link whose buyer goes to a provider and comes back', () => {
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    [harness, shop, browser] = await Promise.all([startSellingHarness(), startShop(), startBrowser()]);
    const { server, provider } = harness;
    await createService(server, provider.url, { definitionId: 'mock-redirect', currencies: ['EUR'] });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([harness.stop(), shop.close()]);
  });

  it.each([
    ['by a link and a GET', 5480, 'Approve', 'Payment successful'],
    ['by a form and a POST', 660_001, 'Approve, and post back', 'Payment successful'],
    ['by a link, after a refusal', 5480, 'Refuse', 'Pay Nordlicht Kaffee'],
  ])('%s', async (_, amount, button, heading) => {
    const link = await harness.made({ ...richLink(shop), amount, cartItems: null });
    const page = await openPage(browser, link.url);
    await page.getByRole('button', { name: /iDEAL/ }).click();
    await page.getByRole('button', { name: button, exact: true }).click();

    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    expect(new URL(page.url()).pathname).toBe(new URL(link.url).pathname);
    const [payment] = await paymentsOf(harness, link);
    expect(payment?.status).toBe(button === 'Refuse' ? 'authorization_failed' : 'authorization_succeeded');
    const authorized = harness.provider.calls.findLast(({ operation }) => operation === 'authorize');
    expect(authorized).toMatchObject({ ip_address: '127.0.0.1', browser_info: { javascript_enabled: true } });
    await page.context().close();
  });
});
