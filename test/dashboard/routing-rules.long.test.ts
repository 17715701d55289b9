import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { openIn, press, startDashboard, type Dashboard } from './harness.ts';
import { createPayment } from './seed.ts';
import { signInAsNew } from './seed-refunds.ts';
import { activate, createVersion, seedRoutingRules, type SeededRules } from './seed-rules.ts';
import { connect } from './seed-services.ts';

let dashboard: Dashboard;
let seeded: SeededRules;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

type Version = { readonly number: number; readonly note: string | null; readonly rules: unknown };
type Activation = {
  readonly note: string | null;
  readonly activeFrom: string;
  readonly version: Version | null;
};

const VERSION = '{ number note rules }';

/** Reads the activations as the API has them, newest first, and the active one. */
async function stored() {
  type Data = {
    readonly activeRouting: Activation | null;
    readonly routingActivations: { readonly nodes: readonly Activation[] };
  };
  const { body } = await dashboard.server.graphql<Data>(
    `{ activeRouting { note activeFrom version ${VERSION} }
      routingActivations { nodes { note activeFrom version ${VERSION} } } }`,
  );
  if (!body.data) throw new Error(JSON.stringify(body));
  return { active: body.data.activeRouting, activations: body.data.routingActivations.nodes };
}

const setPage = (version?: string): string =>
  version === undefined ? `routing/${seeded.ruleSet}` : `routing/${seeded.ruleSet}?version=${version}`;

const dialog = (page: Page) => page.getByRole('dialog');
const card = (page: Page, name: string) => page.locator('.routing-rule').filter({ hasText: name });

/** Reads the names of the rules from top to bottom. */
const order = (page: Page): Promise<readonly string[]> => page.locator('.routing-rule h3').allTextContents();

/** Adds a service to the order of an open dialog. */
const addService = (page: Page, name: string) =>
  dialog(page).getByLabel('Add a service').first().selectOption(name);

