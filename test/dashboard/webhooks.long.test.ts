import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { createEndpoint, createPayment } from './seed.ts';

let dashboard: Dashboard;
let receiver: Receiver;
beforeAll(async () => {
  if (browserRunsHere) [dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()]);
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await Promise.all([dashboard.stop(), receiver.close()]);
});

const choose = async (page: Page, name: string): Promise<void> => {
  await press(page, 'More acts');
  await page.getByRole('menuitem', { name }).click();
};
const lines = (page: Page) => page.locator('.lines > li');
const pay = () => createPayment(dashboard.server, { amount: 5480 });

/** Opens the page of a new endpoint. */
async function openEndpoint(path: string) {
  const id = await createEndpoint(dashboard.server, `${receiver.url}${path}`);
  return { id, ...(await dashboard.open(`webhooks/${id}`)) };
}

(browserRunsHere ? describe : describe.skip)('the pages of webhooks', () => {
  it('leads on while there is no endpoint, creates one, and shows its secret once', async () => {
    const { page, complaints } = await dashboard.open('webhooks');
    await page.getByText('No webhook endpoints yet').waitFor();
    await page.locator('.empty').getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('Address').fill(`${receiver.url}first`);
    await page.getByLabel('Chosen events').check();
    await page.getByLabel('refund.*').check();
    await page.getByLabel('transaction.captured').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    const secret = await page.locator('.secret').textContent();
    await press(page, 'I stored it');
    await page.getByRole('heading', { name: `${receiver.url}first` }).waitFor();

    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await page.locator('.facts').first().textContent()).toContain('refund.*, transaction.captured');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows the sentence of the API at the value that it refuses', async () => {
    const { page } = await dashboard.open('webhooks');
    await press(page, 'Add endpoint');
    await page.getByLabel('Address').fill('ftp://shop.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();

    await page.locator('.mistake').getByText(/http/).waitFor();
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });

  it('shows a delivery arrive, with its request and its answer, and sends it again', async () => {
    receiver.answer((response) => response.writeHead(202).end('thank you'));
    const { page } = await openEndpoint('arrive');
    await page.getByText('No deliveries').waitFor();
    await page.locator('.live[data-state=connected]').waitFor();
    await pay();
    await lines(page).filter({ hasText: 'transaction.captured' }).getByText('Delivered').waitFor();
    await lines(page).filter({ hasText: 'transaction.captured' }).getByRole('button').first().click();
    await page.getByRole('region', { name: 'Answer' }).getByText('thank you').waitFor();
    await page.getByRole('region', { name: 'Request' }).getByText('"transaction.captured"').waitFor();
    await press(page, 'Send again');
    await page.getByText('Attempt 2').waitFor();

    const sent = receiver.received.filter(
      ({ path, body }) => path === '/arrive' && body.includes('"transaction.captured"'),
    );
    expect(sent).toHaveLength(2);
    expect(sent[0]?.body).toBe(sent[1]?.body);
    await page.context().close();
  });

  it('resends from the page of the payment', async () => {
    receiver.answer(204);
    const endpoint = await openEndpoint('payment');
    await endpoint.page.context().close();
    const { page } = await dashboard.open(`payments/${await pay()}`);
    const line = page.locator('.deliveries li').filter({ hasText: '/payment' }).first();
    await line.getByText('Delivered').waitFor();
    await line.getByRole('button').first().click();
    await line.getByRole('button', { name: 'Send again' }).click();

    await line.getByText('Attempt 2').waitFor();
    await line.getByText('2 attempts').waitFor();
    await page.context().close();
  });

  it('posts a test event and says how the endpoint answered', async () => {
    receiver.answer((response) => response.writeHead(503).end('Closed for today'));
    const { page } = await openEndpoint('test');
    await press(page, 'Send test event');
    await page.getByText(/The endpoint refused with 503 after \d+ ms\./).waitFor();
    await page.getByText('Closed for today').waitFor();
    receiver.answer(204);
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();

    await page.getByText(/The endpoint answered 204 after \d+ ms\./).waitFor();
    await page.context().close();
  });

  it('rotates the secret', async () => {
    const { page } = await openEndpoint('rotate');
    await choose(page, 'Rotate secret');
    await page.getByLabel('The old secret stays live for').selectOption('1 hour');
    await press(page, 'Make a new secret');

    expect(await page.locator('.secret').textContent()).toMatch(/^whsec_/);
    await press(page, 'I stored it');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('stops an endpoint, starts it again, and deletes it after a summary', async () => {
    const { id, page } = await openEndpoint('delete');
    await choose(page, 'Disable');
    await page.locator('h1').getByText('Disabled').waitFor();
    await choose(page, 'Enable');
    await page.locator('h1').getByText('Active').waitFor();
    await choose(page, 'Delete');
    await press(page, 'Keep the endpoint');
    await choose(page, 'Delete');
    await press(page, 'Delete endpoint');
    await page.waitForURL(/\/webhooks$/);

    const { body } = await dashboard.server.graphql(`{ webhookEndpoint(id: "${id}") { id } }`);
    expect(body.data).toEqual({ webhookEndpoint: null });
    await page.context().close();
  });

  it('counts the events of a replay before it sends them', async () => {
    receiver.answer(204);
    await pay();
    const { page } = await openEndpoint('replay');
    await press(page, 'Replay events');
    await page.getByLabel('Events', { exact: true }).selectOption('MISSING');
    await press(page, 'Count events');
    const submit = page.getByRole('dialog').getByRole('button', { name: /^Send \d+ events$/ });
    const name = (await submit.textContent()) ?? '';
    const replayed = () => receiver.received.filter(({ path }) => path === '/replay');
    expect(replayed()).toEqual([]);
    await submit.click();
    await page.getByText(/queued, 100% of the span/).waitFor();
    await page.locator('.card').filter({ hasText: 'Replays' }).getByText('Done').waitFor();

    const count = Number(/\d+/.exec(name)?.[0]);
    // A replay is done when its deliveries are queued. They may not be sent yet, and the page may not show them yet.
    await until(() => replayed().length >= count);
    await lines(page).filter({ hasText: 'Waiting' }).first().waitFor({ state: 'detached' });
    expect(replayed()).toHaveLength(count);
    await page.context().close();
  });

  it('changes an endpoint without its secret values', async () => {
    const { page } = await openEndpoint('edit');
    await press(page, 'Edit');
    await page.getByLabel('Description').fill('Orders');
    await page.getByText('Authentication, headers and format').click();
    await press(page, 'Add header');
    await page.getByLabel('Name of header 1').fill('x-shop');
    await page.getByLabel('Value of header 1').fill('berlin');
    await press(page, 'Save');
    await page.locator('.facts').first().getByText('x-shop').waitFor();
    await press(page, 'Edit');
    await page.getByLabel('Description').fill('All orders');
    await press(page, 'Save');
    await page.getByText('All orders').waitFor();

    expect(await page.locator('.facts').first().textContent()).toContain('x-shop');
    await page.context().close();
  });
});
