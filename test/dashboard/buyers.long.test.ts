import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browserRunsHere } from '../support/browser.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createBuyer, createPayment } from './seed.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

(browserRunsHere ? describe : describe.skip)('the pages of buyers', () => {
  it('finds a buyer by the start of the e-mail address, and opens the buyer', async () => {
    await createBuyer(dashboard.server, 'Ada Novak', 'ada.novak@example.com');
    const id = await createBuyer(dashboard.server, 'Mina Okafor', 'mina.okafor@example.org');
    const { page, complaints } = await dashboard.open('buyers');
    await page.getByRole('grid').getByText('Ada Novak').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('mina.oka');
    await page.waitForURL((url) => url.search === '?q=mina.oka');
    await page.getByRole('grid').getByText('Ada Novak').waitFor({ state: 'detached' });
    await page.getByRole('grid').getByRole('link', { name: 'Mina Okafor' }).click();
    await page.getByRole('heading', { name: 'Mina Okafor' }).waitFor();

    expect(new URL(page.url()).pathname).toBe(`/dashboard/buyers/${id}`);
    expect(await page.locator('.facts').first().textContent()).toContain('mina.okafor@example.org');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows a payment of the buyer as it happens', async () => {
    const buyerId = await createBuyer(dashboard.server, 'Jonas Weber', 'jonas@example.com');
    const { page } = await dashboard.open(`buyers/${buyerId}`);
    await page.getByText('This buyer has not paid yet.').waitFor();
    const id = await createPayment(dashboard.server, { amount: 7450, buyerId });
    const line = page.locator('.event').filter({ hasText: '€74.50' });
    await line.getByText('Captured').waitFor();

    expect(await line.getByRole('link').getAttribute('href')).toBe(`/dashboard/payments/${id}`);
    await page.context().close();
  });

  it('removes a payment method after a summary', async () => {
    const id = await createBuyer(dashboard.server, 'Yuki Tanaka', 'yuki@example.com');
    const { page } = await dashboard.open(`buyers/${id}`);
    await press(page, 'Remove Visa 1111');
    expect(await page.locator('.summary').textContent()).toContain('Visa');
    await press(page, 'Keep it');
    await press(page, 'Remove Visa 1111');
    await press(page, 'Remove');
    await page.getByText('No payment method is stored.').waitFor();

    const { body } = await dashboard.server.graphql(
      `query ($id: ID!) { buyer(id: $id) { paymentMethods { id } } }`,
      { id },
    );
    expect(body.data).toEqual({ buyer: { paymentMethods: [] } });
    await page.context().close();
  });

  it('says that there is no such buyer, and leads on while none matches', async () => {
    const { page } = await dashboard.open('buyers/none');
    await page.getByText('There is no such buyer').waitFor();
    await page.goto(`${dashboard.server.url}/dashboard/buyers?q=nobody`);
    await page.getByText('No buyer matches').waitFor();

    expect(await page.getByLabel('Search by name').inputValue()).toBe('nobody');
    await page.context().close();
  });
});
