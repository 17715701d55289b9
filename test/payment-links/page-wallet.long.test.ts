import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import type { Link } from './harness.ts';
import { fillCard, openPage, paymentsOf, pressPay, startShop, type Shop } from './shop.ts';
import { giftCard, giveGiftCard, pressGiftCard, startWallets, WRONG_PIN, type Wallets } from './wallet.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;
const WITHOUT_SCRIPTS = { javaScriptEnabled: false };

inBrowser('the page of a payment link for who has more than a card', () => {
  let wallets: Wallets;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    [wallets, shop, browser] = await Promise.all([startWallets(), startShop(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([wallets.stop(), shop.close()]);
  });

  const open = (link: Link, settings = {}): Promise<Page> => openPage(browser, link.url, settings);
  const isPaid = (page: Page) => page.getByText('Payment successful').waitFor();
  /** The values of the fact "Paid with", which stands first. */
  const paidWith = (page: Page): Promise<string[]> =>
    page.locator('.facts dt:first-child ~ dd:not(dt:nth-of-type(2) ~ dd)').allInnerTexts();
  const isShown = (page: Page, name: string) => page.locator(`#${name}`).isVisible();

  describe.each([{}, WITHOUT_SCRIPTS])('(%j)', (settings) => {
    it('accepts a stored card with its security code, and needs no other input', async () => {
      const link = await wallets.madeForBuyer(shop);
      const page = await open(link, settings);
      const choices = await page.getByRole('radio').all();
      expect(await Promise.all(choices.map((choice) => choice.isChecked()))).toEqual([true, false, false]);
      expect([await isShown(page, 'number'), await isShown(page, 'security_code')]).toEqual([false, true]);
      await pressPay(page);
      expect(await page.locator('#security_code-error').innerText()).toBe(
        'Enter the 3 digits of the security code.',
      );
      expect(await page.locator('input:focus').getAttribute('id')).toBe('security_code');

      await page.getByRole('radio', { name: /^Mastercard .*4444 Expires 12\/40$/ }).check();
      await page.locator('#security_code').fill('123');
      await pressPay(page);
      await isPaid(page);
      expect(wallets.harness.provider.calls.at(-1)).toMatchObject({ card: { number: '5555555555554444' } });
      await page.context().close();
    });

    it('accepts another card instead', async () => {
      const link = await wallets.madeForBuyer(shop, { store: true });
      const page = await open(link, settings);
      const note = page.getByText('Your payment method is stored');
      expect(await note.isVisible()).toBe(false);
      await page.getByRole('radio', { name: 'Another card' }).check();
      expect([await note.isVisible(), await isShown(page, 'number')]).toEqual([true, true]);
      await fillCard(page, '3782 822463 10005');
      await pressPay(page);
      await isPaid(page);
      expect(wallets.harness.provider.calls.at(-1)).toMatchObject({ card: { number: '378282246310005' } });
      await page.context().close();
    });

    it('accepts gift cards for a part, keeps them over a reload, and a card for the rest', async () => {
      const link = await wallets.made(shop);
      const page = await open(link, settings);
      await giveGiftCard(page, giftCard(1200));
      await giveGiftCard(page, giftCard(850));
      await page.reload();
      expect(await page.locator('.gifts .price').allInnerTexts()).toEqual(['−$12.00', '−$8.50', '$34.30']);
      const loaded = page.waitForEvent('load');
      await page
        .getByRole('button', { name: /^Remove: Gift card \d{4}$/ })
        .first()
        .click();
      await loaded;
      expect(await page.locator('.gifts .price').allInnerTexts()).toEqual(['−$8.50', '$46.30']);
      await fillCard(page);
      expect(await page.locator('form.card button').innerText()).toBe('Pay $46.30');
      await pressPay(page);
      await isPaid(page);
      expect(await paidWith(page)).toEqual([
        expect.stringMatching(/^Gift card ••••\s\d{4}: \$8\.50$/),
        expect.stringMatching(/^Visa ••••\s1111: \$46\.30$/),
      ]);
      expect(await paymentsOf(wallets.harness, link)).toHaveLength(1);
      await page.context().close();
    });

    it('accepts a gift card for everything, and names the fault of another', async () => {
      const link = await wallets.made(shop);
      const page = await open(link, settings);
      await giveGiftCard(page, { ...giftCard(1), pin: WRONG_PIN });
      expect(await page.locator('#gift_number-error').innerText()).toBe(
        'There is no gift card with this number and PIN.',
      );
      expect(await page.locator('input:focus').getAttribute('id')).toBe('gift_number');
      expect([
        await page.locator('#gift_number').inputValue(),
        await page.locator('#gift_pin').inputValue(),
      ]).toEqual(['', '']);
      await giveGiftCard(page, giftCard(5480));
      await page.getByRole('button', { name: 'Pay $54.80' }).click();
      await isPaid(page);
      expect(await paidWith(page)).toEqual([expect.stringMatching(/^Gift card ••••\s\d{4}$/)]);
      expect(await paymentsOf(wallets.harness, link)).toMatchObject([
        { status: 'authorization_succeeded', method: 'gift-card' },
      ]);
      await page.context().close();
    });
  });

  it('says how many digits the code of a stored card has', async () => {
    const buyerId = await wallets.buyer();
    await wallets.storedCard(buyerId, {}, '378282246310005');
    for (const settings of [{}, WITHOUT_SCRIPTS]) {
      const page = await open(await wallets.made(shop, { buyerId }), settings);
      await page.locator('#security_code').fill('12');
      await pressPay(page);

      expect(await page.locator('#security_code-error').innerText()).toBe(
        'Enter the 4 digits of the security code.',
      );
      await page.context().close();
    }
  });

  it('stops an invalid gift card before it is sent', async () => {
    const page = await open(await wallets.made(shop));
    let posts = 0;
    page.on('request', (request) => void (posts += request.method() === 'POST' ? 1 : 0));
    await pressGiftCard(page, { number: '1234', pin: '' });
    expect(await page.locator('details .error').allInnerTexts()).toEqual([
      'Enter the 16 to 19 digits of the gift card.',
      'Enter the PIN of the gift card.',
    ]);
    expect(posts).toBe(0);
    await page.context().close();
  });

  it('works with the keyboard alone', async () => {
    const page = await open(await wallets.madeForBuyer(shop));
    const { number, pin } = giftCard(1000);
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab', 'Enter', 'Tab');
    await page.keyboard.type(number);
    await press('Tab');
    await page.keyboard.type(pin);
    await press('Enter');
    await page.locator('.gifts').waitFor();
    await press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Remove');
    await press('Tab', 'Tab', 'ArrowDown', 'ArrowDown');
    expect(await page.locator(':focus').evaluate('document.activeElement.value')).toBe('');
    await press('ArrowUp', 'Tab');
    await page.keyboard.type('123');
    await press('Tab', 'Enter');
    await isPaid(page);
    await page.context().close();
  });

  it.each([320, 375, 928])('fits into %d pixels', async (width) => {
    const settings = { viewport: { width, height: 700 } };
    const amount = 99_999_999;
    const page = await open(
      await wallets.madeForBuyer(shop, { amount, cartItems: null, locale: 'fr' }),
      settings,
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await giveGiftCard(page, giftCard(88_888_888));
    await page.locator('.gifts').waitFor();
    await page.locator('details summary').click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.context().close();
  });
});
