import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { faultsOf } from './faults.ts';
import { openIn, press, startDashboard, type Dashboard } from './harness.ts';
import {
  differencesOf,
  seedContradicted,
  seedElsewhere,
  seedOtherMoney,
  seedTooMuch,
  type Differing,
} from './seed-differences.ts';
import { signInAsNew, type Signed } from './seed-refunds.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, text: string) => page.getByRole('grid').getByRole('row').filter({ hasText: text });

async function openAs(person: Signed, path: string): Promise<Page> {
  const { page } = await dashboard.open();
  const [name = '', value = ''] = person.cookie.split('=');
  await page.context().addCookies([{ name, value, url: dashboard.server.url }]);
  return (await openIn(dashboard.server, page, path)).page;
}

const dismiss = ({ difference }: Differing) =>
  dashboard.server.graphql(
    `mutation ($id: ID!) { dismissDifference(id: $id, reason: "Agreed by phone") { userErrors { message } } }`,
    { id: difference },
  );

const refundedOf = async ({ payment }: Differing): Promise<number | undefined> => {
  const { body } = await dashboard.server.graphql<{ transaction: { refundedAmount: number } }>(
    `{ transaction(id: "${payment}") { refundedAmount } }`,
  );
  return body.data?.transaction.refundedAmount;
};

