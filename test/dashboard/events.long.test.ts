import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startDashboard, type Dashboard } from './harness.ts';
import { createPayment, seedPayments } from './seed.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const names = (page: Page) => page.locator('.lines code');
const isLive = (page: Page) => page.locator('.live[data-state=connected]').waitFor();
const pay = (amount = 5480) => createPayment(dashboard.server, { amount });

(browserRunsHere ? describe : describe.skip)('the page of events', () => {
  it('is empty at first, and shows an event as it happens', async () => {
    const { page, complaints } = await dashboard.open('events?type=refund.*');
    await page.getByText('No such event yet').waitFor();
    await page.getByRole('button', { name: 'Show all events' }).click();
    await isLive(page);
    await pay();
    await names(page).getByText('transaction.captured').first().waitFor();

    expect(new URL(page.url()).search).toBe('');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('opens an event by keyboard, and leads to its payment', async () => {
    const id = await pay();
    const { page } = await dashboard.open('events');
    await names(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Payload' }).getByText(`"${id}"`).waitFor();
    await page.getByRole('link', { name: 'Open the record' }).click();

    await page.waitForURL(new RegExp(`/payments/${id}$`));
    await page.context().close();
  });

  it('reads a payload when its event is opened, and none for the list', async () => {
    await pay();
    const { page } = await dashboard.open();
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.postData() ?? ''));
    await page.goto(new URL('events', page.url()).href);
    await names(page).first().waitFor();
    const ofList = asked.filter((body) => body.includes('payload'));
    await names(page).first().click();
    await page.getByRole('region', { name: 'Payload' }).waitFor();

    expect(ofList).toEqual([]);
    expect(asked.filter((body) => body.includes('payload'))).toHaveLength(1);
    await page.context().close();
  });

  it('holds new events during a pause, and shows them after it', async () => {
    const { page } = await dashboard.open('events?type=transaction.declined');
    await isLive(page);
    await page.keyboard.press('p');
    await pay(200_011);
    await pay();
    await page.getByRole('button', { name: 'Resume, 1 new' }).waitFor();
    expect(await names(page).count()).toBe(0);
    await page.keyboard.press('p');

    await names(page).getByText('transaction.declined').waitFor();
    expect(await names(page).count()).toBe(1);
    await page.context().close();
  });

  it('filters by a name or a kind of record, and keeps the filter in the address', async () => {
    const { page } = await dashboard.open('events');
    await page.getByLabel('Events to show').selectOption('transaction.captured');
    await page.waitForURL(/\?type=transaction\.captured$/);
    await page.reload();
    await names(page).first().waitFor();

    expect(new Set(await names(page).allTextContents())).toEqual(new Set(['transaction.captured']));
    await page.context().close();
  });

  it('leads back to the oldest event', async () => {
    await seedPayments(dashboard.server, 60);
    const { page } = await dashboard.open('events');
    await names(page).first().waitFor();
    expect(await names(page).count()).toBe(50);
    const older = page.getByRole('button', { name: 'Show older events' });
    while (await older.isVisible()) {
      const count = await names(page).count();
      await older.click();
      await names(page).nth(count).waitFor();
    }

    const { body } = await dashboard.server.graphql<{
      events: { totalCount: { count: number } };
    }>('{ events { totalCount { count } } }');
    expect(await names(page).count()).toBe(body.data?.events.totalCount.count);
    await page.context().close();
  }, 60_000);
});
