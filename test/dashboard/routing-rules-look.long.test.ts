import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { faintIn, faultsOf } from './faults.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createPayment } from './seed.ts';
import { seedRoutingRules, type SeededRules } from './seed-rules.ts';

let dashboard: Dashboard;
let seeded: SeededRules;
let payment: string;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
  seeded = await seedRoutingRules(dashboard.server);
  payment = await createPayment(dashboard.server, { amount: 12_900 });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

type Scene = { readonly path: () => string; readonly act?: (page: Page) => Promise<void> };

const first = (): string => `routing/${seeded.ruleSet}?version=${seeded.versions[0]}`;
const second = (): string => `routing/${seeded.ruleSet}?version=${seeded.versions[1]}`;

const edit =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await press(page, 'Draft a new version');
    await press(page, `Edit ${name}`);
    await page.getByRole('dialog').waitFor();
  };

const SCENES: Readonly<Record<string, Scene>> = {
  'the list': { path: () => 'routing' },
  'a value set': {
    path: () => 'routing',
    act: async (page) => {
      await press(page, 'Our issuers');
      await page.locator('.set-uses').waitFor();
    },
  },
  'a new value set': { path: () => 'routing', act: (page) => press(page, 'Add value set') },
  'the start of a simulation': { path: second, act: (page) => press(page, 'Simulate') },
  'a simulation': {
    path: second,
    act: async (page) => {
      await press(page, 'Simulate');
      await page.getByRole('dialog').getByRole('button', { name: 'Simulate' }).click();
      await page.getByText('First service', { exact: true }).waitFor();
    },
  },
  'a version': { path: () => `${second()}&rule=2` },
  'a payment with a rule': { path: () => `payments/${payment}` },
  'an activation': { path: second, act: (page) => press(page, 'Activate') },
  'a draft with a warning': {
    path: first,
    act: async (page) => {
      await press(page, 'Draft a new version');
      await press(page, 'Add rule');
      await page.getByLabel('Name').fill('Shadow');
      await page.getByLabel('Add a service').selectOption('North');
      await press(page, 'Add condition');
      await page.getByLabel('Fact').selectOption('Amount');
      await page.getByLabel('Currency').selectOption('Euro');
      await page.getByLabel('From').fill('300');
      await press(page, 'Add condition');
      await page.getByLabel('Fact').nth(1).selectOption("Buyer's country");
      await page.getByLabel('Germany', { exact: true }).check();
      await press(page, 'Apply to the draft');
      await page.locator('.rule-findings').waitFor();
    },
  },
  'an amount, countries and an order': { path: first, act: edit('Large payments') },
  'a value set and hours': { path: first, act: edit('At night') },
  'alternatives and a split': { path: first, act: edit('Trial') },
};

/** The widths of each look. */
const WIDTHS = { light: [390, 768, 1024, 1440], dark: [390, 1440] } as const;

const LOOKS = (['light', 'dark'] as const).flatMap((look) =>
  WIDTHS[look].map((width) => [look, width] as const),
);

const CASES = Object.keys(SCENES).flatMap((scene) =>
  LOOKS.map(([look, width]) => [scene, look, width] as const),
);

(browserRunsHere ? describe : describe.skip)('the page of routing rules', () => {
  it.each(CASES)('passes the audit of %s, %s at a width of %i', async (scene, colorScheme, width) => {
    const { path, act } = SCENES[scene] ?? { path: () => '' };
    const { page, complaints } = await dashboard.open(path(), {
      ...{ viewport: { width, height: 900 }, colorScheme, bypassCSP: true, reducedMotion: 'reduce' },
    });
    await page.locator('.bone').first().waitFor({ state: 'detached' });
    await act?.(page);

    expect(await (colorScheme === 'dark' ? faintIn : faultsOf)(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each(['ar', 'de', 'es', 'fr', 'ja', 'pt'])('fits a phone in the language %s', async (locale) => {
    const { page } = await dashboard.open(second(), {
      ...{ viewport: { width: 390, height: 844 }, locale, bypassCSP: true, reducedMotion: 'reduce' },
    });
    await page.locator('.rule-differences').first().waitFor();

    expect(await faultsOf(page)).toEqual([]);
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    await page.context().close();
  });
});
