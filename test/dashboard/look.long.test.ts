import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { browserRunsHere } from '../support/browser.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { faintIn, faultsOf, tooWideIn } from './faults.ts';
import { press as pressIn, startDashboard, type Dashboard } from './harness.ts';
import { seedContradicted, seedOtherMoney } from './seed-differences.ts';
import { REFUND_LIMIT, seedRefundRequests } from './seed-refunds.ts';
import { createAntiFraud, seedRules, seedServices } from './seed-services.ts';
import {
  createBuyer,
  createEndpoint,
  createLink,
  createPayment,
  createService,
  refund,
  seedPayments,
} from './seed.ts';
import { createGiftCardService, openDispute, payWithGiftCard, settle, storeGiftCard } from './seed-money.ts';

let dashboard: Dashboard;
let captured: string;
let authorized: string;
let endpoint: string;
let link: string;
let buyer: string;
let dispute: string;
/** A difference whose report can be booked. */
let difference: string;
/** A payment with a difference. */
let differing: string;
let service: string;
let giftCard: string;
let antiFraud: string;
/** A payment that waits for a review. */
let held: string;
/** An entry that does not fit the books. */
let entry: string;
let acquirer: FakeProvider;
/** A provider that answers 500, so that the outcome of a payment is unknown. */
let bank: Receiver;
beforeAll(async () => {
  if (!browserRunsHere) return;
  dashboard = await startDashboard(REFUND_LIMIT);
  endpoint = await createEndpoint(dashboard.server, 'http://127.0.0.1:9/hooks');
  link = await createLink(dashboard.server, { amount: 4990, merchantMessage: 'Your vase is ready' });
  service = await seedServices(dashboard.server);
  await seedRules(dashboard.server);
  buyer = await createBuyer(dashboard.server, 'Mina Okafor', 'mina.okafor@example.org');
  await createPayment(dashboard.server, { amount: 7450, buyerId: buyer });
  await seedPayments(dashboard.server, 14);
  await createGiftCardService(dashboard.server);
  giftCard = await storeGiftCard(dashboard.server, '9000000000000041', '09000', buyer);
  await payWithGiftCard(dashboard.server, 1000, giftCard);
  await seedRefundRequests(dashboard.server);
  acquirer = await startFakeProvider();
  ({ entry } = await settle(dashboard.server, acquirer));
  bank = await startReceiver();
  bank.answer(500);
  const broken = { displayName: 'Broken bank', apiUrl: bank.url };
  const paymentServiceId = await createService(dashboard.server, broken);
  await createPayment(dashboard.server, { amount: 7450, paymentServiceId });
  // The sums of the home page follow within two seconds.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  captured = await createPayment(dashboard.server, { amount: 5480, email: 'ada@example.com' });
  await refund(dashboard.server, captured, 1000);
  dispute = await openDispute(dashboard.server, await createPayment(dashboard.server, { amount: 4210 }));
  ({ difference } = await seedContradicted(dashboard.server));
  ({ payment: differing } = await seedOtherMoney(dashboard.server));
  authorized = await createPayment(dashboard.server, { amount: 5480, authorizeOnly: true });
  antiFraud = await createAntiFraud(dashboard.server);
  held = await createPayment(dashboard.server, { amount: 5480, email: 'review@example.com' });
}, 120_000);
afterAll(async () => {
  if (browserRunsHere) await Promise.all([dashboard.stop(), bank.close(), acquirer.close()]);
});

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
};

const press = (name: string) => (page: Page) => pressIn(page, name);

type Scene = { readonly path: () => string; readonly act?: (page: Page) => Promise<void> };

