import { press } from './harness.ts';
import type { Ids, Scene } from './screenshots.ts';

const ENDPOINT = ({ endpoint }: Ids): string => `webhooks/${endpoint}`;

const WEBHOOKS: readonly Scene[] = [
  { name: 'webhooks', path: () => 'webhooks' },
  {
    name: 'webhooks-add',
    path: () => 'webhooks',
    act: async (page) => {
      await press(page, 'Add endpoint');
      await page.getByLabel('Address').fill('https://shop.example/hooks');
      await page.getByLabel('Chosen events').check();
      await page.getByLabel('capture.*').check();
    },
  },
  { name: 'webhook', path: ENDPOINT },
  {
    name: 'webhook-delivery',
    path: ENDPOINT,
    act: async (page) => {
      await page.locator('.lines button').first().click();
      await page.getByRole('region', { name: 'Request' }).waitFor();
    },
  },
  { name: 'webhook-test', path: ENDPOINT, act: (page) => press(page, 'Send test event') },
  { name: 'webhook-menu', path: ENDPOINT, act: (page) => press(page, 'More acts') },
  {
    name: 'webhook-secret',
    path: ENDPOINT,
    act: async (page) => {
      await press(page, 'More acts');
      await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
      await press(page, 'Make a new secret');
      await page.locator('.secret').waitFor();
    },
  },
  {
    name: 'webhook-replay',
    path: ENDPOINT,
    act: async (page) => {
      await press(page, 'Replay events');
      await page.getByLabel('Events', { exact: true }).selectOption('ALL');
      await press(page, 'Count events');
    },
  },
];

const EVENTS: readonly Scene[] = [
  { name: 'events', path: () => 'events' },
  { name: 'events-nothing', path: () => 'events?type=gift-card.*' },
  {
    name: 'events-open',
    path: () => 'events',
    act: async (page) => {
      await page.locator('.lines button').nth(1).click();
      await page.getByRole('region', { name: 'Payload' }).waitFor();
    },
  },
];

const UNRESOLVED: readonly Scene[] = [
  { name: 'unresolved', path: () => 'unresolved' },
  {
    name: 'unresolved-record',
    path: () => 'unresolved',
    act: async (page) => {
      await page.getByRole('button', { name: 'Record outcome' }).first().click();
      await page.getByLabel('Evidence').fill('Found in the report of the bank');
    },
  },
  {
    name: 'unresolved-answer',
    path: () => 'unresolved',
    act: async (page) => {
      await page.getByRole('button', { name: 'Ask provider' }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

/** The pages of webhooks, events and unresolved operations. */
export const DEVELOPERS: readonly Scene[] = [...WEBHOOKS, ...EVENTS, ...UNRESOLVED];
