import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { join } from '../people/people.ts';
import { browserRunsHere } from '../support/browser.ts';
import { createService } from '../transactions/harness.ts';
import { press } from './harness.ts';
import { startSignInScene, type SignInScene } from './people-server.ts';
import { createPayment } from './seed.ts';

let scene: SignInScene;
beforeAll(async () => {
  if (!browserRunsHere) return;
  scene = await startSignInScene({ settings: { PAYGRAPH_REFUND_APPROVAL: 'EUR:5000' } });
  await createService(scene.server, null, { currencies: ['EUR'] });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await scene.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');

/** Opens a page of the dashboard as a person of a role, who accepts an invitation first. */
async function openAs(email: string, role: string, path: string): Promise<Page> {
  const person = await join(scene.server, email, role);
  const [name = '', value = ''] = person.cookie.split('=');
  const page = await scene.open('ready');
  await page.context().addCookies([{ name, value, url: scene.url, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(`${scene.url}/dashboard/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Asks for a refund of an amount on the page of a payment. */
async function ask(page: Page, amount: string): Promise<void> {
  await press(page, 'Refund');
  await dialog(page).getByLabel('Amount').fill(amount);
  await dialog(page).getByLabel('Reason').fill('The order was cancelled');
  await dialog(page).getByText('A second person must approve this refund.').waitFor();
  await press(page, `Ask to refund €${amount}`);
  await page.getByText('The request is stored').waitFor();
}

const refundedOf = async (id: string): Promise<number | undefined> => {
  const { body } = await scene.server.graphql<{ transaction: { refundedAmount: number } }>(
    `{ transaction(id: "${id}") { refundedAmount } }`,
  );
  return body.data?.transaction.refundedAmount;
};

(browserRunsHere ? describe : describe.skip)('a refund above the limit', () => {
  it('is asked for by one person, and approved by another', async () => {
    const payment = await createPayment(scene.server, { amount: 20_000 });
    const kim = await openAs('kim@example.com', 'SUPPORT', `payments/${payment}`);
    await ask(kim, '120.00');

    const request = kim.locator('.case').filter({ hasText: 'Refund of €120.00' });
    await request.getByText('Another person must approve your request.').waitFor();
    expect(await request.getByRole('button').allTextContents()).toEqual(['Withdraw']);
    expect(await refundedOf(payment)).toBe(0);

    const robin = await openAs('robin@example.com', 'OWNER', 'refund-requests');
    const waiting = robin.locator('.case').filter({ hasText: 'Refund of €120.00' });
    await waiting.getByText('requested by kim@example.com').waitFor();
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await dialog(robin).getByText('Left to refund').waitFor();
    expect(await dialog(robin).locator('.summary dd').allTextContents()).toEqual([
      ...['€120.00EUR', '€80.00EUR', 'kim@example.com', 'The order was cancelled'],
    ]);
    await press(robin, 'Approve and refund €120.00');
    await robin.getByText('No refund waits for approval').waitFor();

    expect(await refundedOf(payment)).toBe(12_000);
    await kim.reload();
    await kim.getByText('Approved by robin@example.com.').waitFor();
    await Promise.all([kim.context().close(), robin.context().close()]);
  });

  it('is rejected with a reason, and withdrawn by its own person', async () => {
    const payment = await createPayment(scene.server, { amount: 20_000 });
    const lee = await openAs('lee@example.com', 'SUPPORT', `payments/${payment}`);
    await ask(lee, '60.00');
    const sam = await openAs('sam@example.com', 'SUPPORT', `payments/${payment}`);
    await press(sam, 'Reject');
    await dialog(sam).getByLabel('Reason').fill('The goods did not come back');
    await press(sam, 'Reject the request');
    await sam.getByText('Rejected by sam@example.com: The goods did not come back').waitFor();
    await ask(lee, '70.00');
    const second = lee.locator('.case').filter({ hasText: 'Refund of €70.00' });
    await second.getByRole('button', { name: 'Withdraw' }).click();
    await lee.getByText('Withdrawn by lee@example.com.').waitFor();

    expect(await refundedOf(payment)).toBe(0);
    await Promise.all([lee.context().close(), sam.context().close()]);
  });

  it('is made at once within the limit, without a word about another person', async () => {
    const payment = await createPayment(scene.server, { amount: 20_000 });
    const page = await openAs('mia@example.com', 'SUPPORT', `payments/${payment}`);
    await press(page, 'Refund');
    await dialog(page).getByLabel('Amount').fill('50.00');
    expect(await dialog(page).getByText('A second person').count()).toBe(0);
    await press(page, 'Refund €50.00');
    await page.getByText('€50.00 refunded.').waitFor();

    expect(await refundedOf(payment)).toBe(5_000);
    await page.context().close();
  });
});
