import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startDashboard, type Dashboard } from './harness.ts';
import { createPayment, refund } from './seed.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

/** The number below a title. */
const figure = (page: Page, title: string) =>
  page.locator('.figure', { has: page.getByRole('heading', { name: title, exact: true }) }).locator('strong');

const shows = (page: Page, title: string, value: string) =>
  figure(page, title).getByText(value, { exact: true }).waitFor();

(browserRunsHere ? describe : describe.skip)('the home page', () => {
  it('leads on while there is no payment', async () => {
    const { page } = await dashboard.open('');
    await page.getByText('No payments in this span').waitFor();
    await page.getByRole('link', { name: 'Show the payments' }).click();
    await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor();
    await page.context().close();
  });

  it('shows the sums of a span, and adds a new payment by itself', async () => {
    const first = await createPayment(dashboard.server, { amount: 5480 });
    await createPayment(dashboard.server, { amount: 5480 });
    await createPayment(dashboard.server, { amount: 200_011 });
    await createPayment(dashboard.server, { amount: 700, currency: 'USD' });
    await refund(dashboard.server, first, 1000);
    const { page, complaints } = await dashboard.open('?span=1d');

    await shows(page, 'Captured volume', '€109.60');
    await shows(page, 'Authorisation rate', '66.7%');
    await shows(page, 'Payments', '3');
    await shows(page, 'Refunds', '€10.00');
    expect(await page.locator('.ranking').allTextContents()).toEqual([
      'insufficient funds100%1',
      'Sandbox card3 authorisations66.7%',
    ]);
    await page.locator('.live[data-state=connected]').waitFor();
    await createPayment(dashboard.server, { amount: 5480 });
    await shows(page, 'Captured volume', '€164.40');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('keeps span and currency in the address', async () => {
    const { page } = await dashboard.open('');
    await page.getByLabel('Currency').selectOption('USD');
    await shows(page, 'Captured volume', '$7.00');
    await page.getByText('30 days', { exact: true }).click();
    await page.waitForURL(/\?span=30d&currency=USD$/);
    await page.reload();

    await shows(page, 'Captured volume', '$7.00');
    expect(await page.getByLabel('30 days').isChecked()).toBe(true);
    await page.context().close();
  });
});
