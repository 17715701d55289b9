import type { Page } from 'playwright-core';
import type { Ids, Scene } from './screenshots.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const SERVICE = ({ service }: Ids): string => `services/${service}`;

/** The pages of payment services. */
export const SERVICES: readonly Scene[] = [
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
      await page.getByLabel('Merchant ID').fill('shop-eu');
      await page.getByLabel('API key (optional)').fill('invalid');
      await press(page, 'Check credentials');
      await page.locator('.credential-check .problem').waitFor();
    },
  },
  { name: 'service', path: SERVICE },
  { name: 'service-edit', path: SERVICE, act: (page) => press(page, 'Edit') },
  {
    name: 'service-off',
    path: SERVICE,
    act: async (page) => {
      await press(page, 'More acts');
      await page.getByRole('menuitem', { name: 'Turn off' }).click();
    },
  },
];
