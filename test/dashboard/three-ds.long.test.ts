import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createRule } from './seed-services.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const lines = (page: Page) => page.locator('.rule');

type Rule = { readonly conditions: Readonly<Record<string, unknown>>; readonly outcome: unknown };

/** Lists the rules as the API has them. */
async function stored(): Promise<readonly Rule[]> {
  const { body } = await dashboard.server.graphql<{ threeDSScenarios: { nodes: readonly Rule[] } }>(
    `{ threeDSScenarios { nodes { conditions { emailAddress amount cardNumber { bin lastFour } }
      outcome { authentication challengeResult } } } }`,
  );
  return body.data?.threeDSScenarios.nodes ?? [];
}

(browserRunsHere ? describe : describe.skip)('the page of 3-D Secure rules', () => {
  it('leads on while there is no rule, and adds one', async () => {
    const { page, complaints } = await dashboard.open('three-ds');
    await page.locator('.empty').getByRole('button', { name: 'Add rule' }).click();
    const submit = page.getByRole('dialog').getByRole('button', { name: 'Add rule' });
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Card number').fill('4111 1111 1111 1111');
    await page.getByLabel('Answer').selectOption('The issuer wants a challenge (C)');
    await page.getByLabel('In the challenge').selectOption('The buyer fails');
    await page.getByRole('dialog').getByText('The payment is declined.').waitFor();
    await submit.click();
    await lines(page).getByText('411111…1111').waitFor();

    expect(await lines(page).locator('.pill').textContent()).toBe('Challenge failed');
    expect(await stored()).toEqual([
      {
        conditions: { emailAddress: null, amount: null, cardNumber: { bin: '411111', lastFour: '1111' } },
        outcome: { authentication: 'C', challengeResult: 'N' },
      },
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('changes the outcome of a rule, and keeps a card number that nobody can read', async () => {
    const { page } = await dashboard.open('three-ds');
    await press(page, 'Edit rule 1');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByText('New conditions need the card number again.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('E-mail').fill('');
    await page.getByLabel('Answer').selectOption('Authenticated at once (Y)');
    await press(page, 'Save');
    await lines(page).getByText('Authenticated', { exact: true }).waitFor();

    expect((await stored())[0]).toMatchObject({
      conditions: { cardNumber: { lastFour: '1111' } },
      outcome: { authentication: 'Y', challengeResult: null },
    });
    await page.context().close();
  });

  it('says which rule decides, and why the rules before it do not fit', async () => {
    await createRule(dashboard.server, { amount: 5000 }, { authentication: 'R' });
    const { page } = await dashboard.open('three-ds');
    await press(page, 'Try a payment');
    await page.getByLabel('Amount').fill('5000');
    await press(page, 'Find the rule');
    await page.getByText('Rule 2 decides.').waitFor();
    await page.getByText('Rule 1 does not fit:').waitFor();
    await page.getByLabel('Amount').fill('1');
    await page.getByText('Rule 2 decides.').waitFor({ state: 'detached' });
    await press(page, 'Find the rule');

    await page.getByText('No rule fits, and the card is no test card.').waitFor();
    await page.context().close();
  });

  it('changes the order by the keyboard, and deletes a rule after a summary', async () => {
    const { page } = await dashboard.open('three-ds');
    await page.getByRole('button', { name: 'Move rule 2' }).press('ArrowUp');
    await press(page, 'Save order');
    await page.getByText('Payments follow the new order.').waitFor();
    expect((await stored()).map(({ conditions }) => conditions['amount'])).toEqual([5000, null]);
    await press(page, 'Delete rule 1');
    await press(page, 'Keep the rule');
    await press(page, 'Delete rule 1');
    await press(page, 'Delete rule');
    await page.getByText('The rule was deleted.').waitFor();

    expect((await stored()).map(({ conditions }) => conditions['amount'])).toEqual([null]);
    await page.context().close();
  });
});
