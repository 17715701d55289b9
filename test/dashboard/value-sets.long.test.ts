import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { seedRoutingRules } from './seed-rules.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  await seedRoutingRules(dashboard.server);
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');

/** Reads the value sets as the API has them, newest first. */
async function stored() {
  type Data = { readonly routingValueSets: { readonly nodes: readonly object[] } };
  const { body } = await dashboard.server.graphql<Data>(
    '{ routingValueSets { nodes { name kind values } } }',
  );
  return body.data?.routingValueSets.nodes;
}

(browserRunsHere ? describe : describe.skip)('the value sets', () => {
  it('show their values, and the rules of each version that use them', async () => {
    const { page, complaints } = await dashboard.open('routing');
    await press(page, 'Our issuers');
    await dialog(page).getByText('First digits of cards · 2 values').waitFor();

    expect(await dialog(page).locator('.set-values li').allTextContents()).toEqual([
      ...['41111100-41111199', '555555'],
    ]);
    await dialog(page).locator('.set-uses li').nth(1).waitFor();
    expect(await dialog(page).locator('.set-uses li').allTextContents()).toEqual([
      ...['Cards, version 1 At night', 'Cards, version 2 At night'],
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('are made and changed, and a wrong value stands at its field', async () => {
    const { page } = await dashboard.open('routing');
    await press(page, 'Add value set');
    await dialog(page).getByLabel('Name').fill('Nordics');
    await dialog(page).getByLabel('Values').fill('DK\nxx\n');
    await dialog(page).getByRole('button', { name: 'Add value set' }).click();
    await dialog(page).getByText('Must be an ISO 3166-1 code such as US.').first().waitFor();
    await dialog(page).getByLabel('Values').fill('DK\nSE\n\nSE');
    await dialog(page).getByRole('button', { name: 'Add value set' }).click();
    await page.getByText('The value set is there. Rules can use it.').waitFor();
    await press(page, 'Nordics');
    await dialog(page).getByText('Neither the active version nor a latest version uses the set.').waitFor();
    await dialog(page).getByRole('button', { name: 'Edit' }).click();
    expect(await dialog(page).getByLabel('Kind').count()).toBe(0);
    await dialog(page).getByLabel('Values').fill('DK\nFI\nSE');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Countries · 3 values').waitFor();

    expect((await stored())?.[0]).toEqual({ name: 'Nordics', kind: 'COUNTRY', values: ['DK', 'FI', 'SE'] });
    await page.context().close();
  });
});
