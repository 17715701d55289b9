import { press } from './harness.ts';
import type { Ids, Scene } from './screenshots.ts';

const SERVICE = ({ service }: Ids): string => `services/${service}`;

/** The rules of 3-D Secure. */
const RULES: readonly Scene[] = [
  { name: 'three-ds', path: () => 'three-ds' },
  { name: 'three-ds-add', path: () => 'three-ds', act: (page) => press(page, 'Add rule') },
  {
    name: 'three-ds-try',
    path: () => 'three-ds',
    act: async (page) => {
      await press(page, 'Try a payment');
      await page.getByLabel('E-mail').fill('other@example.com');
      await page.getByLabel('Amount').fill('5000');
      await press(page, 'Find the rule');
      await page.locator('.explained').waitFor();
    },
  },
];

const HELD = ({ held }: Ids): string => `payments/${held}`;
const ANTI_FRAUD = ({ antiFraud }: Ids): string => `anti-fraud/${antiFraud}`;

/** Anti-fraud services, and the payments that they hold. */
const REVIEWS: readonly Scene[] = [
  { name: 'anti-fraud', path: () => 'anti-fraud' },
  { name: 'anti-fraud-add', path: () => 'anti-fraud', act: (page) => press(page, 'Add service') },
  { name: 'anti-fraud-service', path: ANTI_FRAUD },
  {
    name: 'anti-fraud-off',
    path: ANTI_FRAUD,
    act: async (page) => {
      await press(page, 'More acts');
      await page.getByRole('menuitem', { name: 'Turn off' }).click();
    },
  },
  { name: 'held-payments', path: () => 'payments?review=yes' },
  { name: 'held-payment', path: HELD },
  { name: 'held-payment-accept', path: HELD, act: (page) => press(page, 'Accept') },
  { name: 'held-payment-reject', path: HELD, act: (page) => press(page, 'Reject') },
];

/** The pages of payment services, and of what the sandbox decides before them. */
export const SERVICES: readonly Scene[] = [
  ...RULES,
  ...REVIEWS,
  { name: 'services', path: () => 'services' },
  {
    name: 'services-order',
    path: () => 'services',
    act: async (page) => {
      await page.getByRole('button', { name: 'Move Northwind acquiring' }).focus();
      await page.keyboard.press('ArrowUp');
      await page.getByText('You changed the order.').waitFor();
    },
  },
  {
    name: 'services-add',
    path: () => 'services',
    act: async (page) => {
      await press(page, 'Add service');
      await page.getByLabel('Provider', { exact: true }).selectOption('mockds-card');
      await page.getByLabel('Merchant ID', { exact: true }).fill('shop-eu');
      await page.getByLabel('API key (optional)').fill('invalid');
      await press(page, 'Check credentials');
      await page.locator('.credential-check .problem').waitFor();
    },
  },
  {
    name: 'services-route',
    path: () => 'services',
    act: async (page) => {
      await press(page, 'Explain routing');
      await press(page, 'Find the route');
      await page.locator('.route').waitFor();
    },
  },
  { name: 'service', path: SERVICE },
  {
    name: 'service-test',
    path: SERVICE,
    act: (page) => press(page, 'Test payment'),
  },
  {
    name: 'service-test-outcome',
    path: SERVICE,
    act: async (page) => {
      await press(page, 'Test payment');
      await page.getByLabel('Outcome').selectOption('Declined: insufficient funds');
      await press(page, 'Pay');
      await page.locator('.test-outcome').waitFor();
    },
  },
  { name: 'service-edit', path: SERVICE, act: (page) => press(page, 'Edit') },
  {
    name: 'service-profile',
    path: SERVICE,
    act: async (page) => {
      await press(page, 'Edit');
      await press(page, 'Add a scheme');
    },
  },
  {
    name: 'service-off',
    path: SERVICE,
    act: async (page) => {
      await press(page, 'More acts');
      await page.getByRole('menuitem', { name: 'Turn off' }).click();
    },
  },
];
