import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createPayment } from './seed.ts';
import { activate, createRuleSet, createVersion } from './seed-rules.ts';
import { connect } from './seed-services.ts';

let dashboard: Dashboard;
let ruleSet: string;
let version: string;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  const { server } = dashboard;
  const card = { definition: 'mock-acquirer' };
  const unreachable = await connect(server, {
    ...{ ...card, displayName: 'Unreachable' },
    // Nothing listens there, so that a request surely has no effect.
    fields: [
      { key: 'merchant_id', value: 'shop' },
      { key: 'api_url', value: 'http://127.0.0.1:9' },
    ],
  });
  await connect(server, { ...card, displayName: 'Backup' });
  const reserve = await connect(server, { ...card, displayName: 'Reserve' });
  const dollars = await connect(server, { ...card, displayName: 'Dollars', acceptedCurrencies: ['USD'] });
  const of = (currency: string) => ({ fact: { currency: [currency] } });
  const rules = [
    { name: 'No pounds', conditions: [of('GBP')], action: { refuse: { code: 'no_pounds' } } },
    {
      name: 'Dollars alone',
      conditions: [of('EUR'), { fact: { amount: { currency: 'EUR', min: 90_000 } } }],
      action: { order: { paymentServiceIds: [dollars], onlyThese: true } },
    },
    {
      name: 'After a failure',
      conditions: [
        { fact: { attempt: { min: 2, max: 3 } } },
        { fact: { formerOutcome: ['DECLINED', 'FAILED'] } },
        { fact: { formerErrorCode: ['issuer_decline', 'service_network_error'] } },
        { fact: { formerService: [unreachable] } },
      ],
      action: { order: { paymentServiceIds: [reserve] } },
    },
    { name: 'First', action: { order: { paymentServiceIds: [unreachable] } } },
  ];
  ruleSet = await createRuleSet(server, 'Cards');
  version = await createVersion(server, ruleSet, { rules });
  await activate(server, { versionId: version });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');
const route = (page: Page) => page.getByRole('region', { name: 'Routing' });

/** Explains the route of a card payment in an amount of a currency. */
async function explain(page: Page, amount: string, currency: string): Promise<void> {
  await dialog(page).getByLabel('Currency').fill(currency);
  await dialog(page).getByLabel('Amount').fill(amount);
  await press(page, 'Find the route');
}

(browserRunsHere ? describe : describe.skip)('the route of a payment with rules', () => {
  it('names the rule that refuses, and the one that leaves out each service', async () => {
    const { page, complaints } = await dashboard.open('services');
    await press(page, 'Explain routing');
    await explain(page, '10', 'GBP');
    await dialog(page).getByText('Rule 1, No pounds, refuses the payment with the code no_pounds.').waitFor();
    await dialog(page).getByRole('link', { name: 'rule 1, No pounds (Cards, version 1)' }).waitFor();
    await explain(page, '900', 'EUR');
    await dialog(page)
      .getByText('Rule 2, Dollars alone, leaves out each service that accepts the payment.')
      .waitFor();

    const passed = dialog(page).locator('.passed-over').getByRole('listitem');
    expect(await passed.filter({ hasText: 'Reserve' }).textContent()).toBe(
      'ReserveA rule of the merchant leaves the service out.',
    );
    expect(await passed.filter({ hasText: 'Dollars' }).textContent()).toBe(
      'DollarsThe service does not take the currency.',
    );
    await explain(page, '10', 'ISK');
    await dialog(page).getByText('No service accepts the payment.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('names the rule of each attempt, and leads to it', async () => {
    const id = await createPayment(dashboard.server, { amount: 5480 });
    const { page } = await dashboard.open(`payments/${id}`);
    await route(page).getByText('Attempt 2 decided by').waitFor();

    expect(await route(page).getByRole('link', { name: /^rule/ }).allTextContents()).toEqual([
      'rule 4, First (Cards, version 1)',
      'rule 3, After a failure (Cards, version 1)',
    ]);
    expect(await route(page).locator('.route-name').allTextContents()).toEqual([
      'Unreachable Failed',
      'Reserve Chosen',
    ]);
    await route(page).getByRole('link', { name: 'rule 3' }).click();
    await page.waitForURL(new RegExp(`version=${version}&rule=3$`));
    await page.context().close();
  });

  it('says the four facts of further attempts in words, and edits them without a change', async () => {
    const { page } = await dashboard.open(`routing/${ruleSet}?version=${version}`);
    const rule = page.locator('.routing-rule').filter({ hasText: 'After a failure' });
    await rule.waitFor();

    expect(await rule.locator('.conditions > span').allTextContents()).toEqual([
      'Attempt 2 to 3',
      'End of the attempt before declined or failed',
      'Reason of the attempt before The issuer declined and gave no further reason or The service was not reachable',
      'Service of the attempt before Unreachable',
    ]);
    await press(page, 'Draft a new version');
    await press(page, 'Edit After a failure');
    const facts = await dialog(page).getByLabel('Fact').all();
    expect(await Promise.all(facts.map((each) => each.inputValue()))).toEqual([
      ...['attempt', 'formerOutcome', 'formerErrorCode', 'formerService'],
    ]);
    expect(await dialog(page).getByLabel('The service was not reachable.').isChecked()).toBe(true);
    expect(await dialog(page).getByLabel('Unreachable', { exact: true }).isChecked()).toBe(true);
    await press(page, 'Apply to the draft');
    await page.getByText('There is no difference.').waitFor();
    await page.context().close();
  });
});
