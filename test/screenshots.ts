import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { LinksHouse } from './payment-links/house.ts';
import {
  fillCard,
  openPage,
  pressPay,
  richLink,
  startSellingHouse,
  startShop,
  type Shop,
} from './payment-links/shop.ts';
import { startBrowser } from './support/browser.ts';
import setUp from './support/global-setup.ts';
import tearDown from './support/global-teardown.ts';

// `npm run screenshots -- <folder>`: pictures of the payment page in its states, to be looked at.

type Scene = {
  readonly name: string;
  readonly input?: object;
  readonly settings?: BrowserContextOptions;
  /** What is done on the page before it is taken. */
  readonly act?: (page: Page, house: LinksHouse, id: string) => Promise<unknown>;
};

const PHONE = { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2 };
const NARROW = { viewport: { width: 320, height: 640 }, deviceScaleFactor: 2 };
const DARK = { colorScheme: 'dark' } as const;
const ARABIC = { locale: 'ar', currency: 'SAR', merchantName: 'مقهى الشمال', merchantMessage: null };

const pay = async (page: Page): Promise<void> => {
  await fillCard(page);
  await pressPay(page);
  await page.waitForLoadState();
};
const failed = (page: Page): Promise<void> => pressPay(page);
const plain = { cartItems: null, merchantBannerUrl: null, merchantMessage: null, merchantColor: null };

const SCENES: readonly Scene[] = [
  { name: 'form-wide' },
  { name: 'form-wide-dark', settings: DARK },
  { name: 'form-phone', settings: PHONE },
  { name: 'form-phone-dark', settings: { ...PHONE, ...DARK } },
  { name: 'form-narrow', settings: NARROW },
  { name: 'form-plain', input: { ...plain, merchantName: null, currency: 'USD', country: 'US' } },
  { name: 'form-arabic', input: ARABIC },
  { name: 'form-arabic-phone', input: ARABIC, settings: PHONE },
  { name: 'form-german-phone', input: { locale: 'de-DE', merchantColor: '#ffd400' }, settings: PHONE },
  { name: 'form-japanese', input: { locale: 'ja', currency: 'JPY', merchantColor: '#ffffff' } },
  { name: 'mistakes', act: failed },
  { name: 'mistakes-phone-dark', settings: { ...PHONE, ...DARK }, act: failed },
  { name: 'filled', act: (page) => fillCard(page) },
  { name: 'declined', input: { ...plain, amount: 200_011 }, act: pay },
  { name: 'processing', input: { amount: 600_001 }, act: pay },
  { name: 'approval', act: waitForApproval },
  { name: 'completed', act: pay },
  { name: 'completed-phone-dark', settings: { ...PHONE, ...DARK }, act: pay },
  { name: 'completed-arabic', input: ARABIC, act: pay },
  { name: 'expired', act: async (page, house, id) => [await house.expire(id), await page.reload()] },
  { name: 'unknown', act: (page) => page.goto(`${page.url().slice(0, -22)}${'a'.repeat(22)}`) },
];

async function waitForApproval(page: Page): Promise<void> {
  const address = page.url();
  await page.locator('button[value=paypal]').click();
  await page.goto(address);
}

const only = process.argv.slice(3);
const folder = process.argv[2] ?? '.paygraph/screenshots';
await mkdir(folder, { recursive: true });
await setUp();
const [house, shop, browser] = [await startSellingHouse(), await startShop(), await startBrowser()];
try {
  for (const scene of SCENES.filter(
    ({ name }) => only.length === 0 || only.some((each) => name.includes(each)),
  ))
    await take(scene, shop);
} finally {
  await browser.close();
  await Promise.all([house.stop(), shop.close()]);
  await tearDown();
}

async function take({ name, input, settings, act }: Scene, at: Shop): Promise<void> {
  const link = await house.made({ ...richLink(at), ...input });
  const page = await openPage(browser, link.url, settings);
  await act?.(page, house, link.id);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.context().close();
  process.stdout.write(`${join(folder, name)}.png\n`);
}
