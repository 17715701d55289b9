import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startDashboard, type Dashboard } from './harness.ts';
import { createEndpoint } from './seed.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  const id = await createEndpoint(dashboard.server, 'https://shop.example/first');
  await dashboard.server.graphql(
    `mutation ($id: ID!) { updateWebhookEndpoint(id: $id, input: { url: "https://shop.example/second" }) {
      userErrors { message } } }`,
    { id },
  );
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

/** Keeps the changes of one name. */
async function filter(page: Page, action: string): Promise<void> {
  await page.getByLabel('Change, such as').fill(action);
  await page.getByRole('row').filter({ hasNotText: action }).nth(1).waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: action }).waitFor();
}

/** Reads the table of an opened change. */
const fieldsOf = async (page: Page): Promise<readonly (readonly string[])[]> => {
  const rows = await page.locator('.change-detail tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
};

(browserRunsHere ? describe : describe.skip)('the audit log', () => {
  it('opens a change to its fields before and after, by keyboard', async () => {
    const { page, complaints } = await dashboard.open('audit-log');
    await filter(page, 'webhook-endpoint.updated');
    await page.getByRole('row').nth(1).focus();
    await page.keyboard.press('Enter');
    await page.locator('.change-detail').waitFor();

    expect(await fieldsOf(page)).toContainEqual([
      'url',
      'https://shop.example/first',
      'https://shop.example/second',
    ]);
    expect((await fieldsOf(page))[0]).toEqual(['Field', 'Before', 'After']);
    await page.keyboard.press('Enter');
    await page.locator('.change-detail').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('opens a creation on a phone by touch', async () => {
    const { page } = await dashboard.open('audit-log', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await filter(page, 'webhook-endpoint.created');
    await page.getByRole('button', { name: 'webhook-endpoint.created' }).tap();
    await page.locator('.change-detail').waitFor();

    expect((await fieldsOf(page))[0]).toEqual(['Field', 'After']);
    expect(await fieldsOf(page)).toContainEqual(['url', 'https://shop.example/first']);
    expect(await page.getByRole('button', { expanded: true }).count()).toBe(1);
    await page.context().close();
  });
});
