import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createBuyer } from './seed.ts';
import { createGiftCardService, payWithGiftCard, storeGiftCard } from './seed-money.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  await createGiftCardService(dashboard.server);
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');

async function fill(page: Page, number: string, pin: string): Promise<void> {
  await dialog(page).getByLabel('Number').fill(number);
  await dialog(page).getByLabel('PIN').fill(pin);
}

(browserRunsHere ? describe : describe.skip)('the pages of gift cards', () => {
  it('leads on while there is no gift card, and stores one for a buyer', async () => {
    const buyer = await createBuyer(dashboard.server, 'Mina Okafor', 'mina.okafor@example.org');
    const { page, complaints } = await dashboard.open('gift-cards');
    await page.locator('.empty').getByRole('button', { name: 'Store gift card' }).click();
    expect(await dialog(page).getByRole('button', { name: 'Store' }).isDisabled()).toBe(true);
    await fill(page, '9000 0000 0000 0001', '05000');
    await page.getByLabel('Buyer').fill(buyer);
    await press(page, 'Store');
    await page.waitForURL(/gift-cards\/[\w-]{36}$/);
    await page.locator('h1').getByText('€50.00').waitFor();
    await page.locator('.facts').getByRole('link', { name: 'Mina Okafor' }).click();
    await page.locator('.facts').getByRole('link', { name: '€50.00' }).click();

    await page.waitForURL(/gift-cards\//);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows the sentence of the API about a card that the provider does not know', async () => {
    const { page } = await dashboard.open('gift-cards');
    await press(page, 'Store gift card');
    await fill(page, '9000 0000 0000 0011', '10000');
    await press(page, 'Store');
    await dialog(page).getByText('GIFT_CARD_REFUSED').waitFor();
    await press(page, 'Cancel');
    await press(page, 'Check balance');
    await fill(page, '9000 0000 0000 0011', '10000');
    await press(page, 'Ask provider');
    await dialog(page).getByText('No card has this number and PIN.').waitFor();
    await fill(page, '9000 0000 0000 0021', '01234');
    await press(page, 'Ask provider');

    await dialog(page).locator('.summary').getByText('€12.34').waitFor();
    await page.context().close();
  });

  it('shows a redemption as it happens, asks for the balance, and deletes the card', async () => {
    const id = await storeGiftCard(dashboard.server, '9000000000000031', '03000');
    const { page } = await dashboard.open(`gift-cards/${id}`);
    await page.getByText('No payment was made with this card.').waitFor();
    const payment = await payWithGiftCard(dashboard.server, 4500, id);
    const line = page.locator('.event').filter({ hasText: '€30.00' });
    await line.getByText('Redeemed').waitFor();
    expect(await line.getByRole('link').getAttribute('href')).toBe(`/dashboard/payments/${payment}`);
    await press(page, 'Ask for balance');
    await page.getByText('The balance is €0.00.').waitFor();
    await page.locator('h1').getByText('Empty').waitFor();
    await press(page, 'Delete');
    expect(await dialog(page).locator('.summary dd').allTextContents()).toEqual(['•••• 0031', '€0.00EUR']);
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/gift-cards$/);
    await page.goto(`${dashboard.server.url}/dashboard/gift-cards/${id}`);

    await page.getByText('There is no such gift card').waitFor();
    await page.context().close();
  });
});
