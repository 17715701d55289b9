import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { openIn, press, startDashboard, type Dashboard } from './harness.ts';
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
const names = (page: Page): Promise<readonly string[]> => page.locator('.routing-rule h3').allTextContents();
const NEWER = 'Another tab has a newer draft with 2 rules.';

/** Begins a draft with the first version, and opens it in a second tab. */
async function twoTabs(): Promise<readonly [first: Page, second: Page]> {
  const path = `routing/${seeded.ruleSet}`;
  const { page } = await dashboard.open(`${path}?version=${seeded.versions[0]}`);
  await press(page, 'Draft a new version');
  await page.getByRole('button', { name: 'Remove Trial' }).waitFor();
  const { page: other } = await openIn(dashboard.server, await page.context().newPage(), path);
  await other.getByRole('button', { name: 'Remove Trial' }).waitFor();
  return [page, other];
}

(browserRunsHere ? describe : describe.skip)('a draft in two tabs', () => {
  it('is overwritten by none, and the later tab takes the newer one', async () => {
    const [first, second] = await twoTabs();
    await press(first, 'Remove Trial');
    await second.getByText(NEWER).waitFor();
    await press(second, 'Remove At night');
    expect(await names(second)).toEqual(['Large payments', 'Trial']);
    await first.reload();
    await first.getByRole('button', { name: 'Remove At night' }).waitFor();
    expect(await names(first)).toEqual(['Large payments', 'At night']);

    await press(second, 'Take the newer draft');
    await second.getByRole('button', { name: 'Remove At night' }).waitFor();
    expect(await names(second)).toEqual(['Large payments', 'At night']);
    expect(await second.getByText(NEWER).count()).toBe(0);
    await first.context().close();
  });

  it('is kept in place of the newer one on request, and the other tab is told', async () => {
    const [first, second] = await twoTabs();
    await press(first, 'Remove Trial');
    await press(second, 'Keep this draft');
    await first.getByText('Another tab has a newer draft with 3 rules.').waitFor();
    await press(second, 'Remove At night');
    await first.getByText(NEWER).waitFor();

    await first.reload();
    await first.getByRole('button', { name: 'Remove Trial' }).waitFor();
    expect(await names(first)).toEqual(['Large payments', 'Trial']);
    await first.context().close();
  });

  it('ends in both tabs, or goes on in one', async () => {
    const [first, second] = await twoTabs();
    await press(first, 'Discard draft');
    await second.getByText('Another tab saved or discarded the draft.').waitFor();
    await press(second, 'Keep this draft');
    await first.goto(`${dashboard.server.url}/dashboard/routing/${seeded.ruleSet}`);
    await first.getByRole('button', { name: 'Remove Trial' }).waitFor();
    await press(first, 'Discard draft');
    await press(second, 'End the draft here, too');

    await second.getByRole('button', { name: 'Draft a new version' }).waitFor();
    await first.context().close();
  });

  it('names the version with which it began once a later one is there', async () => {
    const [first] = await twoTabs();
    await first.getByText('The draft began with version 1. Version 2 is the latest.').waitFor();
    await createVersion(dashboard.server, seeded.ruleSet, {
      rules: [{ name: 'All', action: { positions: true } }],
    });
    await first.getByText('The draft began with version 1. Version 3 is the latest.').waitFor();
    await first.context().close();
  });
});

(browserRunsHere ? describe : describe.skip)('a drag in a dialog', () => {
  it('ends with Escape, and the dialog stays open', async () => {
    const { page } = await dashboard.open(`routing/${seeded.ruleSet}?version=${seeded.versions[0]}`);
    await press(page, 'Draft a new version');
    await press(page, 'Edit Large payments');
    const order = dialog(page).locator('.service-order li > span:not(.rank)');
    const handle = dialog(page).getByRole('button', { name: 'Move South', exact: true });
    await handle.hover();
    const { x, y } = (await handle.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.down();
    await page.mouse.move(x + 8, y + 90, { steps: 4 });
    expect(await order.allTextContents()).toEqual(['North', 'South']);
    await page.keyboard.press('Escape');
    await page.mouse.up();

    expect(await order.allTextContents()).toEqual(['South', 'North']);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.context().close();
  });
});
