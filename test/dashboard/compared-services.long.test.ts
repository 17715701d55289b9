import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { faultsOf } from './faults.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createVersion, seedRoutingRules, type SeededRules } from './seed-rules.ts';

let dashboard: Dashboard;
let seeded: SeededRules;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  seeded = await seedRoutingRules(dashboard.server);
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');
const card = (page: Page, name: string) => page.locator('.routing-rule').filter({ hasText: name });

const compare = async (page: Page, action: string): Promise<void> => {
  await dialog(page).getByLabel('Then').selectOption(action);
  for (const name of ['South', 'North']) await dialog(page).getByLabel('Add a service').selectOption(name);
};

/** Reads the rules of the newest version of the rule set. */
async function newestRules(): Promise<unknown> {
  type Data = { readonly versions: { readonly nodes: readonly { readonly rules: unknown }[] } };
  const { body } = await dashboard.server.graphql<Data>(
    'query ($id: ID!) { versions: routingRuleSetVersions(ruleSetId: $id, first: 1) { nodes { rules } } }',
    { id: seeded.ruleSet },
  );
  return body.data?.versions.nodes[0]?.rules;
}

(browserRunsHere ? describe : describe.skip)('rules that compare services', () => {
  it('are drafted in a form, and shown in words', async () => {
    const [north, south] = seeded.services;
    const { page, complaints } = await dashboard.open(
      `routing/${seeded.ruleSet}?version=${seeded.versions[0]}`,
    );
    await press(page, 'Draft a new version');
    await press(page, 'Add rule');
    await dialog(page).getByLabel('Name').fill('Best');
    await compare(page, 'Ask first the service that authorises most');
    await dialog(page).getByLabel('Hours that count').fill('800');
    await press(page, 'Apply to the draft');
    await dialog(page).locator('.field .mistake', { hasText: 'Must be at most 720.' }).waitFor();
    await dialog(page).getByLabel('Hours that count').fill('24');
    await dialog(page).getByLabel('Cases that a service needs').fill('200');
    await dialog(page).getByLabel('Percentage that tries other services').fill('10');
    await press(page, 'Apply to the draft');
    await card(page, 'Best').getByText('Asks South and North, the one that authorises most first').waitFor();
    await card(page, 'Best').getByText('Counts the last 24 hours, from 200 cases on.').waitFor();
    await press(page, 'Add rule');
    await dialog(page).getByLabel('Name').fill('Cheap');
    await compare(page, 'Ask first the cheapest service');
    await dialog(page).getByLabel('Ask no other service').check();
    await press(page, 'Add a price without settlements');
    await dialog(page).getByLabel('Card scheme').selectOption('Visa');
    await dialog(page).getByLabel('Percent of the amount').fill('1,45');
    await dialog(page).getByLabel('Fixed part').fill('0.25');
    await dialog(page).getByLabel('Currency').selectOption('Euro');
    await press(page, 'Apply to the draft');
    await card(page, 'Cheap')
      .getByText('Without settlements, South costs 1.45% and €0.25 for Visa.')
      .waitFor();
    await press(page, 'Save version');
    await dialog(page).getByRole('button', { name: 'Save version' }).click();
    await dialog(page).waitFor({ state: 'detached' });

    const action = { paymentServiceIds: [south, north] };
    expect(((await newestRules()) as readonly unknown[]).slice(-2)).toMatchObject([
      {
        action: {
          bySuccess: { ...action, lastHours: 24, minimumCases: 200, keepShare: 10, onlyThese: false },
        },
      },
      {
        action: {
          byCost: {
            ...{ ...action, onlyThese: true },
            table: [
              {
                ...{ paymentServiceId: south, scheme: 'VISA', country: null, percentage: '1.45' },
                fixed: { amount: 25, currency: 'EUR' },
              },
            ],
          },
        },
      },
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('are edited without a change of their meaning', async () => {
    const [north, south] = seeded.services;
    const order = { paymentServiceIds: [north, south] };
    const table = [
      { paymentServiceId: south, country: 'DE', percentage: '0.9' },
      { paymentServiceId: north, percentage: '0', fixed: { amount: 0, currency: 'EUR' } },
    ];
    const version = await createVersion(dashboard.server, seeded.ruleSet, {
      rules: [
        {
          name: 'Best',
          conditions: [{ fact: { stores: true } }],
          action: { bySuccess: { ...order, keepShare: 0 } },
        },
        { name: 'Cheap', action: { byCost: { ...order, onlyThese: true, table } } },
      ],
    });
    const { page } = await dashboard.open(`routing/${seeded.ruleSet}?version=${version}`);
    await press(page, 'Draft a new version');
    for (const name of ['Best', 'Cheap']) {
      await press(page, `Edit ${name}`);
      await press(page, 'Apply to the draft');
      await dialog(page).waitFor({ state: 'detached' });
    }
    await press(page, 'Save version');
    await dialog(page).getByRole('button', { name: 'Save version' }).click();
    await dialog(page).waitFor({ state: 'detached' });

    expect(await newestRules()).toMatchObject([
      { action: { bySuccess: { ...order, keepShare: 0, lastHours: 72, minimumCases: 100 } } },
      { action: { byCost: { ...order, onlyThese: true, table } } },
    ]);
    await page.context().close();
  });

  it.each([
    ['Ask first the service that authorises most', 390],
    ['Ask first the service that authorises most', 1440],
    ['Ask first the cheapest service', 390],
    ['Ask first the cheapest service', 1440],
  ])('pass the audit of the form "%s" at a width of %i', async (action, width) => {
    const { page, complaints } = await dashboard.open(
      `routing/${seeded.ruleSet}?version=${seeded.versions[0]}`,
      {
        ...{ viewport: { width, height: 900 }, bypassCSP: true, reducedMotion: 'reduce' },
      },
    );
    await press(page, 'Draft a new version');
    await press(page, 'Add rule');
    await compare(page, action);
    if (action.includes('cheapest')) await press(page, 'Add a price without settlements');

    expect([await faultsOf(page), complaints]).toEqual([[], []]);
    await page.context().close();
  });
});