(browserRunsHere ? describe : describe.skip)('routing rules without any', () => {
  it('leads from nothing to an active version', async () => {
    const { page, complaints } = await dashboard.open('routing');
    await page.locator('.empty').getByRole('button', { name: 'Add rule set' }).click();
    await dialog(page).getByLabel('Name').fill('First');
    await dialog(page).getByRole('button', { name: 'Add rule set' }).click();
    await press(page, 'Draft the first version');
    await press(page, 'Add rule');
    await dialog(page).getByLabel('Name').fill('Germany');
    expect(await dialog(page).getByRole('button', { name: 'Apply to the draft' }).isDisabled()).toBe(true);
    await press(page, 'Add condition');
    await dialog(page).getByLabel('Fact').selectOption("Buyer's country");
    await dialog(page).getByLabel('Germany', { exact: true }).check();
    await dialog(page).getByLabel('Then').selectOption('Refuse the payment');
    await dialog(page).getByLabel('Code').fill('not_here');
    await press(page, 'Apply to the draft');
    await card(page, 'Germany').getByText('Refuses with the code not_here.').waitFor();
    await press(page, 'Save version');
    await dialog(page).getByLabel('Note').fill('A trial');
    await dialog(page).getByRole('button', { name: 'Save version' }).click();
    await press(page, 'Activate');
    await dialog(page).getByLabel('Note').fill('Seen by Kim');
    await dialog(page).getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The version decides now.').waitFor();

    expect((await stored()).active).toEqual({
      note: 'Seen by Kim',
      activeFrom: expect.any(String),
      version: {
        ...{ number: 1, note: 'A trial' },
        rules: [
          {
            name: 'Germany',
            conditions: [{ not: false, fact: { country: ['DE'] } }],
            action: { refuse: { code: 'not_here' } },
            threeDSecure: null,
          },
        ],
      },
    });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

(browserRunsHere ? describe : describe.skip)('the page of routing rules', () => {
  beforeAll(async () => {
    seeded = await seedRoutingRules(dashboard.server);
  }, 60_000);

  it('shows the rules of a version in words, and the difference to the active one', async () => {
    const { page } = await dashboard.open(`${setPage(seeded.versions[1])}&rule=2`);
    await page.getByText('Compared with Cards, version 1').waitFor();
    await page.getByText('Moved from 1 to 3').waitFor();

    expect(await card(page, 'At night').getAttribute('aria-current')).toBe('true');
    expect(await card(page, 'At night').locator('.rule-text').textContent()).toBe(
      'First digits of the card not the value set Our issuersHours of the week Fri and Sat 22:00–06:00 (Europe/Berlin)Refuses with the code not_at_night.',
    );
    const differences = page.locator('.rule-differences > li');
    expect(await differences.allTextContents()).toEqual([
      'Trial Gone, was rule 3',
      expect.stringMatching(/^Visa alone New, as rule 1Card scheme Visa5%: South, then the others/),
      'Large payments Moved from 1 to 3',
      'Large payments ChangedCondition gone: Amount in EUR: from €100.00New condition: Amount in EUR: from €250.00' +
        'Before: Asks South and North, then the others by position.Now: Asks the services by position.' +
        'Before: No wish for 3-D Secure.Now: Asks for 3-D Secure.',
    ]);
    await page.context().close();
  });

  it('changes the order of a draft by keyboard and by a drag, and says each place', async () => {
    const { page } = await dashboard.open(setPage(seeded.versions[0]));
    await press(page, 'Draft a new version');
    await page.getByText('There is no difference.').waitFor();
    const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
    await handle('Trial').press('ArrowUp');
    await page.getByText('Trial is number 2 of 3.').waitFor();
    expect(await order(page)).toEqual(['Large payments', 'Trial', 'At night']);
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move Trial');

    const from = (await handle('At night').boundingBox()) ?? { x: 0, y: 0 };
    const to = (await handle('Large payments').boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 8, to.y - 30, { steps: 4 });
    await page.mouse.up();
    await page.getByText('Moved from 1 to 2').waitFor();
    await page.reload();
    await page.getByText('Moved from 1 to 2').waitFor();

    expect(await order(page)).toEqual(['At night', 'Large payments', 'Trial']);
    await page.context().close();
  });

  it('shows a warning at its rule, and the refusal of the API at its field', async () => {
    const { page } = await dashboard.open(setPage(seeded.versions[0]));
    await press(page, 'Draft a new version');
    await press(page, 'Add rule');
    await dialog(page).getByLabel('Name').fill('Trial');
    await addService(page, 'North');
    await press(page, 'Add condition');
    await dialog(page).getByLabel('Fact').selectOption('Amount');
    await dialog(page).getByLabel('From').fill('300');
    await dialog(page).getByLabel('Currency').selectOption('Euro');
    await dialog(page).getByLabel('Up to').fill('200');
    await press(page, 'Apply to the draft');
    await dialog(page).getByText('Give min, max, or both, and min not above max.').first().waitFor();
    await dialog(page).getByLabel('Up to').fill('400');
    await press(page, 'Apply to the draft');
    await dialog(page).locator('.field .mistake', { hasText: 'Must be unique in the version.' }).waitFor();
    await dialog(page).getByLabel('Name').fill('Shadow');
    await press(page, 'Add condition');
    await dialog(page).getByLabel('Fact').nth(1).selectOption("Buyer's country");
    await dialog(page).getByLabel('France', { exact: true }).check();
    await press(page, 'Apply to the draft');
    await card(page, 'Shadow').getByText('An earlier rule holds for every payment of this rule.').waitFor();

    expect(await page.locator('.rule-findings').count()).toBe(1);
    expect((await stored()).active?.version?.number).toBe(1);
    await page.context().close();
  });

  it('edits each rule without a change of its meaning', async () => {
    const { page } = await dashboard.open(setPage(seeded.versions[0]));
    await press(page, 'Draft a new version');
    for (const name of ['Large payments', 'At night', 'Trial']) {
      await press(page, `Edit ${name}`);
      await press(page, 'Apply to the draft');
      await dialog(page).waitFor({ state: 'detached' });
    }

    await page.getByText('There is no difference.').waitFor();
    await press(page, 'Remove At night');
    await page.getByText('Gone, was rule 2').waitFor();
    await press(page, 'Discard draft');
    await page.getByText('The draft is gone.').waitFor();
    await card(page, 'At night').waitFor();
    await page.context().close();
  });

  it('inverts the last alternative of those that must not hold', async () => {
    const { page } = await dashboard.open(setPage(seeded.versions[0]));
    await press(page, 'Draft a new version');
    await press(page, 'Edit Trial');
    await dialog(page).getByLabel('Alternatives').selectOption('None may hold');
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).nth(1).click();
    await press(page, 'Apply to the draft');

    await card(page, 'Trial').getByText('Card scheme not Visa').waitFor();
    await page.context().close();
  });

  it('mends one rule after the other if both name a deleted service', async () => {
    const id = await connect(dashboard.server, { displayName: 'Gone', definition: 'mock-acquirer' });
    const action = { order: { paymentServiceIds: [id] } };
    const rules = ['One', 'Two'].map((name) => ({ name, action }));
    const version = await createVersion(dashboard.server, seeded.ruleSet, { rules });
    await dashboard.server.graphql(
      `mutation ($id: ID!) { deletePaymentService(id: $id) { userErrors { message } } }`,
      { id },
    );
    const { page } = await dashboard.open(setPage(version));
    await press(page, 'Draft a new version');
    const refused = page.locator('.rule-findings li[data-tone=bad]');
    await refused.nth(1).waitFor();
    await card(page, 'Two').getByText('Asks Gone, then the others by position.').waitFor();
    await press(page, 'Edit One');
    await dialog(page).getByLabel('Then').selectOption('Ask the services by position');
    await press(page, 'Apply to the draft');
    await dialog(page).waitFor({ state: 'detached' });
    await card(page, 'Two').locator('li[data-tone=bad]').waitFor();

    expect(await refused.count()).toBe(1);
    await page.context().close();
  });

  it('plans an activation, and rolls back in one click', async () => {
    const { page } = await dashboard.open(setPage(seeded.versions[1]));
    await press(page, 'Activate');
    await dialog(page).getByText('At a moment').click();
    await dialog(page).getByLabel('Moment', { exact: true }).fill('2040-01-05T08:00');
    await dialog(page).getByRole('button', { name: 'Activate' }).click();
    await page.getByText('The activation is planned.').waitFor();
    await activate(dashboard.server, { versionId: seeded.versions[1] });
    await page.goto(`${dashboard.server.url}/dashboard/routing`);
    const now = page.getByRole('region', { name: 'Deciding now' });
    await now.getByRole('link', { name: 'Cards, version 2' }).waitFor();
    await press(page, 'Roll back to Cards, version 1');
    await page.getByText('The version before decides again.').waitFor();
    await press(page, 'Roll back to Cards, version 2');
    await page.getByRole('button', { name: 'Roll back to Cards, version 1' }).waitFor();

    const { active, activations } = await stored();
    expect(active?.version?.number).toBe(2);
    expect(activations.filter(({ activeFrom }) => activeFrom.startsWith('2040')).length).toBe(1);
    expect(await page.getByText('Planned').count()).toBe(1);
    const plan = now.locator('.planned');
    expect(await plan.textContent()).toMatch(
      /^Cards, version 2 decides from this moment on: 5 Jan 2040, 08:00/,
    );
    await page.goto(`${dashboard.server.url}/dashboard/${setPage(seeded.versions[0])}`);
    await press(page, 'Activate');
    await dialog(page).getByText('Cards, version 2 decides from this moment on: 5 Jan 2040, 08:00').waitFor();
    await press(page, 'Cancel');
    await page.goto(`${dashboard.server.url}/dashboard/routing`);
    await press(page, 'Cancel activation');
    await page.getByText('The activation is cancelled.').waitFor();
    await page.getByText('Cancelled', { exact: true }).waitFor();
    expect(await plan.count()).toBe(0);
    await activate(dashboard.server, { versionId: seeded.versions[0] });
    await page.context().close();
  });

  it('leads from a payment to the rule that decided', async () => {
    const id = await createPayment(dashboard.server, { amount: 12_900 });
    const { page } = await dashboard.open(`payments/${id}`);
    await page.getByRole('link', { name: 'rule 1, Large payments (Cards, version 1)' }).click();

    await page.waitForURL(new RegExp(`version=${seeded.versions[0]}&rule=1$`));
    expect(await card(page, 'Large payments').getAttribute('aria-current')).toBe('true');
    await page.context().close();
  });

  it('explains before a payment which rule decides', async () => {
    const { page } = await dashboard.open('services');
    await press(page, 'Explain routing');
    await dialog(page).getByLabel('Currency').fill('EUR');
    await dialog(page).getByLabel('Country').fill('FR');
    await dialog(page).getByLabel('Amount').fill('99.99');
    await press(page, 'Find the route');
    await dialog(page).locator('.route').waitFor();
    expect(await dialog(page).getByRole('link', { name: 'rule 1' }).count()).toBe(0);
    await dialog(page).getByLabel('Amount').fill('100');
    await press(page, 'Find the route');
    await dialog(page).getByRole('link', { name: 'rule 1, Large payments (Cards, version 1)' }).waitFor();

    expect(await dialog(page).locator('.route-name').first().textContent()).toBe('South Asked first');
    await page.context().close();
  });

  it('lets a developer draft, and an owner alone activate', async () => {
    const { cookie } = await signInAsNew(dashboard.server, 'dan@example.com', 'DEVELOPER');
    const [name = '', value = ''] = cookie.split('=');
    const { page: ofOwner } = await dashboard.open(setPage(seeded.versions[1]));
    await ofOwner.getByRole('button', { name: 'Activate', exact: true }).waitFor();
    const page = await ofOwner.context().newPage();
    await page.context().addCookies([{ name, value, url: dashboard.server.url }]);
    await openIn(dashboard.server, page, setPage(seeded.versions[1]));
    await page.getByRole('button', { name: 'Draft a new version' }).waitFor();

    expect(await page.getByRole('button', { name: 'Activate', exact: true }).count()).toBe(0);
    await page.goto(`${dashboard.server.url}/dashboard/routing`);
    await page.getByRole('region', { name: 'Deciding now' }).getByText('Cards, version 1').waitFor();
    expect(await page.getByRole('button', { name: /Roll back/ }).count()).toBe(0);
    await page.context().close();
  });
});
