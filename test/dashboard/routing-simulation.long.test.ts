import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { sumsOf } from '../../src/dashboard/pages/rules/simulation/sums.ts';
import { browserRunsHere } from '../support/browser.ts';
import { openIn, press, startDashboard, type Dashboard } from './harness.ts';
import { createPayment } from './seed.ts';
import { signInAsNew } from './seed-refunds.ts';
import { createVersion, seedRoutingRules, type SeededRules } from './seed-rules.ts';

let dashboard: Dashboard;
let seeded: SeededRules;
let payment: string;
let version: string;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  const { server } = dashboard;
  seeded = await seedRoutingRules(server);
  const [, south] = seeded.services;
  await createPayment(server, { amount: 5_000, paymentServiceId: south });
  payment = await createPayment(server, { amount: 5_000 });
  const rules = [
    { name: 'No large ones', conditions: [AT_LEAST_100], action: { refuse: { code: 'too_large' } } },
    { name: 'South first', action: { order: { paymentServiceIds: [south] } } },
  ];
  version = await createVersion(server, seeded.ruleSet, { rules });
  await createPayment(server, { amount: 12_900 });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const AT_LEAST_100 = { fact: { amount: { currency: 'EUR', min: 10_000 } } };
const dialog = (page: Page) => page.getByRole('dialog');
const card = (page: Page) => page.getByRole('region', { name: 'Simulation' });

it('sums the moves by service, the largest first', () => {
  const move = (from: string | null, to: string | null, payments: number) => ({
    ...{ fromPaymentServiceId: from, toPaymentServiceId: to, payments },
  });

  expect(sumsOf([move('a', 'b', 3), move('a', 'a', 2), move('b', null, 4)])).toEqual([
    { serviceId: 'a', then: 5, now: 2 },
    { serviceId: 'b', then: 4, now: 3 },
    { serviceId: null, then: 0, now: 4 },
  ]);
});

(browserRunsHere ? describe : describe.skip)('a simulation in the dashboard', () => {
  it('plays the payments of a period, and leads to those that differ', async () => {
    const { page, complaints } = await dashboard.open(`routing/${seeded.ruleSet}?version=${version}`);
    await press(page, 'Simulate');
    await dialog(page).getByLabel('Period').selectOption('The last 7 days');
    await dialog(page).getByRole('button', { name: 'Simulate' }).click();
    await page.waitForURL(/simulation=/);
    await card(page).getByText('Ended').waitFor();
    await card(page).getByText('Payments that differ most').waitFor();

    expect(await card(page).getByText('Refused with too_large').count()).toBe(1);
    const bars = card(page).locator('.simulated-bars').last().locator('li');
    expect(await bars.allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^No serviceThen0Simulated1$/)]),
    );
    const differing = card(page).locator('.simulated-payments li');
    expect(await differing.first().textContent()).toMatch(
      /^€129\.00South → No serviceWas authorised, and would be refused\.1\. No large ones$/,
    );
    await page.getByRole('link', { name: '€50.00' }).click();
    await page.waitForURL(new RegExp(`payments/${payment}$`));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is listed, stays after a reload, and names no payment without the scopes', async () => {
    const { page: ofOwner } = await dashboard.open(`routing/${seeded.ruleSet}?version=${version}`);
    await ofOwner.getByRole('heading', { name: 'Simulations' }).waitFor();
    const list = ofOwner.locator('.card').filter({ hasText: 'Simulations' });
    await list.getByRole('link', { name: 'Version 3' }).first().click();
    await card(ofOwner).getByText('Ended').waitFor();
    const path = new URL(ofOwner.url()).pathname.replace('/dashboard/', '') + new URL(ofOwner.url()).search;
    await ofOwner.context().close();
    const { cookie } = await signInAsNew(dashboard.server, 'sim@example.com', 'DEVELOPER');
    const [name = '', value = ''] = cookie.split('=');
    const context = await dashboard.browser.newContext({ locale: 'en-GB' });
    await context.addCookies([{ name, value, url: dashboard.server.url }]);
    const { page, complaints } = await openIn(dashboard.server, await context.newPage(), path);
    await card(page).getByText('Ended').waitFor();

    expect(complaints).toEqual([]);
    await context.close();
  });
});
