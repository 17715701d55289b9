import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createPayment } from './seed.ts';
import { openDispute, readDispute } from './seed-money.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');

/** Creates a captured payment with a dispute. */
async function disputed(amount: number, report: Readonly<Record<string, unknown>> = {}) {
  const payment = await createPayment(dashboard.server, { amount, email: 'ada@example.com' });
  return { payment, dispute: await openDispute(dashboard.server, payment, report) };
}

/** A file that begins as a PDF document does. */
const PDF = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 receipt') };

(browserRunsHere ? describe : describe.skip)('the pages of disputes', () => {
  it('leads on while there is no dispute, and shows a dispute as it comes', async () => {
    const { page, complaints } = await dashboard.open('disputes');
    await page.getByText('No disputes', { exact: true }).waitFor();
    const { payment } = await disputed(4210);
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: '€42.10' });
    await row.getByText('Not received').waitFor();
    expect(await row.textContent()).toContain('6 days left');
    await row.getByRole('link').click();
    await page.locator('h1').getByText('Needs response').waitFor();
    await page.locator('.events').getByRole('link', { name: '€42.10' }).click();

    await page.waitForURL(new RegExp(`/payments/${payment}$`));
    await page.getByRole('heading', { name: 'Disputes' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('sends a text and a file as evidence, and shows the response', async () => {
    const { dispute } = await disputed(5480);
    const { page } = await dashboard.open(`disputes/${dispute}`);
    await press(page, 'Send evidence');
    const submit = dialog(page).getByRole('button', { name: 'Send evidence' });
    expect(await submit.isDisabled()).toBe(true);
    expect(await page.getByLabel('Subject').inputValue()).toBe('SHIPPING');
    await page.getByLabel('Text').fill('Delivered on 21 November, signed by the buyer.');
    await press(page, 'Add a subject');
    await page.getByLabel('File').last().setInputFiles(PDF);
    await page.getByText('receipt.pdf').waitFor();
    expect(await dialog(page).locator('.summary').textContent()).toContain('1 text, 1 file');
    await submit.click();
    await page.locator('h1').getByText('Under review').waitFor();

    expect(await readDispute(dashboard.server, dispute)).toEqual({
      status: 'UNDER_REVIEW',
      responses: [{ kind: 'EVIDENCE', status: 'SUCCEEDED' }],
    });
    expect(await page.locator('.events').getByText('Arrived').count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Send evidence' }).count()).toBe(0);
    await page.context().close();
  });

  it('refuses another file, and shows the sentence of the API about a false one', async () => {
    const { dispute } = await disputed(1999);
    const { page } = await dashboard.open(`disputes/${dispute}`);
    await press(page, 'Send evidence');
    await page.getByLabel('File').setInputFiles({ ...PDF, name: 'notes.txt', mimeType: 'text/plain' });
    await page.getByText('Choose a PDF, JPEG or PNG file.').waitFor();
    await page.getByLabel('File').setInputFiles({ ...PDF, buffer: Buffer.alloc(200_000) });
    await page.getByText('The files have 196 KiB together.').waitFor();
    await press(page, 'Remove receipt.pdf');
    await page.getByLabel('File').setInputFiles({ ...PDF, buffer: Buffer.from('no such document') });
    await dialog(page).getByRole('button', { name: 'Send evidence' }).click();

    await page.locator('.attached').getByText('Must be a file of the given format.').waitFor();
    expect(await readDispute(dashboard.server, dispute)).toEqual({ status: 'NEEDS_RESPONSE', responses: [] });
    await page.context().close();
  });

  it('gives the money up after a summary, and then lists the dispute as lost', async () => {
    const { dispute } = await disputed(7450, { reason: 'fraudulent' });
    const { page } = await dashboard.open(`disputes/${dispute}`);
    await press(page, 'Give up');
    expect(await dialog(page).locator('.summary dd').allTextContents()).toEqual(['€74.50EUR', 'Fraudulent']);
    await press(page, 'Keep the dispute');
    await press(page, 'Give up');
    await press(page, 'Give the money up');
    await page.locator('h1').getByText('Accepted').waitFor();
    expect(await readDispute(dashboard.server, dispute)).toMatchObject({ status: 'ACCEPTED' });
    await page.getByRole('main').getByRole('link', { name: 'Disputes' }).click();
    await page.getByRole('radio', { name: 'Lost' }).check();
    await page.waitForURL(/disputes\?show=lost$/);
    await page.getByRole('grid').getByText('Needs response').first().waitFor({ state: 'detached' });
    // In between the list is empty.
    await page.getByRole('grid').getByText('Accepted').waitFor();

    expect(await page.getByRole('grid').locator('.pill').allTextContents()).toEqual(['Accepted']);
    await page.context().close();
  });

  it('says that a dispute is refused by the provider, and that there is none', async () => {
    const { dispute } = await disputed(3300, { dispute_reference: 'dp_3300_refused' });
    const { page } = await dashboard.open(`disputes/${dispute}`);
    await press(page, 'Give up');
    await press(page, 'Give the money up');
    await page.locator('.events').getByText('Not taken').waitFor();
    await page.locator('.events').getByText('The provider refused the response').waitFor();
    await page.goto(`${dashboard.server.url}/dashboard/disputes/none`);
    await page.getByText('There is no such dispute').waitFor();
    await page.context().close();
  });
});