const SCENES: Readonly<Record<string, Scene>> = {
  home: { path: () => '' },
  'the time zones': {
    path: () => '?zone=Europe/Berlin',
    act: async (page) => {
      await press('Time zone: Europe/Berlin')(page);
      await page.getByRole('option', { name: 'Asia/Kolkata' }).waitFor();
    },
  },
  payments: { path: () => 'payments' },
  'payments without a match': { path: () => 'payments?q=nobody' },
  'a filter': { path: () => 'payments', act: press('Status') },
  'the columns': { path: () => 'payments', act: press('Choose the columns') },
  'the views': { path: () => 'payments', act: press('View: All payments') },
  'an export': { path: () => 'payments', act: press('Export') },
  'a captured payment': { path: () => `payments/${captured}` },
  'an authorised payment': { path: () => `payments/${authorized}` },
  'a missing payment': { path: () => 'payments/none' },
  'a refund': { path: () => `payments/${captured}`, act: press('Refund') },
  'a capture': { path: () => `payments/${authorized}`, act: press('Capture') },
  buyers: { path: () => 'buyers' },
  'a buyer': { path: () => `buyers/${buyer}` },
  'a removal': { path: () => `buyers/${buyer}`, act: press('Remove Visa 1111') },
  'the own account of a visitor': { path: () => 'account' },
  team: { path: () => 'team' },
  'an invitation': {
    path: () => 'team',
    act: (page) => page.getByRole('button', { name: 'Invite a person' }).first().click(),
  },
  'API keys': { path: () => 'keys' },
  'the audit log': { path: () => 'audit-log' },
  'an opened change': {
    path: () => 'audit-log',
    act: (page) => page.locator('.grid-opener').first().click(),
  },
  links: { path: () => 'links' },
  'a new link': {
    path: () => 'links',
    act: async (page) => {
      await press('Create link')(page);
      await page.getByText('Name, colour and return address').click();
    },
  },
  'a link': { path: () => `links/${link}` },
  disputes: { path: () => 'disputes' },
  'a dispute': { path: () => `disputes/${dispute}` },
  'evidence of a dispute': { path: () => `disputes/${dispute}`, act: press('Send evidence') },
  'a dispute given up': { path: () => `disputes/${dispute}`, act: press('Give up') },
  differences: { path: () => 'differences' },
  'no differences': { path: () => 'differences?show=resolved' },
  'a difference': { path: () => `differences/${difference}` },
  'an adoption': { path: () => `differences/${difference}`, act: press('Adopt') },
  'a dismissal': { path: () => `differences/${difference}`, act: press('Dismiss') },
  'a payment with a difference': { path: () => `payments/${differing}` },
  settlements: { path: () => 'settlements' },
  'differences of settlements': { path: () => 'settlements?show=differences' },
  payouts: { path: () => 'settlements?show=payouts' },
  'an entry': { path: () => `settlements/${entry}` },
  'an explanation': { path: () => `settlements/${entry}`, act: press('Explain') },
  'gift cards': { path: () => 'gift-cards' },
  'a new gift card': { path: () => 'gift-cards', act: press('Store gift card') },
  'a gift card': { path: () => `gift-cards/${giftCard}` },
  webhooks: { path: () => 'webhooks' },
  'a new endpoint': { path: () => 'webhooks', act: press('Add endpoint') },
  'an endpoint': {
    path: () => `webhooks/${endpoint}`,
    act: async (page) => {
      await page.locator('.lines button').first().click();
      await page.locator('.delivery').waitFor();
    },
  },
  'a replay': { path: () => `webhooks/${endpoint}`, act: press('Replay events') },
  events: {
    path: () => 'events',
    act: async (page) => {
      await page.locator('.lines button').first().click();
      await page.getByRole('region', { name: 'Payload' }).waitFor();
    },
  },
  unresolved: { path: () => 'unresolved' },
  'an outcome': {
    path: () => 'unresolved',
    act: (page) => page.getByRole('button', { name: 'Record outcome' }).first().click(),
  },
  'refund requests': { path: () => 'refund-requests' },
  'decided refund requests': { path: () => 'refund-requests?show=all' },
  'an approval': {
    path: () => 'refund-requests',
    act: (page) => page.getByRole('button', { name: 'Approve' }).first().click(),
  },
  'a rejection': {
    path: () => 'refund-requests',
    act: (page) => page.getByRole('button', { name: 'Reject' }).first().click(),
  },
  services: {
    path: () => 'services',
    act: (page) => page.getByRole('button', { name: 'Move Northwind acquiring' }).press('ArrowUp'),
  },
  'a route': {
    path: () => 'services',
    act: async (page) => {
      await press('Explain routing')(page);
      await press('Find the route')(page);
      await page.locator('.route').waitFor();
    },
  },
  'a new service': { path: () => 'services', act: press('Add service') },
  'a service': { path: () => `services/${service}` },
  'a test payment': { path: () => `services/${service}`, act: press('Test payment') },
  'the anti-fraud services': { path: () => 'anti-fraud' },
  'a new anti-fraud service': { path: () => 'anti-fraud', act: press('Add service') },
  'an anti-fraud service': { path: () => `anti-fraud/${antiFraud}` },
  'a change of an anti-fraud service': { path: () => `anti-fraud/${antiFraud}`, act: press('Edit') },
  'a held payment': { path: () => `payments/${held}` },
  'an accepted review': { path: () => `payments/${held}`, act: press('Accept') },
  'a rejected review': { path: () => `payments/${held}`, act: press('Reject') },
  'held payments': { path: () => 'payments?review=yes' },
  'a filter by review': { path: () => 'payments', act: press('Review') },
  'the rules': { path: () => 'three-ds' },
  'a new rule': { path: () => 'three-ds', act: press('Add rule') },
  'a payment to try': {
    path: () => 'three-ds',
    act: async (page) => {
      await press('Try a payment')(page);
      await press('Find the rule')(page);
      await page.locator('.explained').waitFor();
    },
  },
  'a change of a service': {
    path: () => `services/${service}`,
    act: async (page) => {
      await press('Edit')(page);
      await press('Add a scheme')(page);
    },
  },
  'the account': { path: () => 'payments', act: press('sandbox Owner') },
};

