import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createPayment } from './seed.ts';
import { createAntiFraud } from './seed-services.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');
const state = (page: Page) => page.locator('h1 .pill');
const choose = async (page: Page, name: string): Promise<void> => {
  await press(page, 'More acts');
  await page.getByRole('menuitem', { name }).click();
};

/** Creates a payment that a review holds. */
const held = (amount: number, authorizeOnly = false): Promise<string> =>
  createPayment(dashboard.server, { amount, authorizeOnly, email: 'review@example.com' });

type Reviewed = {
  readonly status: string;
  readonly reviewOutcome: string | null;
  readonly capturedAmount: number;
  readonly operations: readonly { readonly kind: string }[];
};

/** Reads the end of a payment's review, as the API has it. */
async function reviewed(id: string): Promise<Reviewed | undefined> {
  const { body } = await dashboard.server.graphql<{ transaction: Reviewed }>(
    `{ transaction(id: "${id}") { status reviewOutcome capturedAmount operations { kind } } }`,
  );
  return body.data?.transaction;
}

(browserRunsHere ? describe : describe.skip)('the pages of anti-fraud services', () => {
  it('lead on while there is no service, and add one by the fields of its definition', async () => {
    const { page, complaints } = await dashboard.open('anti-fraud');
    await page.locator('.empty').getByRole('button', { name: 'Add service' }).click();
    const submit = dialog(page).getByRole('button', { name: 'Add service' });
    await page.getByLabel('Name').fill('Risk desk');
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Merchant ID').fill('shop');
    await page.getByLabel('API key').fill('secret-1');
    await page.getByLabel('Version 10.2 of the interface').check();
    await page.getByLabel('Without a decision in time').selectOption('Decline the payment');
    await submit.click();
    await page.waitForURL(/anti-fraud\/[\w-]{36}$/);

    await state(page).getByText('Active').waitFor();
    await page.locator('.facts').getByText('10.2').waitFor();
    await page.locator('.facts').getByText('Decline the payment').waitFor();
    await page.locator('.facts').getByText('/webhooks/anti-fraud/').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('secret-1');
    const { body } = await dashboard.server.graphql<{ antiFraudServices: { nodes: unknown } }>(
      '{ antiFraudServices { nodes { fallback } } }',
    );
    expect(body.data?.antiFraudServices.nodes).toEqual([{ fallback: 'REJECT' }]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('list the addresses that lead to each decision of the sandbox', async () => {
    const { page } = await dashboard.open('anti-fraud');
    const row = page.getByRole('row').filter({ hasText: 'reject@example.com' });

    await row.getByText('The payment is declined.').waitFor();
    await page.getByRole('link', { name: 'Risk desk' }).waitFor();
    await page.context().close();
  });

  it('change a service, and keep a second one off while the first is active', async () => {
    const id = await createAntiFraud(dashboard.server, { displayName: 'Second', active: false });
    const { page } = await dashboard.open(`anti-fraud/${id}`);
    await press(page, 'Edit');
    await page.getByLabel('Name').fill('Second desk');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'Second desk' }).waitFor();
    await choose(page, 'Turn on');

    await page
      .locator('.record-head')
      .getByText(/^Code [A-Z_]+$/)
      .waitFor();
    await state(page).getByText('Off').waitFor();
    await choose(page, 'Delete');
    await press(page, 'Delete service');
    await page.waitForURL(/\/anti-fraud$/);
    await page.getByRole('link', { name: 'Risk desk' }).waitFor();
    expect(await page.getByRole('link', { name: 'Second desk' }).count()).toBe(0);
    await page.context().close();
  });

  it('turn a service off and on, after a summary', async () => {
    const { page } = await dashboard.open('anti-fraud');
    await page.getByRole('link', { name: 'Risk desk' }).click();
    await choose(page, 'Turn off');
    await press(page, 'Keep it on');
    await choose(page, 'Turn off');
    await press(page, 'Turn off');
    await state(page).getByText('Off').waitFor();
    await choose(page, 'Turn on');

    await state(page).getByText('Active').waitFor();
    await page.context().close();
  });
});

(browserRunsHere ? describe : describe.skip)('a payment that is held for a review', () => {
  it('is found, and is accepted once although the first answer is lost', async () => {
    const id = await held(5480);
    const { page } = await dashboard.open('anti-fraud');
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.waitForURL(/payments\?review=yes$/);
    await page.getByRole('button', { name: 'View: Held for review' }).waitFor();
    await page.getByRole('link', { name: '€54.80' }).click();
    await state(page).getByText('In review').waitFor();
    let lost = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('resolveReview') || lost > 2) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await press(page, 'Accept');
    await page.getByLabel('Comment').fill('The buyer called');
    expect(await page.locator('.summary dd').allTextContents()).toEqual(['€54.80EUR']);
    await press(page, 'Accept payment');
    await dialog(page).getByRole('alert').last().getByText('does not answer').waitFor();
    await press(page, 'Accept payment');
    await page.getByText('The payment was accepted.').waitFor();

    await state(page).getByText('Captured').waitFor();
    await page.locator('.facts').getByText('Accepted', { exact: true }).waitFor();
    const { operations, ...rest } = (await reviewed(id)) ?? { operations: [] };
    expect(rest).toEqual({ status: 'CAPTURE_SUCCEEDED', reviewOutcome: 'ACCEPTED', capturedAmount: 5480 });
    expect(operations.filter(({ kind }) => kind === 'CAPTURE').length).toBe(1);
    expect(lost).toBe(3);
    await page.context().close();
  }, 60_000);

  it('can be captured after an acceptance if the merchant captures later', async () => {
    const id = await held(2300, true);
    const { page } = await dashboard.open(`payments/${id}`);
    await press(page, 'Accept');
    await dialog(page).getByText('The payment can then be captured.').waitFor();
    await press(page, 'Accept payment');

    await page.getByRole('button', { name: 'Capture' }).waitFor();
    await state(page).getByText('Authorised').waitFor();
    expect(await reviewed(id)).toMatchObject({ reviewOutcome: 'ACCEPTED', capturedAmount: 0 });
    await page.context().close();
  });

  it('is rejected after a summary, and leaves the list', async () => {
    const id = await held(7450);
    const { page } = await dashboard.open('payments?review=yes');
    await page.getByRole('link', { name: '€74.50' }).click();
    await page.getByText('Held for review. €74.50 is authorised').waitFor();
    expect(await page.getByRole('button', { name: 'Void' }).count()).toBe(0);
    await press(page, 'Reject');
    await press(page, 'Decide later');
    await press(page, 'Reject');
    await press(page, 'Reject payment');
    await state(page).getByText('Voided').waitFor();
    await page.locator('.facts').getByText('Rejected', { exact: true }).waitFor();

    expect(await reviewed(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED', reviewOutcome: 'REJECTED' });
    await page.goto(`${dashboard.server.url}/dashboard/payments?review=yes`);
    await page.getByText('No payment matches').waitFor();
    await page.context().close();
  });

  it('shows the sentence of the API if another person was faster', async () => {
    const id = await held(990);
    const { page } = await dashboard.open(`payments/${id}`);
    await press(page, 'Accept');
    await dashboard.server.graphql(
      `mutation { resolveReview(id: "${id}", input: { decision: REJECT }) { userErrors { code } } }`,
    );
    await press(page, 'Accept payment');

    await dialog(page).getByText('Code OPERATION_NOT_ALLOWED').waitFor();
    expect(await reviewed(id)).toMatchObject({ reviewOutcome: 'REJECTED', capturedAmount: 0 });
    await page.context().close();
  });
});