(browserRunsHere ? describe : describe.skip)('the pages of differences', () => {
  /** A refund that was declined here and succeeded at the provider. */
  let contradicted: Differing;
  let otherMoney: Differing;
  let tooMuch: Differing;

  it('lead on while both sides agree, and show a difference as it comes', async () => {
    const { page, complaints } = await dashboard.open('differences');
    await page.getByText('Both sides agree').waitFor();
    await page.getByRole('link', { name: 'Read about differences' }).waitFor();
    otherMoney = await seedOtherMoney(dashboard.server);
    tooMuch = await seedTooMuch(dashboard.server);
    contradicted = await seedContradicted(dashboard.server, 'order-10571');
    await row(page, 'order-10571').waitFor({ timeout: 25_000 });

    expect(await row(page, 'order-10571').getByRole('gridcell').allInnerTexts()).toEqual([
      ...['Other outcome', 'Open', 'Refund of €5,200.02', 'Declined: €5,200.02', 'order-10571'],
      expect.stringMatching(/ago$/),
    ]);
    await row(page, 'order-10571').getByRole('link', { name: 'order-10571' }).click();
    await page.waitForURL(new RegExp(`/payments/${contradicted.payment}$`));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('are found by report, operation, service and age, and the address keeps the filter', async () => {
    const { page } = await dashboard.open('differences');
    await page.getByLabel('Operation').selectOption('CAPTURE');
    await row(page, 'Other outcome').waitFor({ state: 'detached' });
    await row(page, 'Captured too much').waitFor();
    await page.getByLabel('Found by').selectOption('NOTICE');
    await page.getByLabel('Payment service').selectOption('Sandbox card');
    await page.getByLabel('Known').selectOption('fresh');
    await page.reload();
    await row(page, 'Captured too much').waitFor();
    expect(await page.getByRole('grid').getByRole('row').count()).toBe(2);

    await page.getByLabel('Known').selectOption('week');
    await page.getByText('No difference matches').waitFor();
    await press(page, 'Clear filters');
    await row(page, 'Other outcome').waitFor();
    await page.context().close();
  });

  it('compare both sides, and show the effect of an adoption before it books', async () => {
    const { page } = await dashboard.open(`differences/${contradicted.difference}`);
    const off = page.locator('.sides tr[data-off=true]');
    await off.waitFor();
    expect(await off.allTextContents()).toEqual(['OutcomeSucceeded–Declined']);
    await page.getByText('payment-connector-transaction-webhook-processed').waitFor();
    await press(page, 'Adopt');
    await dialog(page)
      .getByText(
        'Paygraph books a refund of €5,200.02. After that, €0.00 can be captured and €2,299.98 can be refunded.',
      )
      .waitFor();
    expect(await dialog(page).locator('.summary dd').allTextContents()).toEqual([
      ...['€5,200.02EUR', '€0.00 → €0.00', '€7,500.00 → €2,299.98'],
    ]);
    expect(await refundedOf(contradicted)).toBe(0);
    await press(page, 'Adopt the report');
    await page.locator('h1 .pill').getByText('Adopted').waitFor();

    expect(await refundedOf(contradicted)).toBe(520_002);
    expect(await page.locator('.record-head').getByRole('button').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Differences' }).click();
    await row(page, 'Captured too much').waitFor();
    expect(await row(page, 'Other outcome').count()).toBe(0);
    await page.getByRole('radio', { name: 'Adopted' }).check();
    await row(page, 'Other outcome').waitFor();
    await page.context().close();
  });

  it('are dismissed with a reason, by the keyboard alone', async () => {
    const { page } = await dashboard.open('differences?kind=REFUND');
    await row(page, 'Other money').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('Settle the matter with the provider').waitFor();
    expect(await page.getByRole('button', { name: 'Adopt' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Dismiss' }).focus();
    await page.keyboard.press('Enter');
    const submit = dialog(page).getByRole('button', { name: 'Dismiss it' });
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Reason').focus();
    await page.keyboard.type('A test of the provider.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('h1 .pill').getByText('Dismissed').waitFor();

    expect(await differencesOf(dashboard.server, otherMoney.payment)).toEqual([
      { id: otherMoney.difference, state: 'DISMISSED', reason: 'A test of the provider.' },
    ]);
    await page.getByText('A test of the provider.').waitFor();
    await page.context().close();
  });

  it('take note of a booked report, which changes no amount', async () => {
    const { page } = await dashboard.open(`differences/${tooMuch.difference}`);
    await press(page, 'Adopt');
    await dialog(page).getByText('Paygraph books nothing more').waitFor();
    expect(await dialog(page).locator('.summary dd').allTextContents()).toEqual([
      ...['€0.00 → €0.00', '€99.00 → €99.00'],
    ]);
    await press(page, 'Adopt the report');

    await page.locator('h1 .pill').getByText('Adopted').waitFor();
    await page.context().close();
  });

  it('say what to do if somebody else was faster', async () => {
    const late = await seedContradicted(dashboard.server);
    const { page } = await dashboard.open(`differences/${late.difference}`);
    await press(page, 'Adopt');
    await dismiss(late);
    await press(page, 'Adopt the report');
    await dialog(page).getByText('Code OPERATION_NOT_ALLOWED').waitFor();
    await dialog(page).getByText('Close this window and compare again.').waitFor();
    await press(page, 'Cancel');
    await page.locator('h1 .pill').getByText('Dismissed').waitFor();

    expect(await refundedOf(late)).toBe(0);
    await page.context().close();
  });

  it('are only read by an analyst', async () => {
    const open = await seedContradicted(dashboard.server);
    const ana = await signInAsNew(dashboard.server, 'ana@example.com', 'ANALYST');
    const page = await openAs(ana, `differences/${open.difference}`);
    await page.locator('.sides').waitFor();
    expect(await page.locator('.record-head').getByRole('button').count()).toBe(0);

    const { body } = await dashboard.server.graphql(
      `mutation { adoptDifference(id: "${open.difference}") { userErrors { code } } }`,
      {},
      { token: null, headers: ana.headers },
    );
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
    expect(await refundedOf(open)).toBe(0);
    await page.context().close();
  });

  it('are led to from the payment, whose timeline marks the operations of the provider', async () => {
    const { payment, difference } = await seedContradicted(dashboard.server);
    const { page } = await dashboard.open(`payments/${payment}`);
    const notice = page.locator('.difference-notice');
    await notice.getByText('Refund of €5,200.02').waitFor();
    await notice.getByRole('link', { name: 'Other outcome' }).click();
    await page.waitForURL(new RegExp(`/differences/${difference}$`));

    const elsewhere = await seedElsewhere(dashboard.server);
    await page.goto(`${dashboard.server.url}/dashboard/payments/${elsewhere}`);
    const first = page.locator('.timeline li').first();
    await first.getByText('made at the provider').waitFor();
    expect(await first.locator('h3').textContent()).toContain('Refund of €12.90 succeeded');
    expect(await page.locator('.timeline').getByText('made at the provider').count()).toBe(1);
    expect(await notice.count()).toBe(0);
    await page.context().close();
  });

  it.each(['differences?show=all', 'differences?show=resolved', 'differences/none'])(
    'pass the audit: %s',
    async (path) => {
      const { page } = await dashboard.open(path, { bypassCSP: true });
      await page.locator('.bone').first().waitFor({ state: 'detached' });

      expect(await faultsOf(page)).toEqual([]);
      await page.context().close();
    },
  );
});
