import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newAppleMerchant } from '../support/apple-gateway.ts';
import { browserRunsHere } from '../support/browser.ts';
import { press, startDashboard, type Dashboard } from './harness.ts';
import { connect } from './seed-services.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (browserRunsHere) dashboard = await startDashboard();
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await dashboard.stop();
});

const dialog = (page: Page) => page.getByRole('dialog');
const choose = async (page: Page, name: string): Promise<void> => {
  await press(page, 'More acts');
  await page.getByRole('menuitem', { name }).click();
};
const withKey = (key: string) => [
  { key: 'merchant_id', value: 'shop' },
  { key: 'api_key', value: key },
];

/** Lists the services of cards as the page shows them. */
const shown = (page: Page) =>
  page.getByRole('region', { name: 'Cards' }).locator('.grid-link').allTextContents();

type Stored = { readonly displayName: string; readonly position: number };

/** Lists the services of cards as routing asks them. */
async function routed(): Promise<readonly string[]> {
  const { body } = await dashboard.server.graphql<{ paymentServices: { nodes: readonly Stored[] } }>(
    `{ paymentServices(first: 100, method: "card") { nodes { displayName position } } }`,
  );
  const nodes = body.data?.paymentServices.nodes ?? [];
  return nodes.toSorted((one, other) => one.position - other.position).map(({ displayName }) => displayName);
}

/** Reads the merchant profile of a service. */
async function profileOf(id: string): Promise<unknown> {
  const { body } = await dashboard.server.graphql<{ paymentService: { merchantProfile: unknown } }>(
    `query ($id: ID!) { paymentService(id: $id) { merchantProfile {
      scheme merchantName merchantUrl merchantAcquirerBin merchantAcquirerId merchantCountryCode
      merchantCategoryCode } } }`,
    { id },
  );
  return body.data?.paymentService.merchantProfile;
}

