import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { createService } from '../transactions/harness.ts';
import type { Link, LinksHarness } from './harness.ts';
import {
  fillCard,
  openPage,
  paymentsOf,
  pressPay,
  richLink,
  startSellingHarness,
  startShop,
  type Shop,
} from './shop.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('the page of a payment link', () => {
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  beforeAll(async () => {
    [harness, shop, browser] = await Promise.all([startSellingHarness(), startShop(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([harness.stop(), shop.close()]);
  });

  const made = (input: object = {}): Promise<Link> => harness.made({ ...richLink(shop), ...input });
  const open = (link: Link, settings = {}): Promise<Page> => openPage(browser, link.url, settings);
  const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
  const WITHOUT_SCRIPTS = { javaScriptEnabled: false };

  it.each([{}, WITHOUT_SCRIPTS])(
    'says that a card was declined, and accepts the next (%j)',
    async (settings) => {
      const link = await made({ amount: 200_011 });
      const page = await open(link, settings);
      await fillCard(page);
      await pressPay(page);
      expect(await page.getByRole('alert').innerText()).toBe(
        'The card has too little money on it. Try another card.',
      );
      const shown = ['#number', '#security_code', '#expiry', '#name'].map((each) =>
        page.locator(each).inputValue(),
      );
      expect(await Promise.all(shown)).toEqual(['', '', '12/40', 'Jane Doe']);
      await page.reload();
      expect(await paymentsOf(harness, link)).toHaveLength(1);

      await harness.rows('UPDATE payment_link SET amount = 1299 WHERE id = $1::uuid', link.id);
      await fillCard(page, '5555 5555 5555 4444');
      await pressPay(page);
      expect(await heading(page)).toBe('Payment successful');
      const statuses = (await paymentsOf(harness, link)).map(({ status }) => status);
      expect(statuses).toEqual(['authorization_declined', 'authorization_succeeded']);
      await page.context().close();
    },
  );

  it('leads to a page even where a client of the merchant could complete the payment', async () => {
    await createService(harness.server, harness.provider.url, {
      definitionId: 'mock-wallet',
      displayName: 'A wallet',
      currencies: ['CHF'],
    });
    const link = await made({ currency: 'CHF' });
    const page = await open(link);
    await page.getByRole('button', { name: 'Pay with Venmo' }).click();
    expect(await page.title()).toBe('Approve a payment');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();

    expect(await heading(page)).toBe('Payment successful');
    await page.context().close();
  });

  it('lets a buyer continue after leaving the approval, and try again after refusing', async () => {
    const link = await made();
    const page = await open(link);
    await page.getByRole('button', { name: 'Pay with PayPal' }).click();
    await page.goto(link.url);
    expect(await heading(page)).toBe('Approve your payment');
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();

    expect(await page.getByRole('alert').innerText()).toMatch(/^The payment was not completed/);
    await fillCard(page);
    await pressPay(page);
    expect(await heading(page)).toBe('Payment successful');
    await page.context().close();
  });

  it('groups the card number, and stops an invalid form before it is sent', async () => {
    const link = await made();
    const page = await open(link);
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') posts += 1;
    });
    await page.locator('#number').pressSequentially('378282246310005');
    expect(await page.locator('#number').inputValue()).toBe('3782 822463 10005');
    expect(await page.locator('.scheme').innerText()).toBe('American Express');
    await page.locator('#expiry').pressSequentially('930');
    expect(await page.locator('#expiry').inputValue()).toBe('09/30');
    await pressPay(page);
    expect(await page.locator('input:focus').getAttribute('id')).toBe('security_code');
    const fault = (): Promise<string> => page.locator('#security_code-error').innerText();
    expect(await fault()).toBe('Enter the 4 digits of the security code.');
    await page.locator('#number').fill('4111 1111 1111 1111');
    expect(await fault()).toBe('Enter the 3 digits of the security code.');
    await page.locator('#number').fill('9000 1001 1111 1111');
    expect(await fault()).toBe('Enter the 3 or 4 digits of the security code.');
    await page.locator('#number').fill('3782 822463 10005');
    await page.locator('#security_code').pressSequentially('123');
    await pressPay(page);
    expect(await page.locator('#security_code').getAttribute('aria-invalid')).toBe('true');
    await page.locator('#security_code').press('4');
    expect(await page.locator('#security_code').getAttribute('aria-invalid')).toBe('false');
    expect(posts).toBe(0);
    await page.context().close();
  });

  it("says the end of the link's time in the buyer's time zone, and in UTC without scripts", async () => {
    const link = await made({ expiresAt: '2099-07-01T12:00:00Z' });
    const shown = async (settings: object): Promise<string> => {
      const page = await open(link, settings);
      const text = await page.locator('time').innerText();
      await page.context().close();
      return text.replaceAll(/\s/g, ' ');
    };

    expect(await shown({ timezoneId: 'America/New_York' })).toBe('July 1, 2099 at 8:00 AM');
    expect(await shown({ timezoneId: 'America/New_York', ...WITHOUT_SCRIPTS })).toBe(
      'July 1, 2099 at 12:00 PM UTC',
    );
  });

  it.each([
    ['378282246310005', '123', 'Enter the 4 digits of the security code.'],
    ['4111111111111111', '1234', 'Enter the 3 digits of the security code.'],
    ['9000100111111111', '12', 'Enter the 3 or 4 digits of the security code.'],
  ])('says how many digits the code of %s has, without scripts', async (number, code, sentence) => {
    const page = await open(await made(), WITHOUT_SCRIPTS);
    await fillCard(page, number);
    await page.locator('#security_code').fill(code);
    await pressPay(page);

    expect(await page.locator('#security_code-error').innerText()).toBe(sentence);
    await page.context().close();
  });

  it.each([
    ['6759 6498 2643 8453', 'Maestro'],
    ['5067 3100 0000 0010', 'Elo'],
    ['6062 8288 8866 6688', 'Hipercard'],
    ['2200 0000 0000 0004', 'Mir'],
    ['6011 0000 0000 0004', 'Discover'],
    ['5555 5555 5555 4444', 'Mastercard'],
  ])('names the scheme of %s and draws its mark', async (number, scheme) => {
    const page = await open(await made());
    await page.locator('#number').pressSequentially(number.replaceAll(' ', ''));

    expect(await page.locator('#number').inputValue()).toBe(number);
    expect(await page.locator('.scheme').innerText()).toBe(scheme);
    const mark = await page.locator('.scheme use').getAttribute('href');
    expect(await page.locator(`symbol${mark} > *`).count()).toBeGreaterThan(0);
    const width = await page.evaluate<number>("document.querySelector('.scheme use').getBBox().width");
    expect(width).toBeGreaterThan(10);
    await page.context().close();
  });

  it('takes a discount off with a minus sign, which is longer than a hyphen', async () => {
    const page = await open(await made());

    expect(await page.locator('.items .price').allInnerTexts()).toEqual([
      '€37.80',
      '€19.90',
      '\u2212€2.90',
      '€54.80',
    ]);
    await page.context().close();
  });

  it('shows the costs that no line has, and the taxes that the lines have', async () => {
    const lines = [
      { name: 'Grinder', quantity: 2, unitAmount: 1000, taxAmount: 380, shippingAmount: 450, dutyAmount: 70 },
      { name: 'Voucher', quantity: 1, unitAmount: 200, taxAmount: 38, productType: 'DISCOUNT' },
    ];
    const page = await open(await made({ amount: 2662, cartItems: lines }));

    const rows = await page.locator('.items > li').allInnerTexts();
    expect(rows.map((row) => row.split(/\s*\n\s*/).at(-1))).toEqual([
      ...['€23.80', '\u2212€2.38', '€4.50', '€0.70', '€26.62', '€3.42'],
    ]);
    expect(rows.slice(2).join()).toMatch(/^Shipping[^]*Duties[^]*Total[^]*Taxes included/);
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)(
    'prints a paid link with every fact, and without buttons (%s)',
    async (colorScheme) => {
      const page = await open(await made({ offersReceipt: true }), { colorScheme });
      await fillCard(page);
      await pressPay(page);
      await page.getByText('Payment successful').waitFor();
      await page.getByRole('button', { name: 'Print' }).waitFor();
      const facts = await page.locator('.facts').innerText();
      await page.emulateMedia({ media: 'print' });

      expect(facts).toMatch(
        /^Paid with\s+Visa ••••\s1111\s+Date\s[^]*order-10423\s+Payment\s+[0-9a-f-]{36}$/,
      );
      expect(await page.locator('.facts').innerText()).toBe(facts);
      const printed = await page.locator('body').innerText();
      for (const text of ['Nordlicht Kaffee', 'Payment successful', '€54.80'])
        expect(printed).toContain(text);
      expect(await page.locator('button, .button, input, form, a').filter({ visible: true }).count()).toBe(0);
      // Paper is white.
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(20, 23, 31)');
      await page.context().close();
    },
  );

  it('works with the keyboard alone', async () => {
    const link = await made({ currency: 'JPY' });
    const page = await open(link);
    await page.keyboard.press('Tab');
    await page.keyboard.type('4111111111111111');
    for (const text of ['1240', '123', 'Jane Doe']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Tab');
    expect(await page.locator('button:focus').innerText()).toBe('Pay ¥5,480');
    await page.keyboard.press('Enter');
    await page.getByText('Payment successful').waitFor();
    await page.context().close();
  });

  it('pays once, even after a double click, going back, or a reload', async () => {
    const link = await made();
    const page = await open(link);
    await fillCard(page);
    await page.locator('form.card button').dblclick();
    await page.getByText('Payment successful').waitFor();
    await page.reload();
    await page.goBack();
    const other = await page.context().newPage();
    await other.goto(link.url);

    expect([await heading(page), await heading(other)]).toEqual(['Payment successful', 'Payment successful']);
    expect(await paymentsOf(harness, link)).toHaveLength(1);
    await page.context().close();
  });
});
