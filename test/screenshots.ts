import { createService } from './transactions/harness.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import {
  ACCOUNTS,
  addBank,
  consent,
  decideDebits,
  fillBank,
  pressDebit,
  REFUSED_IBAN,
  type BankForm,
} from './payment-links/bank-shop.ts';
import type { LinksHarness } from './payment-links/harness.ts';
import { fillCard, openPage, pressPay, richLink, startShop, type Shop } from './payment-links/shop.ts';
import { giftCard, giveGiftCard, startWallets, WRONG_PIN } from './payment-links/wallet.ts';
import { addThreeDSService, CHALLENGED } from './transactions/three-ds-harness.ts';
import { takeDashboard } from './dashboard/screenshots.ts';
import { newAppleMerchant } from './support/apple-gateway.ts';
import { startBrowser } from './support/browser.ts';
import { readCommandLine } from './support/command-line.ts';
import setUp from './support/global-setup.ts';
import tearDown from './support/global-teardown.ts';

// `npm run screenshots -- <folder>` takes pictures of the payment page in its states, and of the dashboard's pages.

type Scene = {
  readonly name: string;
  readonly input?: object;
  /** True for a link of a buyer with stored cards. */
  readonly forBuyer?: boolean;
  readonly settings?: BrowserContextOptions;
  /** Acts on the page before the picture. */
  readonly act?: (page: Page, harness: LinksHarness, id: string) => Promise<unknown>;
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

const dollars = { currency: 'USD', country: 'US' };
const ARABIC_WALLET = { ...ARABIC, country: 'US' };
const give =
  (...balances: readonly number[]) =>
  async (page: Page): Promise<void> => {
    for (const balance of balances) await giveGiftCard(page, giftCard(balance));
  };
const payRest =
  (...balances: readonly number[]) =>
  async (page: Page): Promise<void> => {
    await give(...balances)(page);
    await pay(page);
  };
const openGift = (page: Page): Promise<void> => page.locator('details.gift summary').click();
const wrongPin = (page: Page): Promise<void> => giveGiftCard(page, { ...giftCard(1), pin: WRONG_PIN });
const another = (page: Page): Promise<void> => page.locator('.choice').last().click();

const euro = { intent: 'CAPTURE' };
const BANK_PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
const openDebit = (page: Page): Promise<void> => fillBank(page, {});
const failDebit = async (page: Page): Promise<void> => {
  await openDebit(page);
  await pressDebit(page);
};
const debit =
  (values: BankForm = ACCOUNTS.EUR) =>
  async (page: Page): Promise<void> => {
    await fillBank(page, values);
    await consent(page);
    await pressDebit(page);
    await page.waitForLoadState();
  };
const settleDebit = async (page: Page, harness: LinksHarness): Promise<void> => {
  await debit()(page);
  await decideDebits(harness);
  await page.reload();
};
const refuseDebit = async (page: Page, harness: LinksHarness): Promise<void> => {
  await debit({ ...ACCOUNTS.EUR, iban: REFUSED_IBAN })(page);
  await decideDebits(harness);
  await page.reload();
};

/** Scenes of bank debits. */
const BANK: readonly Scene[] = [
  { name: 'bank-closed-wide', input: euro },
  { name: 'bank-closed-phone', input: euro, settings: BANK_PHONE },
  { name: 'bank-sepa-wide', input: euro, act: openDebit },
  { name: 'bank-sepa-phone', input: euro, settings: BANK_PHONE, act: openDebit },
  { name: 'bank-sepa-narrow', input: { ...euro, locale: 'de' }, settings: NARROW, act: openDebit },
  { name: 'bank-sepa-phone-dark', input: euro, settings: { ...BANK_PHONE, ...DARK }, act: openDebit },
  { name: 'bank-sepa-arabic-phone', input: { ...euro, locale: 'ar' }, settings: BANK_PHONE, act: openDebit },
  { name: 'bank-ach-phone', input: { ...euro, ...dollars }, settings: BANK_PHONE, act: openDebit },
  { name: 'bank-ach-mistakes-wide', input: { ...euro, ...dollars }, act: failDebit },
  {
    name: 'bank-ach-mistakes-narrow',
    input: { ...euro, ...dollars, locale: 'es' },
    settings: NARROW,
    act: failDebit,
  },
  { name: 'bank-alone-wide', input: { ...euro, currency: 'GBP', country: 'GB' } },
  { name: 'bank-alone-phone', input: { ...euro, currency: 'GBP', country: 'GB' }, settings: BANK_PHONE },
  { name: 'bank-started-wide', input: euro, act: debit() },
  { name: 'bank-started-phone', input: euro, settings: BANK_PHONE, act: debit() },
  { name: 'bank-started-narrow', input: { ...euro, locale: 'fr' }, settings: NARROW, act: debit() },
  { name: 'bank-started-arabic-phone', input: { ...euro, locale: 'ar' }, settings: BANK_PHONE, act: debit() },
  { name: 'bank-paid-phone', input: euro, settings: BANK_PHONE, act: settleDebit },
  { name: 'bank-refused-phone', input: euro, settings: BANK_PHONE, act: refuseDebit },
];

/** Scenes with other methods than a card. */
const WALLET: readonly Scene[] = [
  { name: 'stored-wide', input: dollars, forBuyer: true },
  { name: 'stored-phone', input: dollars, forBuyer: true, settings: PHONE },
  { name: 'stored-phone-dark', input: dollars, forBuyer: true, settings: { ...PHONE, ...DARK } },
  {
    name: 'stored-another-phone',
    input: { ...dollars, store: true },
    forBuyer: true,
    settings: PHONE,
    act: another,
  },
  { name: 'stored-arabic-phone', input: { ...ARABIC, locale: 'ar' }, forBuyer: true, settings: PHONE },
  { name: 'stored-mistakes', input: dollars, forBuyer: true, act: failed },
  { name: 'gift-open-wide', input: dollars, act: openGift },
  { name: 'gift-open-phone', input: dollars, settings: PHONE, act: openGift },
  { name: 'gift-wrong-phone', input: dollars, settings: PHONE, act: wrongPin },
  { name: 'gift-part-wide', input: dollars, forBuyer: true, act: give(1200, 850) },
  { name: 'gift-part-phone', input: dollars, settings: PHONE, act: give(1200, 850) },
  { name: 'gift-part-phone-dark', input: dollars, settings: { ...PHONE, ...DARK }, act: give(1200) },
  { name: 'gift-part-narrow', input: { ...dollars, locale: 'de' }, settings: NARROW, act: give(1200) },
  { name: 'gift-all-wide', input: dollars, act: give(9000) },
  { name: 'gift-all-phone', input: dollars, settings: PHONE, act: give(9000) },
  { name: 'gift-paid-wide', input: dollars, act: payRest(1200, 850) },
  { name: 'gift-paid-narrow', input: { ...dollars, locale: 'de' }, settings: NARROW, act: payRest(1200) },
  {
    name: 'gift-paid-arabic-phone',
    input: { ...dollars, locale: 'ar' },
    settings: PHONE,
    act: payRest(1200),
  },
  { name: 'gift-open-arabic-phone', input: ARABIC_WALLET, settings: PHONE, act: openGift },
];

const RECEIPT = { offersReceipt: true };
const askReceipt =
  (address: string) =>
  async (page: Page): Promise<void> => {
    await pay(page);
    await page.locator('#email').fill(address);
    await page.locator('.receipt button').click();
    await page.waitForLoadState();
  };

/** Scenes of the receipt of a paid link. */
const RECEIPTS: readonly Scene[] = [
  { name: 'receipt-offered-wide', input: RECEIPT, act: pay },
  { name: 'receipt-offered-phone-dark', input: RECEIPT, settings: { ...PHONE, ...DARK }, act: pay },
  { name: 'receipt-offered-arabic-phone', input: { ...ARABIC, ...RECEIPT }, settings: PHONE, act: pay },
  { name: 'receipt-refused-phone', input: RECEIPT, settings: PHONE, act: askReceipt('jane') },
  { name: 'receipt-requested-phone', input: RECEIPT, settings: PHONE, act: askReceipt('jane@example.com') },
];

/** The browser of the pictures has no wallet. */
const showGooglePay = (page: Page): Promise<unknown> =>
  page.evaluate(`document.querySelector('[data-google-pay]').hidden = false`);
const FRANCS = { currency: 'CHF' };

/** A service with 3-D Secure takes this currency. */
const KRONOR = { currency: 'SEK' };

/** Scenes of a page with Google Pay. */
const GOOGLE_PAY: readonly Scene[] = [
  { name: 'google-pay-wide', input: FRANCS, act: showGooglePay },
  { name: 'google-pay-phone-dark', input: FRANCS, settings: { ...PHONE, ...DARK }, act: showGooglePay },
];

const showApplePay = (page: Page): Promise<unknown> =>
  page.evaluate(`document.querySelector('[data-apple-pay]').hidden = false`);
const showFailedApplePay = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    const form = document.querySelector('[data-apple-pay]');
    const failed = form.querySelector('[data-failed]');
    form.hidden = failed.hidden = false;
    failed.textContent = failed.dataset.failed;
  }`);
const KRONER = { currency: 'NOK' };

/** Scenes of a page with Apple Pay. Safari draws the button by itself. */
const APPLE_PAY: readonly Scene[] = [
  { name: 'apple-pay-wide', input: KRONER, act: showApplePay },
  {
    name: 'apple-pay-failed-phone-dark',
    input: KRONER,
    settings: { ...PHONE, ...DARK },
    act: showFailedApplePay,
  },
];

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
  ...WALLET,
  ...BANK,
  ...RECEIPTS,
  ...GOOGLE_PAY,
  ...APPLE_PAY,
  { name: 'mistakes', act: failed },
  { name: 'mistakes-phone-dark', settings: { ...PHONE, ...DARK }, act: failed },
  { name: 'filled', act: (page) => fillCard(page) },
  { name: 'declined', input: { ...plain, amount: 200_011 }, act: pay },
  { name: 'processing', input: { amount: 600_001 }, act: pay },
  { name: 'approval', act: waitForApproval },
  { name: 'approval-phone-dark', settings: { ...PHONE, ...DARK }, act: waitForApproval },
  { name: 'approval-of-provider', act: openApproval },
  { name: 'approval-of-provider-phone-dark', settings: { ...PHONE, ...DARK }, act: openApproval },
  { name: 'challenge', input: KRONOR, act: challenge },
  { name: 'challenge-phone-dark', input: KRONOR, settings: { ...PHONE, ...DARK }, act: challenge },
  { name: 'challenge-failed-phone', input: KRONOR, settings: PHONE, act: failChallenge },
  { name: 'reserved', input: { intent: 'AUTHORIZE' }, act: pay },
  { name: 'reserved-phone-dark', input: { intent: 'AUTHORIZE' }, settings: { ...PHONE, ...DARK }, act: pay },
  { name: 'reserved-arabic-phone', input: { ...ARABIC, intent: 'AUTHORIZE' }, settings: PHONE, act: pay },
  { name: 'completed', act: pay },
  { name: 'completed-phone-dark', settings: { ...PHONE, ...DARK }, act: pay },
  { name: 'completed-arabic', input: ARABIC, act: pay },
  { name: 'expired', act: async (page, harness, id) => [await harness.expire(id), await page.reload()] },
  { name: 'unknown', act: (page) => page.goto(`${page.url().slice(0, -22)}${'a'.repeat(22)}`) },
];

async function waitForApproval(page: Page): Promise<void> {
  const address = page.url();
  await page.locator('button[value=paypal]').click();
  await page.goto(address);
}

/** Opens the sandbox's page, which stands for the provider's. */
async function openApproval(page: Page): Promise<void> {
  await page.locator('button[value=paypal]').click();
  await page.waitForURL('**/approve/**');
}

/** Opens the sandbox's page of a challenge. */
async function challenge(page: Page): Promise<void> {
  await fillCard(page, CHALLENGED);
  await pressPay(page);
  await page.waitForURL('**/approve/**');
}

async function failChallenge(page: Page): Promise<void> {
  await challenge(page);
  await page.getByRole('button', { name: 'Fail the challenge' }).click();
  await page.getByRole('alert').waitFor();
}

const USAGE = `npm run screenshots -- [folder] [scene…]