(browserRunsHere ? describe : describe.skip)('the pages of payment services', () => {
  it('connects a provider by the fields of its definition, after a check of the credentials', async () => {
    const { page, complaints } = await dashboard.open('services');
    await press(page, 'Add service');
    await page.getByLabel('Provider', { exact: true }).selectOption('mock-paypal');
    await page.getByLabel('Name').fill('PayPal of the shop');
    await page.getByLabel('Currencies').fill('eur, usd');
    await page.getByText('Euro and US Dollar').waitFor();
    await page.getByLabel('Merchant ID').fill('shop');
    await page.getByLabel('API key').fill('invalid-1');
    expect(await page.getByLabel('API key').getAttribute('type')).toBe('password');
    await press(page, 'Check credentials');
    await dialog(page).getByText('Code CREDENTIALS_REFUSED').waitFor();
    await page.getByLabel('API key').fill('right-1');
    await press(page, 'Check credentials');
    await dialog(page).getByText('The provider accepts them').waitFor();
    await dialog(page).getByRole('button', { name: 'Add service' }).click();
    await page.waitForURL(/services\/[\w-]{36}$/);

    await page.locator('h1').getByText('Active').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('right-1');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows the sentence of the API at the value that it refuses', async () => {
    const { page } = await dashboard.open('services');
    await press(page, 'Add service');
    await page.getByLabel('Provider', { exact: true }).selectOption('mock-bank');
    await page.getByLabel('Currencies').fill('EUR, JPY');
    await page.getByLabel('Merchant ID').fill('shop');
    await dialog(page).getByRole('button', { name: 'Add service' }).click();

    await page.getByText('JPY: The definition does not support this.').waitFor();
    expect(await page.getByLabel('Currencies').getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });

  it('changes the order by the keyboard, and saves it after a confirmation', async () => {
    await connect(dashboard.server, { displayName: 'Second', definition: 'mock-acquirer' });
    await connect(dashboard.server, { displayName: 'Third', definition: 'mock-acquirer' });
    const { page } = await dashboard.open('services');
    await page.getByRole('button', { name: 'Move Third' }).press('Home');
    await page.getByText('Third is number 1 of 3.').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move Third');
    await page.keyboard.press('ArrowDown');
    expect(await shown(page)).toEqual(['Sandbox card', 'Third', 'Second']);
    expect(await routed()).toEqual(['Sandbox card', 'Second', 'Third']);
    await press(page, 'Save order');
    await page.getByText('New payments follow the new order.').waitFor();

    expect(await routed()).toEqual(['Sandbox card', 'Third', 'Second']);
    await page.getByText('You changed the order.').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('changes the order by a drag, and gives the former order back', async () => {
    const { page } = await dashboard.open('services');
    const before = await routed();
    const handle = async (name: string) =>
      (await page.getByRole('button', { name: `Move ${name}` }).boundingBox()) ?? { x: 0, y: 0, height: 0 };
    const [last, first] = [await handle(before.at(-1) ?? ''), await handle(before[0] ?? '')];
    await page.mouse.move(last.x + 8, last.y + 8);
    await page.mouse.down();
    await page.mouse.move(first.x + 8, first.y - 8, { steps: 4 });
    await page.mouse.up();
    expect(await shown(page)).toEqual([before[2], before[0], before[1]]);
    await press(page, 'Discard');

    expect(await shown(page)).toEqual(before);
    expect(await routed()).toEqual(before);
    await page.context().close();
  });

  it('changes a service without its secrets, and replaces one', async () => {
    const id = await connect(dashboard.server, {
      ...{ displayName: 'To edit', definition: 'mock-wallet', fields: withKey('old-key') },
    });
    const { page } = await dashboard.open(`services/${id}`);
    await press(page, 'Edit');
    await page.getByLabel('Name').fill('Edited');
    await page.getByLabel('Merchant ID').fill('other-shop');
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'Edited' }).getByText('Active').waitFor();
    await page.locator('.facts').getByText('other-shop').waitFor();
    await press(page, 'Edit');
    await press(page, 'Replace API key');
    await page.getByLabel('API key').fill('invalid-2');
    await press(page, 'Save');

    await page.locator('h1').getByText('Credentials refused').waitFor();
    await page.getByText('Takes no payments, because the provider refused the credentials.').waitFor();
    await page.context().close();
  });

  it('keeps a merchant profile for a card scheme, and clears it', async () => {
    const id = await connect(dashboard.server, { displayName: 'Profiled', definition: 'mock-card' });
    const { page } = await dashboard.open(`services/${id}`);
    await press(page, 'Edit');
    await press(page, 'Add a scheme');
    await page.getByRole('combobox', { name: 'Card scheme' }).selectOption('Mastercard');
    await page.getByLabel('Name of the merchant').fill('Shop');
    await page.getByLabel('Website').fill('https://shop.example');
    await page.getByLabel('BIN of the acquirer').fill('411111');
    await page.getByLabel('Id at the acquirer').fill('shop-1');
    await page.getByLabel('Country', { exact: true }).fill('84');
    await page.getByLabel('Category').fill('5999');
    await press(page, 'Save');
    await page.locator('.mistake').getByText('an ISO 3166-1 numeric code').waitFor();
    expect(await page.getByLabel('Country', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Country', { exact: true }).fill('840');
    await press(page, 'Add a scheme');
    expect(await page.getByRole('combobox', { name: 'Card scheme' }).last().inputValue()).toBe('VISA');
    expect(await page.getByLabel('Name of the merchant').last().inputValue()).toBe('Shop');
    await press(page, 'Remove Visa');
    await press(page, 'Save');
    await page.locator('.facts').getByText('Mastercard').waitFor();

    expect(await profileOf(id)).toEqual([
      {
        ...{ scheme: 'MASTERCARD', merchantName: 'Shop', merchantUrl: 'https://shop.example' },
        ...{ merchantAcquirerBin: '411111', merchantAcquirerId: 'shop-1' },
        ...{ merchantCountryCode: '840', merchantCategoryCode: '5999' },
      },
    ]);
    await press(page, 'Edit');
    await press(page, 'Remove Mastercard');
    await press(page, 'Save');
    await page.locator('.facts').getByText('Mastercard').waitFor({ state: 'detached' });
    expect(await profileOf(id)).toBeNull();
    await page.context().close();
  });

  it('turns a service off and on, and deletes it, after a summary', async () => {
    const id = await connect(dashboard.server, { displayName: 'To delete', definition: 'mock-push' });
    const { page } = await dashboard.open(`services/${id}`);
    await choose(page, 'Turn off');
    await press(page, 'Keep it on');
    await choose(page, 'Turn off');
    await press(page, 'Turn off');
    await page.locator('h1').getByText('Off').waitFor();
    await choose(page, 'Turn on');
    await page.locator('h1').getByText('Not checked').waitFor();
    await choose(page, 'Delete');
    await press(page, 'Delete service');
    await page.waitForURL(/\/services$/);

    const { body } = await dashboard.server.graphql(`{ paymentService(id: "${id}") { isDeleted } }`);
    expect(body.data).toEqual({ paymentService: { isDeleted: true } });
    await page.context().close();
  });

  it('makes a test payment, shows its outcome, and leads to the payment', async () => {
    const id = await connect(dashboard.server, { displayName: 'To test', definition: 'mock-card' });
    const { page } = await dashboard.open(`services/${id}`);
    await press(page, 'Test payment');
    await page.getByLabel('Outcome').selectOption('Declined: insufficient funds');
    expect(await page.getByLabel('Amount').inputValue()).toBe('2000.11');
    await press(page, 'Pay');
    await dialog(page).getByText('Declined', { exact: true }).waitFor();
    await press(page, 'Another test');
    await page.getByLabel('Outcome').selectOption('Approved');
    await press(page, 'Pay');
    await dialog(page).getByText('Captured', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the payment' }).click();
    await page.waitForURL(/payments\/[\w-]{36}$/);
    await page.locator('.facts').getByRole('link', { name: 'To test' }).click();

    await page.locator('.event').getByText('€12.99').waitFor();
    await page.context().close();
  });

  it('follows a test payment until its buyer has approved it', async () => {
    const id = await connect(dashboard.server, { displayName: 'Wallet', definition: 'mock-paypal' });
    const { page } = await dashboard.open(`services/${id}`);
    await press(page, 'Test payment');
    await press(page, 'Pay');
    const [buyer] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Act as the buyer' }).click(),
    ]);
    await buyer.getByRole('button', { name: 'Approve' }).click();

    await dialog(page).getByText('Captured', { exact: true }).waitFor();
    await page.context().close();
  });

  it('opens a service by the keyboard', async () => {
    const { page } = await dashboard.open('services');
    await page.getByRole('region', { name: 'Cards' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Sandbox card' }).waitFor();
    await page.context().close();
  });

  it('takes the certificate of Apple Pay, tells a wrong key at its field, and never shows them again', async () => {
    const [merchant, stranger] = [newAppleMerchant(), newAppleMerchant()];
    const { page } = await dashboard.open('services');
    await press(page, 'Add service');
    await page.getByLabel('Provider', { exact: true }).selectOption('mock-card');
    await page.getByLabel('Merchant ID', { exact: true }).fill('shop');
    await page.getByLabel('Merchant ID at Apple Pay').fill(merchant.apple_pay_merchant_id);
    await page.getByLabel('Country of the merchant at Apple Pay').fill('DE');
    await page.getByLabel('Merchant identity certificate of Apple Pay').fill(merchant.apple_pay_certificate);
    const key = page.getByLabel('Private key of the certificate of Apple Pay');
    await key.fill(stranger.apple_pay_private_key);
    await dialog(page).getByRole('button', { name: 'Add service' }).click();
    await page.locator('.mistake').getByText('Must be the private key of the certificate').waitFor();
    await key.fill(merchant.apple_pay_private_key);
    await dialog(page).getByRole('button', { name: 'Add service' }).click();

    await page.getByText(merchant.apple_pay_merchant_id).waitFor();
    expect(await page.content()).not.toContain('-----BEGIN');
    await page.context().close();
  });
});
