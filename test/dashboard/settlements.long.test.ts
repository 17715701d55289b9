import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { readDifference, settle, type Settled } from './seed-money.ts';

let dashboard: Dashboard;
let bank: FakeProvider;
beforeAll(async () => {
  if (browserRunsHere) [dashboard, bank] = await Promise.all([startDashboard(), startFakeProvider()]);
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await Promise.all([dashboard.stop(), bank.close()]);
});

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, text: string) => page.getByRole('grid').getByRole('row').filter({ hasText: text });

(browserRunsHere ? describe : describe.skip)('the pages of settlements', () => {
  /** A payment that settles as captured, one that settles with too little, and a payout of both. */
  let settled: Settled;

  it('leads on while no report is read, and shows the entries as they come', async () => {
    const { page, complaints } = await dashboard.open('settlements');
    await page.getByText('No report is read').waitFor();
    settled = await settle(dashboard.server, bank);
    await row(page, '€52.40').getByText('Fits').waitFor();
    await row(page, '€71.90').getByText('Differs').waitFor();
    const sums = page.locator('.sums');
    expect(await sums.locator('h2').textContent()).toBe('Sum of 3 entries');
    expect(await sums.locator('tbody tr').allTextContents()).toEqual(['EUR€128.30€6.50€121.80']);
    await row(page, '€52.40').getByRole('link').click();
    await page.getByText('A captured payment.').waitFor();
    await page.locator('.events').getByRole('link', { name: '€54.80' }).click();
    await page.waitForURL(new RegExp(`/payments/${settled.fitting}$`));
    await page.getByRole('heading', { name: 'Settlement' }).waitFor();
    await page.getByText('€54.80 − €2.40 = €52.40').waitFor();

    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows the entries of a payout, and the payouts', async () => {
    const { page } = await dashboard.open('settlements');
    await page.getByRole('radio', { name: 'Payouts' }).check();
    await row(page, '€121.80').getByRole('link').click();
    await page.waitForURL(/settlements\?payout=po_1$/);
    await page.getByText('Sum of 3 entries').waitFor();
    await press(page, 'Show all entries');
    await page.getByLabel('Kind', { exact: true }).selectOption('FEE');
    await row(page, '€71.90').waitFor({ state: 'detached' });
    // In between the list is empty.
    await row(page, '-€2.50').waitFor();

    expect(await page.getByRole('row').locator('.amount').allTextContents()).toEqual(['-€2.50EUR']);
    await page.context().close();
  });

  it('compares a difference with the books, and keeps its explanation', async () => {
    const { page } = await dashboard.open('settlements?show=differences');
    await row(page, '€71.90').getByRole('link').click();
    const lines = page.locator('.compared tr[data-off=true]');
    await lines.first().waitFor();
    expect(await lines.allTextContents()).toEqual(['Amount€73.50€74.50']);
    await press(page, 'Explain');
    const submit = dialog(page).getByRole('button', { name: 'Keep explanation' });
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Explanation').fill('The provider kept a deposit of €1.');
    await submit.click();
    await page.locator('h1').getByText('Explained').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Settlements' }).click();
    await page.getByRole('radio', { name: 'Explained' }).check();
    await row(page, '€71.90').getByText('The provider kept a deposit of €1.').waitFor();

    expect(await readDifference(dashboard.server, settled.differing)).toMatchObject({
      reason: 'OTHER_AMOUNT',
      explanation: 'The provider kept a deposit of €1.',
    });
    await page.context().close();
  });
});
