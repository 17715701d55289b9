import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { openIn, press, startDashboard, type Dashboard } from './harness.ts';
import { createPayment, refund } from './seed.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const buyer = { name: 'Ada Novak', email: 'ada.novak@example.com' };
const created = (amount: number, authorizeOnly = false) =>
  createPayment(dashboard.server, { ...buyer, amount, authorizeOnly });
const state = (page: Page) => page.locator('h1 .pill');

/** Shows all pages of a list of the payment. The first page has `size` lines. Returns the names of all lines. */
async function walk(page: Page, title: string, size: number): Promise<readonly string[]> {
  const card = page.locator('.card', { has: page.getByRole('heading', { name: title }) });
  const lines = card.locator('.events > li');
  const more = card.getByRole('button', { name: 'Show more' });
  await more.waitFor();
  expect(await lines.count()).toBe(size);
  while (await more.isVisible()) {
    const before = await lines.count();
    await more.click();
    await lines.nth(before).waitFor();
  }
  return card.locator('.events > li code').allTextContents();
}

/** Reads the state of a payment, as the API has it. */
async function read(id: string) {
  type Data = {
    readonly transaction: {
      readonly status: string;
      readonly capturedAmount: number;
      readonly refunds: readonly {
        amount: number;
        reason: string | null;
        actor: { kind: string; subject: string };
      }[];
    };
  };
  const { body } = await dashboard.server.graphql<Data>(
    '{ transaction(id: "' +
      id +
      '") { status capturedAmount refunds { amount reason actor { kind subject } } } }',
  );
  return body.data?.transaction;
}