/** Collects each animation and each transition that lasts longer than a blink. */
const WATCH_MOTION = `globalThis.moved = [];
  for (const name of ['animationstart', 'transitionrun'])
    addEventListener(name, () => {
      for (const each of document.getAnimations()) {
        const { activeDuration } = each.effect.getComputedTiming();
        if (activeDuration > 1) globalThis.moved.push(each.constructor.name + ' of ' + each.effect.target.className);
      }
    }, true);`;

/** Acts that open something, by the path of their page. */
const MOVING: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  '': async (page) => {
    await press('Time zone: UTC')(page);
    await page.getByRole('option', { name: 'Asia/Kolkata' }).waitFor();
  },
  payments: async (page) => {
    await press('Status')(page);
    await page.getByRole('dialog').waitFor();
  },
  one: async (page) => {
    await press('Refund')(page);
    await page.getByRole('dialog').waitFor();
  },
  'audit-log': async (page) => {
    await page.locator('.grid-opener').first().click();
    await page.locator('.change-detail').waitFor();
  },
};

/** Dialogs look alike at all widths, so a phone shows the pages alone. */
const CASES = Object.entries(SCENES).flatMap(([scene, { act }]) =>
  Object.keys(LOOKS)
    .filter((look) => look !== 'phone' || !act)
    .map((look) => [scene, look] as const),
);

(browserRunsHere ? describe : describe.skip)('the dashboard', () => {
  it.each(CASES)('passes the audit of %s, %s', async (scene, look) => {
    const { path, act } = SCENES[scene] ?? { path: () => '' };
    const { page } = await dashboard.open(path(), {
      ...LOOKS[look],
      bypassCSP: true,
      reducedMotion: 'reduce',
    });
    await page.locator('.bone').first().waitFor({ state: 'detached' });
    await act?.(page);

    expect(await (look === 'dark' ? faintIn : faultsOf)(page)).toEqual([]);
    await page.context().close();
  });

  it.each(['', 'payments', 'one', 'differences', 'a difference'])(
    'fits a width of 320 pixels: %s',
    async (name) => {
      const path = SCENES[name]?.path() ?? `payments/${captured}`;
      const { page } = await dashboard.open(path, { viewport: { width: 320, height: 640 } });
      await page.locator('.bone').first().waitFor({ state: 'detached' });

      expect(await tooWideIn(page)).toEqual([]);
      await page.context().close();
    },
  );

  it.each([
    ['no-preference', true],
    ['reduce', false],
  ] as const)('moves by the wish of the person: %s', async (reducedMotion, moves) => {
    const { page } = await dashboard.open('', { reducedMotion, timezoneId: 'UTC' });
    await page.addInitScript(WATCH_MOTION);
    const seen: string[] = [];
    for (const [path, act] of Object.entries(MOVING)) {
      await page.goto(`${dashboard.server.url}/dashboard/${path === 'one' ? `payments/${captured}` : path}`);
      await page.locator('.bone').first().waitFor({ state: 'detached' });
      await act(page);
      seen.push(...(await page.evaluate<readonly string[]>('globalThis.moved')));
    }

    if (moves) expect(seen).not.toEqual([]);
    else expect(seen).toEqual([]);
    await page.context().close();
  });

  it('leads to the content first', async () => {
    const { page } = await dashboard.open('payments');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.context().close();
  });

  it('keeps the look that a person chose', async () => {
    const { page } = await dashboard.open('payments', { colorScheme: 'light' });
    await press('sandbox Owner')(page);
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.reload();
    await page.locator('h1').waitFor();

    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(15, 18, 24)',
    );
    await page.context().close();
  });
});
