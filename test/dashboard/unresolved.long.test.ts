import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createPayment, createService } from './seed.ts';

let dashboard: Dashboard;
let provider: Receiver;
let paymentServiceId: string;
beforeAll(async () => {
  if (!browserRunsHere) return;
  [dashboard, provider] = await Promise.all([startDashboard(), startReceiver()]);
  provider.answer(500);
  paymentServiceId = await createService(dashboard.server, {
    displayName: 'Broken bank',
    apiUrl: provider.url,
  });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await Promise.all([dashboard.stop(), provider.close()]);
});

const dialog = (page: Page) => page.getByRole('dialog');
/** A payment at a provider that answers 500 and nothing else. */
const pay = (amount: number) =>
  createPayment(dashboard.server, { amount, paymentServiceId, authorizeOnly: true });

/** Reads the present state of a payment. */
async function statusOf(id: string): Promise<string | undefined> {
  const { body } = await dashboard.server.graphql<{ transaction: { status: string } }>(
    `{ transaction(id: "${id}") { status } }`,
  );
  return body.data?.transaction.status;
}

(browserRunsHere ? describe : describe.skip)('the page of unresolved operations', () => {
  it('leads on while every outcome is known', async () => {
    const { page } = await dashboard.open('unresolved');
    await page.getByText('Every outcome is known').waitFor();
    await page.getByRole('link', { name: 'Show the payments' }).click();
    await page.waitForURL(/\/payments$/);
    await page.context().close();
  });

  it('says what is unknown, and what the provider answers when it is asked', async () => {
    const id = await pay(7450);
    const { page, complaints } = await dashboard.open('unresolved');
    const item = page.locator('.case').filter({ hasText: 'Authorisation of €74.50' });
    await item.getByText('Provider failed').waitFor();
    await item.getByText('at Broken bank').waitFor();
    await item.getByRole('button', { name: 'Ask provider' }).click();
    await dialog(page).getByText('Answer of the provider').waitFor();
    await dialog(page).locator('.dialog-foot').getByRole('button', { name: 'Close' }).click();
    await item.getByRole('link').click();

    await page.waitForURL(new RegExp(`/payments/${id}$`));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('records an outcome with its evidence, after a summary', async () => {
    const id = await pay(3300);
    const { page } = await dashboard.open('unresolved');
    const item = page.locator('.case').filter({ hasText: '€33.00' });
    await item.getByRole('button', { name: 'Record outcome' }).click();
    const submit = dialog(page).getByRole('button', { name: /^Record as/ });
    expect(await submit.isDisabled()).toBe(true);
    await dialog(page).getByText('Failed', { exact: true }).click();
    await page.getByLabel('Evidence').fill('Not in the report of the bank');
    expect(await dialog(page).locator('.summary dd').allTextContents()).toEqual([
      '€33.00EUR',
      'The reserved amount is released',
    ]);
    await press(page, 'Record as failed');
    await item.waitFor({ state: 'detached' });

    expect(await statusOf(id)).toBe('AUTHORIZATION_FAILED');
    await page.context().close();
  });

  it('records an outcome on the page of the payment, too', async () => {
    const id = await pay(4120);
    const { page } = await dashboard.open(`payments/${id}`);
    await press(page, 'Record outcome');
    await page.getByLabel('Evidence').fill('Found in the report of the bank');
    await page.getByLabel("Provider's id").fill('bank-4120');
    await press(page, 'Record as succeeded');
    await page.locator('h1 .pill').getByText('Authorised').waitFor();

    expect(await statusOf(id)).toBe('AUTHORIZATION_SUCCEEDED');
    await page.context().close();
  });
});
