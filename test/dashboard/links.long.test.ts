import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { fillCard, pressPay } from '../payment-links/shop.ts';
import { openIn, press, startDashboard, type Dashboard } from './harness.ts';
import { createLink } from './seed.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

type Link = {
  readonly amount: number;
  readonly currency: string;
  readonly merchantColor: string | null;
  readonly offersReceipt: boolean;
};

/** Reads a link as the API has it. */
async function readLink(id: string): Promise<Link | null> {
  const { body } = await dashboard.server.graphql<{ paymentLink: Link | null }>(
    `query ($id: ID!) { paymentLink(id: $id) { amount currency merchantColor offersReceipt } }`,
    { id },
  );
  return body.data?.paymentLink ?? null;
}

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

(browserRunsHere ? describe : describe.skip)('the pages of payment links', () => {
  it('leads on while there is no link, sketches the page, and creates the link', async () => {
    const { page, complaints } = await dashboard.open('links');
    await page.locator('.empty').getByRole('button', { name: 'Create link' }).click();
    await page.getByLabel('Amount').fill('49,90');
    await page.getByLabel('Message to the buyer').fill('Your vase is ready');
    await page.getByLabel('Offer a receipt by e-mail').check();
    await page.getByText('Name, colour and return address').click();
    await page.getByLabel('Colour of the button').fill('#aa3300');
    const preview = page.getByRole('img', { name: 'Preview of the page' });
    expect(await preview.textContent()).toContain('€49.90');
    expect(await preview.textContent()).toContain('Your vase is ready');
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    await page.waitForURL(/links\/[\w-]{36}$/);
    await page.getByRole('img', { name: 'Code of the address' }).waitFor();

    expect(await readLink(idIn(page))).toEqual({
      ...{ amount: 4990, currency: 'EUR', merchantColor: '#aa3300', offersReceipt: true },
    });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows the sentence of the API at the value that it refuses', async () => {
    const { page } = await dashboard.open('links');
    await page.getByRole('button', { name: 'Create link' }).first().click();
    await page.getByLabel('Amount').fill('10');
    await page.getByLabel('Country').fill('D');
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();

    await page.locator('.mistake:not(:empty)').waitFor();
    expect(await page.getByLabel('Country').getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });

  it('copies the address, and keeps its code as a file', async () => {
    const id = await createLink(dashboard.server, { amount: 100 });
    const { page } = await dashboard.open(`links/${id}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.share .copy').click();
    const address = await page.evaluate<string>('navigator.clipboard.readText()');
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save the code')]);

    expect(address).toBe(await page.getByRole('link', { name: 'Open the page' }).getAttribute('href'));
    expect(download.suggestedFilename()).toBe(`payment-link-${id}.svg`);
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^<svg .*<\/svg>$/);
    await page.context().close();
  });

  it('shows a payment as it happens on the page of the link', async () => {
    const id = await createLink(dashboard.server, { amount: 2500 });
    const { page } = await dashboard.open(`links/${id}`);
    await page.getByText('Nobody has tried to pay yet.').waitFor();
    const address = await page.getByRole('link', { name: 'Open the page' }).getAttribute('href');
    const buyer = await dashboard.browser.newPage();
    await buyer.goto(address ?? '');
    await fillCard(buyer, '4111 1111 1111 1111');
    await pressPay(buyer);

    await page.locator('h1').getByText('Paid').waitFor();
    await page.locator('.events').getByText('Captured').waitFor();
    await Promise.all([page.context().close(), buyer.context().close()]);
  });

  it('expires a link after a summary, and takes its code away', async () => {
    const id = await createLink(dashboard.server, { amount: 100 });
    const { page } = await dashboard.open(`links/${id}`);
    await press(page, 'Expire');
    await press(page, 'Keep the link');
    await press(page, 'Expire');
    await press(page, 'Expire link');

    await page.locator('h1').getByText('Expired').waitFor();
    expect(await page.getByRole('img', { name: 'Code of the address' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Expire', exact: true }).count()).toBe(0);
    await page.context().close();
  });

  it('shows the links of one state', async () => {
    const { page } = await dashboard.open('links');
    await page.getByRole('radio', { name: 'Paid' }).check();
    const states = page.getByRole('grid').locator('.pill');
    await states.getByText('Expired').first().waitFor({ state: 'detached' });
    // In between the list is empty.
    await states.getByText('Paid').first().waitFor();

    expect(new Set(await states.allTextContents())).toEqual(new Set(['Paid']));
    await openIn(dashboard.server, page, 'links/none');
    await page.getByText('There is no such link').waitFor();
    await page.context().close();
  });
});
