import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { openIn, press, startDashboard, type Dashboard } from './harness.ts';
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
      'The amount exceeds the available money.100%1',
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

  it('loads at most 250 kB from the service, and nothing from elsewhere', async () => {
    const context = await dashboard.browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const finished: Request[] = [];
    page.on('requestfinished', (request) => finished.push(request));
    const { complaints } = await openIn(dashboard.server, page);
    await shows(page, 'Captured volume', '€164.40');
    await page.locator('.live[data-state=connected]').waitFor();
    const loaded = await Promise.all(finished.map(weigh));

    const kinds = new Set(loaded.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['document', 'fetch', 'script', 'stylesheet']);
    expect(loaded.filter(({ kind, encoding }) => SQUEEZED.has(kind) && encoding !== 'br')).toEqual([]);
    const bytes = loaded.reduce((sum, each) => sum + each.bytes, 0);
    process.stdout.write(`\nThe first page: ${loaded.length} requests, ${bytes} bytes\n`);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(250_000);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('has the days and hours of the chosen time zone, and keeps the choice', async () => {
    const { page, complaints } = await dashboard.open('?span=1d', { timezoneId: 'Europe/Berlin' });
    await page.getByText('Days begin at midnight in Europe/Berlin.').waitFor();
    await choose(page, 'Time zone: Europe/Berlin', 'kathm', 'Asia/Kathmandu');
    await page.waitForURL(/\?span=1d&currency=EUR&zone=Asia%2FKathmandu$/);
    await page.getByText('Days begin at midnight in Asia/Kathmandu.').waitFor();

    expect(await busyHours(page)).toEqual(await hoursOf('Asia/Kathmandu'));
    await page.goto(`${dashboard.server.url}/dashboard/`);
    await page.getByText('Days begin at midnight in Asia/Kathmandu.').waitFor();
    await choose(page, 'Time zone: Asia/Kathmandu', 'berlin', 'Europe/Berlin, as the browser');
    await page.getByText('Days begin at midnight in Europe/Berlin.').waitFor();
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('takes the time zone of the address, and passes over a name that is not one of a zone', async () => {
    const { page } = await dashboard.open('?zone=UTC', { timezoneId: 'Asia/Tokyo' });
    await page.getByText('Days begin at midnight in UTC.').waitFor();
    await page.goto(`${dashboard.server.url}/dashboard/?zone=Europe/Atlantis`);
    await page.getByText('Days begin at midnight in Asia/Tokyo.').waitFor();
    await press(page, 'Time zone: Asia/Tokyo');
    await page.keyboard.type('atlantis');
    await page.getByText('No time zone has this name.').waitFor();
    await page.context().close();
  });
});

/** The kinds of files that are compressed. */
const SQUEEZED: ReadonlySet<string> = new Set(['script', 'stylesheet']);

/** Returns the bytes of an answer as they came over the wire, with those of its headers. */
async function weigh(request: Request) {
  const [{ responseBodySize, responseHeadersSize }, response] = await Promise.all([
    request.sizes(),
    request.response(),
  ]);
  const encoding = (await response?.headerValue('content-encoding')) ?? null;
  return { kind: request.resourceType(), encoding, bytes: responseBodySize + responseHeadersSize };
}

/** Chooses a time zone by keyboard alone. */
async function choose(page: Page, button: string, search: string, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Time zone' });
  await page.getByRole('button', { name: button, exact: true }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('option').nth(20).waitFor();
  await page.keyboard.type(search);
  await dialog.getByRole('option').nth(1).waitFor({ state: 'detached' });
  expect(await dialog.getByRole('option').allTextContents()).toEqual([expect.stringContaining(name)]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** The hours with a captured amount, in the words of the chart's table. */
async function busyHours(page: Page): Promise<readonly string[]> {
  const rows = page.locator('.chart tbody tr');
  const amounts = await rows.locator('td:nth-child(2)').allTextContents();
  return (await rows.locator('th').allTextContents()).filter((_, index) => amounts[index] !== '€0.00');
}

/** The hours of a zone in which the payments in euros were captured. */
async function hoursOf(zone: string): Promise<readonly string[]> {
  type Data = { readonly transactions: { readonly nodes: readonly { readonly createdAt: string }[] } };
  const { body } = await dashboard.server.graphql<Data>(
    '{ transactions(first: 20, filter: { currency: ["EUR"], status: [CAPTURE_SUCCEEDED] }) { nodes { createdAt } } }',
  );
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
  const hours = body.data?.transactions.nodes.map(
    ({ createdAt }) => `${hour.format(new Date(createdAt))}:00`,
  );
  return [...new Set(hours)].sort();
}