Takes pictures of the payment page in its states, and of the dashboard's pages. A scene is a part of a picture's name.

Examples:
  npm run screenshots
  npm run screenshots -- .paygraph/screenshots completed dashboard
`;

const { positionals } = readCommandLine(USAGE, {}, { allowPositionals: true });
const [folder = '.paygraph/screenshots', ...only] = positionals;
await mkdir(folder, { recursive: true });
await setUp();
const [wallets, shop, browser] = [await startWallets(), await startShop(), await startBrowser()];
const { harness } = wallets;
await addBank(harness);
await createService(harness.server, harness.provider.url, {
  ...{ definitionId: 'mock-acquirer', displayName: 'Google Pay', currencies: ['CHF'] },
  fields: { google_pay_merchant_id: 'BCR2DN4T' },
});
await createService(harness.server, harness.provider.url, {
  ...{ definitionId: 'mock-acquirer', displayName: 'Apple Pay', currencies: ['NOK'] },
  fields: newAppleMerchant(),
});
await addThreeDSService(harness, KRONOR.currency);
try {
  for (const scene of SCENES.filter(
    ({ name }) => only.length === 0 || only.some((each) => name.includes(each)),
  ))
    await take(scene, shop);
  if (only.length === 0 || only.some((each) => each.startsWith('dashboard')))
    await takeDashboard(folder, only);
} finally {
  await browser.close();
  await Promise.all([wallets.stop(), shop.close()]);
  await tearDown();
}

async function take({ name, input, forBuyer = false, settings, act }: Scene, at: Shop): Promise<void> {
  const all = { ...richLink(at), ...input };
  const link = await (forBuyer ? wallets.madeForBuyer(at, all) : harness.made(all));
  const page = await openPage(browser, link.url, settings);
  await act?.(page, harness, link.id);
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.context().close();
  process.stdout.write(`${join(folder, name)}.png\n`);
}
