import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { ACCOUNTS, addBank, consent, debitsOf, decideDebits, fillBank, pressDebit } from './bank-shop.ts';
import type { Link, LinksHarness } from './harness.ts';
import { openPage, richLink, startSellingHarness, startShop, type Shop } from './shop.ts';

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
      await page.context().close();
    },
  );
});