(browserRunsHere ? describe : describe.skip)('the page of a payment', () => {
  it('names the network that the buyer of a co-badged card chose', async () => {
    const number = '4000002500001001';
    const id = await createPayment(dashboard.server, { amount: 2480, number, network: 'CARTE_BANCAIRE' });
    const { page } = await dashboard.open(`payments/${id}`);
    const fact = page.locator('.facts div').filter({ hasText: 'Network chosen by the buyer' });

    expect(await fact.locator('dd').textContent()).toBe('Cartes Bancaires');
    await page.goto(`${dashboard.server.url}/dashboard/payments/${await created(1999)}`);
    await page.getByText('Expires').waitFor();
    expect(await fact.count()).toBe(0);
    await page.context().close();
  });

  it('shows the lines, the totals and the numbers of the order', async () => {
    const cartItems = [
      { name: 'Grinder', quantity: 2, unitAmount: 1000, discountAmount: 100, sku: 'G-1' },
      { name: 'Voucher', quantity: 1, unitAmount: 200, productType: 'DISCOUNT' },
    ];
    const more = { cartItems, taxAmount: 380, shippingAmount: 450, purchaseOrderNumber: 'PO 7' };
    const id = await createPayment(dashboard.server, { amount: 2530, more });
    const { page, complaints } = await dashboard.open(`payments/${id}`);
    const card = (title: string) =>
      page.locator('.card', { has: page.getByRole('heading', { name: title, exact: true }) });

    expect(await card('Cart').locator('li').allTextContents()).toEqual([
      ...['GrinderG-12 × €10.00€19.00EUR', 'Voucher-€2.00EUR'],
    ]);
    expect(await card('Order').locator('dl > div').allTextContents()).toEqual([
      ...['Items€20.00EUR', 'Discounts€3.00EUR', 'Shipping€4.50EUR', 'Taxes€3.80EUR'],
      "Buyer's order numberPO 7",
    ]);
    const other = await createPayment(dashboard.server, { amount: 1, more: { cartItems } });
    await page.goto(`${dashboard.server.url}/dashboard/payments/${other}`);
    await card('Cart').getByText('The provider got no lines.').waitFor();
    expect(await card('Order').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("shows a provider's answer with its details", async () => {
    const id = await created(2480);
    const { page, complaints } = await dashboard.open(`payments/${id}`);
    const history = page.locator('.card', { hasText: 'Provider calls and changes' });
    const answer = history.getByRole('button', { name: 'payment-connector-response-transaction-' });
    await answer.first().click();

    const details = history.getByRole('region', { name: 'Details' });
    expect(await details.textContent()).toContain('"payment_service_id"');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('leads from the newest to the oldest event and provider call', async () => {
    const id = await created(5480);
    for (let made = 0; made < 26; made += 1) await refund(dashboard.server, id, 100);
    const { page, complaints } = await dashboard.open(`payments/${id}`);

    const events = await walk(page, 'Events and webhooks', 25);
    expect([events.at(0), events.at(-1)]).toEqual(['refund.succeeded', 'transaction.captured']);
    expect(events.filter((name) => name === 'refund.succeeded')).toHaveLength(26);
    const calls = await walk(page, 'Provider calls and changes', 25);
    expect(calls.at(0)).toContain('refund');
    expect(calls.at(-1)).not.toContain('refund');
    expect(complaints).toEqual([]);
    await page.context().close();
  }, 60_000);

  it('adds a page that a person asked for while the list is read again', async () => {
    const id = await created(5480);
    for (let made = 0; made < 26; made += 1) await refund(dashboard.server, id, 100);
    const { page } = await dashboard.open(`payments/${id}`);
    const events = page.locator('.card', { has: page.getByRole('heading', { name: 'Events and webhooks' }) });
    await events.getByRole('button', { name: 'Show more' }).waitFor();
    await page.locator('.live[data-state=connected]').waitFor();
    const [read, pressed] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('feedEvents')) {
        read.resolve(null);
        await pressed.promise;
      }
      return route.continue();
    });
    await refund(dashboard.server, id, 100);
    await read.promise;
    await events.getByRole('button', { name: 'Show more' }).click();
    pressed.resolve(null);

    await events
      .getByText('transaction.authorized')
      .or(events.getByText('transaction.captured'))
      .first()
      .waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  }, 60_000);

  it('refunds a part, and another tab shows it at once', async () => {
    const id = await created(5480);
    const { page, complaints } = await dashboard.open(`payments/${id}`);
    const other = await page.context().newPage();
    await openIn(dashboard.server, other, `payments/${id}`);
    await other.locator('.live[data-state=connected]').waitFor();
    await press(page, 'Refund');
    await page.getByLabel('Amount').fill('12.90');
    await page.getByLabel('Reason').fill('One item came back');
    expect(await page.locator('.summary dd').allTextContents()).toEqual(['€12.90EUR', '€41.90EUR']);
    await press(page, 'Refund €12.90');

    for (const tab of [page, other]) {
      await state(tab).getByText('Partly refunded').waitFor();
      await tab.getByText('Refund of €12.90 succeeded').waitFor();
      await tab.getByText('refund.succeeded').waitFor();
    }
    expect((await read(id))?.refunds).toEqual([
      { amount: 1290, reason: 'One item came back', actor: { kind: 'PERSON', subject: 'sandbox' } },
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('refunds once, although the first answer is lost', async () => {
    const id = await created(5480);
    const { page } = await dashboard.open(`payments/${id}`);
    let lost = 0;
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('refundTransaction') || lost > 2) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await press(page, 'Refund');
    await page.getByLabel('Amount').fill('10');
    await press(page, 'Refund €10.00');
    await page.getByRole('dialog').getByRole('alert').last().getByText('does not answer').waitFor();
    await press(page, 'Refund €10.00');
    await state(page).getByText('Partly refunded').waitFor();

    expect(lost).toBe(3);
    expect((await read(id))?.refunds.map(({ amount }) => amount)).toEqual([1000]);
    await page.context().close();
  }, 60_000);

  it('refuses an amount that is too large before it asks', async () => {
    const { page } = await dashboard.open(`payments/${await created(5480)}`);
    await press(page, 'Refund');
    for (const wrong of ['54.81', '0', '1.234', 'ten', '']) {
      await page.getByLabel('Amount').fill(wrong);
      expect(await page.locator('.mistake').first().textContent()).toBe('Enter an amount of at most €54.80.');
      expect(await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).isDisabled()).toBe(true);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('shows the sentence and the code of a refusal', async () => {
    const id = await created(5480);
    const { page } = await dashboard.open(`payments/${id}`);
    await press(page, 'Refund');
    await page.route('**/graphql', async (route) => {
      const body = route.request().postData();
      return route.continue(body ? { postData: body.replace('"amount":5480', '"amount":5481') } : {});
    });
    await press(page, 'Refund €54.80');

    await page.getByText('Code REFUND_TOO_LARGE').waitFor();
    expect((await read(id))?.refunds).toEqual([]);
    await page.context().close();
  });

  it('captures by keyboard alone', async () => {
    const id = await created(8900, true);
    const { page } = await dashboard.open(`payments/${id}`);
    await page.getByRole('button', { name: 'Capture' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Amount').waitFor();
    await page.keyboard.type('50');
    await page.keyboard.press('Enter');
    await state(page).getByText('Captured').waitFor();

    expect((await read(id))?.capturedAmount).toBe(5000);
    await page.context().close();
  });

  it('voids after a summary', async () => {
    const id = await created(8900, true);
    const { page } = await dashboard.open(`payments/${id}`);
    await press(page, 'Void');
    await press(page, 'Keep the payment');
    expect((await read(id))?.status).toBe('AUTHORIZATION_SUCCEEDED');
    await press(page, 'Void');
    await press(page, 'Release €89.00');
    await state(page).getByText('Voided').waitFor();

    expect((await read(id))?.status).toBe('AUTHORIZATION_VOIDED');
    await page.context().close();
  });

  it('says why a payment was declined, and offers nothing to do', async () => {
    const { page } = await dashboard.open(`payments/${await created(200_011)}`);

    await page.getByText('Declined. The amount exceeds the available money.').waitFor();
    expect(await page.locator('.record-head .actions button').count()).toBe(0);
    await page.context().close();
  });

  it('has the sentence of the API for a reason that is newer than the dashboard', async () => {
    const { page } = await dashboard.open();
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('"insufficient_funds"', '"empty_purse"');
      return route.fulfill({ response, body });
    });
    await page.goto(`${dashboard.server.url}/dashboard/payments/${await created(200_011)}`);

    await page.getByText('Declined. The amount exceeds the available money.').waitFor();
    // Live reads may be under way.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  });

  it('ends with the session, and opens again', async () => {
    const { page } = await dashboard.open('payments');
    await press(page, 'sandbox Owner');
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await press(page, 'Sign in again');
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    await page.context().close();
  });
});
