import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { until } from '../transactions/inbox.ts';
import { withoutRandom } from '../support/without-random.ts';
import {
  ACCOUNTS,
  addBank,
  consent,
  debitsOf,
  decideDebits,
  fillBank,
  pressDebit,
  REFUSED_IBAN,
  RETURNING_IBAN,
} from './bank-shop.ts';
import type { Link, LinksHarness } from './harness.ts';
import { fillCard, openPage, pressPay, richLink, startSellingHarness, startShop, type Shop } from './shop.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;
const SECRET = 'whs_bank_debits_of_the_page';
const WITHOUT_SCRIPTS = { javaScriptEnabled: false };

inBrowser('the page of a payment link for a bank debit', () => {
  let harness: LinksHarness;
  let shop: Shop;
  let browser: Browser;
  let service: string;
  beforeAll(async () => {
    [harness, shop, browser] = await Promise.all([startSellingHarness(), startShop(), startBrowser()]);
    service = await addBank(harness, { webhookSecret: SECRET });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([harness.stop(), shop.close()]);
  });

  const made = (input: object = {}): Promise<Link> =>
    harness.made({ ...richLink(shop), intent: 'CAPTURE', ...input });
  const open = (link: Link, settings = {}): Promise<Page> => openPage(browser, link.url, settings);
  const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
  const factsOf = async (page: Page): Promise<Readonly<Record<string, string>>> => {
    const [names, values] = [page.locator('.facts dt'), page.locator('.facts dd')];
    const texts = await values.allInnerTexts();
    return Object.fromEntries((await names.allInnerTexts()).map((name, at) => [name, texts[at] ?? '']));
  };
  const STARTED = 'Your direct debit has been started';

  it.each([
    ['SEPA', 'EUR', 'DE', '3000', 'DE98ZZZ09999999999'],
    ['ACH', 'USD', 'US', '6789', undefined],
    ['Bacs', 'GBP', 'GB', '2345', '123456'],
  ] as const)(
    'debits an account of %s, and says that the debit is started',
    async (_, currency, country, lastFour, creditorId) => {
      const link = await made({ currency, country });
      const page = await open(link, currency === 'GBP' ? WITHOUT_SCRIPTS : {});
      await fillBank(page, ACCOUNTS[currency]);
      await consent(page);
      const text = await page.locator('#mandate-text').innerText();
      await pressDebit(page);

      expect(await heading(page)).toBe(STARTED);
      expect(await page.getByRole('status').innerText()).toMatch(/^Your account has not been debited yet/);
      const [payment] = await debitsOf(harness, link);
      const facts = await factsOf(page);
      expect(facts).toMatchObject({
        'Day of the debit': expect.stringMatching(/^[A-Z][a-z]+ \d+, \d{4}$/),
        Account: expect.stringContaining(lastFour),
        Creditor: 'Nordlicht Kaffee',
        'Mandate reference': payment?.bank.mandate?.['reference'],
      });
      expect(facts['Creditor identifier']).toBe(creditorId);
      expect(payment).toMatchObject({
        ...{ status: 'capture_pending', payment_service_id: service },
        buyer: { displayName: ACCOUNTS[currency]['holder'] },
        bank: {
          lastFour,
          mandate: {
            ...{ text, ipAddress: '127.0.0.1', userAgent: expect.stringContaining('Mozilla/5.0') },
            acceptedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          },
        },
      });

      await decideDebits(harness);
      await page.getByRole('link', { name: 'Check now' }).click();
      expect(await heading(page)).toBe('Payment successful');
      const { 'Paid with': paidWith } = await factsOf(page);
      expect(paidWith).toMatch(new RegExp(`^Direct debit ••••\\s${lastFour}$`));
      await page.context().close();
    },
  );

  it('leads back to the merchant before the bank decides', async () => {
    const link = await made();
    const page = await open(link);
    await fillBank(page, ACCOUNTS.EUR);
    await consent(page);
    await pressDebit(page);
    await page.getByRole('link', { name: 'Back to Nordlicht Kaffee' }).click();

    expect(new URL(page.url()).searchParams.get('transaction_status')).toBe('capture_pending');
    expect((await harness.read(link.id))?.status).toBe('PROCESSING');
    await page.context().close();
  });

  it.each([{}, WITHOUT_SCRIPTS])(
    'says that the bank refused the debit, and accepts a card then (%j)',
    async (settings) => {
      const link = await made();
      const page = await open(link, settings);
      await fillBank(page, { ...ACCOUNTS.EUR, iban: REFUSED_IBAN });
      await consent(page);
      await pressDebit(page);
      expect(await heading(page)).toBe(STARTED);

      await decideDebits(harness);
      await page.goto(link.url);
      expect(await page.getByRole('alert').innerText()).toMatch(
        /^The payment was declined, and nothing was charged/,
      );
      await fillCard(page);
      await pressPay(page);
      expect(await heading(page)).toBe('Payment successful');
      const statuses = (await debitsOf(harness, link)).map(({ status }) => status);
      expect(statuses).toEqual(['authorization_declined', 'capture_succeeded']);
      await page.context().close();
    },
  );

  it('says that a payment came back after it had settled', async () => {
    const link = await made();
    const page = await open(link);
    await fillBank(page, { ...ACCOUNTS.EUR, iban: RETURNING_IBAN });
    await consent(page);
    await pressDebit(page);
    await decideDebits(harness);
    await page.goto(link.url);
    expect(await heading(page)).toBe('Payment successful');

    const { webhookUrl } = await harness.ask<{ webhookUrl: string }>(
      'query ($id: ID!) { answer: paymentService(id: $id) { webhookUrl } }',
      { id: service },
    );
    expect(await harness.provider.takeBack(webhookUrl, SECRET)).toEqual([200]);
    await until(async () => ((await debitsOf(harness, link))[0]?.captured_amount === 0 ? true : null));
    await page.reload();
    expect(await heading(page)).toBe('The payment was taken back');
    await page.context().close();
  });

  it('starts one debit, even after a double click, going back, or another tab', async () => {
    const link = await made();
    const page = await open(link);
    const other = await page.context().newPage();
    await other.goto(link.url);
    for (const tab of [page, other]) {
      await fillBank(tab, ACCOUNTS.EUR);
      await consent(tab);
    }
    await page.locator('form.bank button').dblclick();
    await page.getByText(STARTED).waitFor();
    await pressDebit(other);
    await page.reload();
    await page.goBack();

    expect([await heading(page), await heading(other)]).toEqual([STARTED, STARTED]);
    expect(await debitsOf(harness, link)).toHaveLength(1);
    await page.context().close();
  });

  describe.each([{}, WITHOUT_SCRIPTS])('shows every mistake at its field (%j)', (settings) => {
    it.each([
      [
        'EUR',
        { iban: 'DE88 3704 0044 0532 0130 00' },
        ['Enter a valid IBAN. It begins with two letters for the country.'],
        'iban',
      ],
      [
        'USD',
        { routing_number: '11000000', ach_number: '12' },
        [
          'Enter the 9 digits of a valid routing number.',
          'Enter the 4 to 17 digits of the account number.',
          'Choose the type of the account.',
        ],
        'routing_number',
      ],
      [
        'GBP',
        { sort_code: '1088', bacs_number: '1234567' },
        [
          'Enter the 6 digits of the sort code.',
          'Enter the 8 digits of the account number. A shorter number begins with zeros.',
        ],
        'sort_code',
      ],
    ] as const)('in %s', async (currency, values, errors, focused) => {
      const page = await open(await made({ currency }), settings);
      await fillBank(page, values);
      await pressDebit(page);
      await page.locator('form.bank .error', { hasText: 'Accept the mandate.' }).waitFor();

      expect((await page.locator('form.bank .error').allInnerTexts()).filter(Boolean)).toEqual([
        ...errors,
        'Enter the name of the account holder.',
        'Accept the mandate. Without it, the account cannot be debited.',
      ]);
      expect(await page.locator(':focus').getAttribute('id')).toBe(focused);
      await page.context().close();
    });
  });

  it('shows no number again, and keeps the holder', async () => {
    const link = await made();
    const page = await open(link, WITHOUT_SCRIPTS);
    await fillBank(page, { iban: 'DE88370400440532013000', holder: 'Ada Lovelace' });
    await pressDebit(page);

    expect(await page.locator('#iban').inputValue()).toBe('');
    expect(await page.locator('#holder').inputValue()).toBe('Ada Lovelace');
    expect(await page.locator('#mandate').isChecked()).toBe(false);
    await fillBank(page, { holder: 'DE89370400440532013000' });
    await pressDebit(page);
    expect(await page.locator('#holder').inputValue()).toBe('');
    expect(withoutRandom(await page.content())).not.toContain('3704');
    expect(await debitsOf(harness, link)).toEqual([]);
    expect(withoutRandom(harness.server.logs())).not.toContain('3704');
    await page.context().close();
  });

  it('works with the keyboard alone', async () => {
    const link = await made({ currency: 'GBP', buyer: { displayName: 'Jane Doe' } });
    const page = await open(link);
    for (const text of ['108800', '00012345', 'Ada Lovelace']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    for (const key of ['Tab', 'Space', 'Tab']) await page.keyboard.press(key);
    expect(await page.locator('button:focus').innerText()).toBe('Pay £54.80');
    await page.keyboard.press('Enter');
    await page.getByText(STARTED).waitFor();
    expect(await debitsOf(harness, link)).toMatchObject([{ buyer: { displayName: 'Jane Doe' } }]);
    await page.context().close();
  });

  it('has the mandate in the language of the page', async () => {
    const link = await made({ locale: 'de' });
    const page = await open(link);
    await fillBank(page, ACCOUNTS.EUR);
    expect(await page.locator('#mandate-text').innerText()).toMatch(
      /^Mit Ihrer Zustimmung ermächtigen Sie Nordlicht Kaffee, .* eine Zahlung von 54,80\s€\.$/,
    );
    await pressDebit(page);
    expect(await page.locator('#mandate-error').innerText()).toMatch(/^Erteilen Sie das Mandat/);
    await consent(page);
    await pressDebit(page);
    const [payment] = await debitsOf(harness, link);
    expect(payment?.bank.mandate?.['text']).toMatch(/^Mit Ihrer Zustimmung ermächtigen Sie Nordlicht Kaffee/);
    await page.context().close();
  });

  it.each([320, 390, 1280])('fits into %d pixels', async (width) => {
    const page = await open(await made({ amount: 99_999_999, locale: 'fr', currency: 'USD' }), {
      viewport: { width, height: 700 },
    });
    const widthOf = () => page.evaluate('document.documentElement.scrollWidth');
    await fillBank(page, {});
    await pressDebit(page);
    expect(await widthOf()).toBe(width);
    await fillBank(page, ACCOUNTS.USD);
    await consent(page);
    await pressDebit(page);
    await page.getByText('Votre prélèvement est lancé').waitFor();
    expect(await widthOf()).toBe(width);
    await page.context().close();
  });
});
