import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { browserRunsHere } from '../support/browser.ts';
import { startDashboard, type Dashboard } from './harness.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

/** Runs a mutation, and returns its payload. */
async function run<Payload>(document: string, variables: object): Promise<Payload> {
  const { body } = await dashboard.server.graphql<{ payload: Payload }>(document, { ...variables });
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.payload;
}

/** Makes a payment that the issuer declines for lack of funds, with a plan. Returns its id. */
async function planned(): Promise<string> {
  const card = { number: '4111111111111111', expirationDate: '03/40' };
  const { paymentMethod } = await run<{ paymentMethod: { id: string } }>(
    `mutation ($input: StorePaymentMethodInput!) {
      payload: storePaymentMethod(input: $input) { paymentMethod { id } userErrors { message } } }`,
    { input: { instrument: { card } } },
  );
  const { transaction } = await run<{ transaction: { id: string; status: string } }>(
    `mutation ($input: CreateTransactionInput!) {
      payload: createTransaction(input: $input) { transaction { id status } userErrors { message path } } }`,
    {
      input: {
        ...{ amount: 200_011, currency: 'EUR', paymentMethod: { stored: { id: paymentMethod.id } } },
        ...{ paymentSource: 'RECURRING', merchantInitiated: true, isSubsequentPayment: true },
        retryPlan: { afterHours: [24] },
      },
    },
  );
  expect(transaction.status).toBe('AUTHORIZATION_DECLINED');
  return transaction.id;
}

(browserRunsHere ? describe : describe.skip)('the plan of a refused payment', () => {
  it('shows the next try, and stops with a button', async () => {
    const { page } = await dashboard.open(`payments/${await planned()}`);
    const card = page.locator('.case').filter({ hasText: 'Later tries' });
    await card.getByText('Next try on').waitFor();
    await card.getByText('Tries so far: 0').waitFor();

    await card.getByRole('button', { name: 'Stop the plan' }).click();

    await page.getByText('The plan was stopped.').waitFor();
    await card.getByText('Stopped').waitFor();
    expect(await card.getByRole('button').count()).toBe(0);
    expect(await card.getByText('Next try on').count()).toBe(0);
  });
});
