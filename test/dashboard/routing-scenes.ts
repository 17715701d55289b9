import { press } from './harness.ts';
import type { Ids, Scene } from './screenshots.ts';

const VERSION = ({ ruleSet, version }: Ids): string => `routing/${ruleSet}?version=${version}`;

/** The pages of routing rules. */
export const ROUTING: readonly Scene[] = [
  { name: 'routing', path: () => 'routing' },
  { name: 'routing-version', path: VERSION },
  {
    name: 'routing-draft',
    path: VERSION,
    act: async (page) => {
      await press(page, 'Draft a new version');
      await page.getByText('There is no difference.').or(page.getByText('Changed')).first().waitFor();
    },
  },
  {
    name: 'routing-rule',
    path: VERSION,
    act: async (page) => {
      await press(page, 'Draft a new version');
      await press(page, 'Edit At night');
    },
  },
  { name: 'routing-activate', path: VERSION, act: (page) => press(page, 'Activate') },
  {
    name: 'routing-simulation',
    path: VERSION,
    act: async (page) => {
      await press(page, 'Simulate');
      await page.getByLabel('Period').selectOption('The last 7 days');
      await page.getByRole('dialog').getByRole('button', { name: 'Simulate' }).click();
      await page.getByText('First service', { exact: true }).waitFor();
    },
  },
  {
    name: 'routing-value-set',
    path: () => 'routing',
    act: async (page) => {
      await press(page, 'Our issuers');
      await page.locator('.set-uses').waitFor();
    },
  },
  { name: 'payment-ruled', path: ({ ruled }) => `payments/${ruled}` },
];
