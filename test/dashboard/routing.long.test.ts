import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startDashboard, type Dashboard } from './harness.ts';
import { createPayment } from './seed.ts';
import { connect } from './seed-services.ts';

let dashboard: Dashboard;
let backup: string;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  const card = { definition: 'mock-acquirer', acceptedCurrencies: ['SEK'] };
  const field = (key: string, value: string) => ({ key, value });
  await connect(dashboard.server, {
    ...{ ...card, displayName: 'Unreachable' },
    // Nothing listens there, so that a request surely has no effect.
    fields: [field('merchant_id', 'shop'), field('api_url', 'http://127.0.0.1:9')],
  });
  backup = await connect(dashboard.server, { ...card, displayName: 'Backup' });
  await connect(dashboard.server, { ...card, displayName: 'Reserve' });
  await connect(dashboard.server, { ...card, displayName: 'Closed', active: false });
  await connect(dashboard.server, { displayName: 'Euro only', definition: 'mock-acquirer' });
  await connect(dashboard.server, { displayName: 'PayPal', definition: 'mock-paypal' });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

/** Reads the stops of the route: the name of the service, its state and the reason. */
const stops = (page: Page) =>
  page.getByRole('list', { name: 'Services in the order of the requests' }).getByRole('listitem');

/** Reads the service that was passed over, with the reasons. */
const passed = (page: Page, name: string) =>
  page.locator('.passed-over').getByRole('listitem').filter({ hasText: name });

(browserRunsHere ? describe : describe.skip)('the route of a payment', () => {
  it('shows the service that failed, the chosen one, and the reasons against the others', async () => {
    const id = await createPayment(dashboard.server, { amount: 5480, currency: 'SEK' });
    const { page, complaints } = await dashboard.open(`payments/${id}`);
    await passed(page, 'Reserve').getByText('Accepts the payment, but no retry reached it.').waitFor();

    expect(await stops(page).allTextContents()).toEqual([
      expect.stringMatching(/^Unreachable Failed.*The first service in order that accepts the payment\./),
      'Backup ChosenAsked because the service before failed without effect.',
    ]);
    expect(await passed(page, 'Closed').textContent()).toBe('ClosedThe service is off.');
    expect(await passed(page, 'Euro only').textContent()).toBe(
      'Euro onlyThe service does not take the currency.',
    );
    await page.getByText('Of another method: PayPal.').waitFor();
    await stops(page).getByRole('link', { name: 'Backup' }).click();
    await page.waitForURL(new RegExp(`services/${backup}$`));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows a payment that names its service without the reasons of an order', async () => {
    const id = await createPayment(dashboard.server, {
      ...{ amount: 5480, currency: 'SEK', paymentServiceId: backup },
    });
    const { page } = await dashboard.open(`payments/${id}`);
    await passed(page, 'Reserve').getByText('The payment names another service.').waitFor();

    expect(await stops(page).allTextContents()).toEqual(['Backup ChosenThe payment names this service.']);
    await page.context().close();
  });

  it('explains the route before a payment, and marks what is no currency', async () => {
    const { page } = await dashboard.open('services');
    await page.getByRole('button', { name: 'Explain routing' }).click();
    await page.getByLabel('Currency').fill('sek');
    await page.getByRole('button', { name: 'Find the route' }).click();
    await passed(page, 'Euro only').waitFor();
    expect(await stops(page).locator('.route-name').allTextContents()).toEqual([
      ...['Unreachable Asked first', 'Backup Asked next', 'Reserve Asked next'],
    ]);
    await page.getByLabel('Method').selectOption('Apple Pay');
    expect(await stops(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Find the route' }).click();
    await passed(page, 'Closed').getByText('The service is off.').waitFor();
    await page.getByLabel('Method').selectOption("The provider's page for cards");
    await page.getByRole('button', { name: 'Find the route' }).click();
    await passed(page, 'Backup').getByText('The service has no page of the provider for cards.').waitFor();
    await page.getByLabel('Currency').fill('XQZ');

    await page.getByText('Not a code: XQZ.').waitFor();
    expect(await page.getByRole('button', { name: 'Find the route' }).isDisabled()).toBe(true);
    await page.context().close();
  });
});
