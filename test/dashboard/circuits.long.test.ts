import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browserRunsHere } from '../support/browser.ts';
import { startDashboard, type Dashboard } from './harness.ts';
import { createPayment } from './seed.ts';
import { connect } from './seed-services.ts';

let dashboard: Dashboard;
let failing: string;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard({ PAYGRAPH_CIRCUIT_CALLS: '2' });
  const card = { definition: 'mock-acquirer', acceptedCurrencies: ['SEK'] };
  failing = await connect(dashboard.server, {
    ...{ ...card, displayName: 'Stormy' },
    fields: [
      { key: 'merchant_id', value: 'shop' },
      { key: 'api_key', value: 'failing' },
    ],
  });
  await connect(dashboard.server, { ...card, displayName: 'Backup' });
  for (const amount of [100, 200]) await createPayment(dashboard.server, { amount, currency: 'SEK' });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

(browserRunsHere ? describe : describe.skip)('a service whose provider fails', () => {
  it('is behind the others in the list, and says since when on its page', async () => {
    const { page, complaints } = await dashboard.open('services');
    const lineOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });

    await lineOf('Stormy').getByText('Behind others').waitFor();
    expect(await lineOf('Backup').getByText('Behind others').count()).toBe(0);
    await page.getByRole('link', { name: 'Stormy' }).click();
    await page.waitForURL(new RegExp(`services/${failing}$`));
    await page.getByText(/behind the other services since .+, because the provider fails/).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('comes last in the explanation of a route, and in the route of a payment', async () => {
    const { page } = await dashboard.open('services');
    await page.getByRole('button', { name: 'Explain routing' }).click();
    await page.getByLabel('Currency').fill('sek');
    await page.getByRole('button', { name: 'Find the route' }).click();
    const stops = page.getByRole('list', { name: 'Services in the order of the requests' });
    await stops.getByText('Its provider fails, so it comes after the services that work.').waitFor();
    expect(await stops.locator('.route-name').allTextContents()).toEqual([
      ...['Backup Asked first', 'Stormy Asked next'],
    ]);
    await page.context().close();

    const id = await createPayment(dashboard.server, { amount: 300, currency: 'SEK' });
    const paid = await dashboard.open(`payments/${id}`);
    const passed = paid.page.locator('.passed-over').getByRole('listitem').filter({ hasText: 'Stormy' });
    await passed.getByText('Its provider failed at that time').waitFor();
    await paid.page.context().close();
  });
});
