import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;
const SCRIPTS_OFF = { javaScriptEnabled: false };

const timeAt = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone })
    .format(moment)
    .replaceAll(/\s/g, ' ');

inBrowser('the approval page in a browser', () => {
  let harness: Harness;
  let browser: Browser;
  let shop: Receiver;
  beforeAll(async () => {
    [harness, browser, shop] = await Promise.all([
      startHarness('mock-paypal'),
      startBrowser(),
      startReceiver(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await shop.close();
    await harness.stop();
  });

  /**
   * Creates a payment that waits for its buyer, with the address of its page. The buyer returns to a page of another
   * origin.
   */
  async function waiting() {
    const redirectUrl = `${shop.url}/back`;
    const { transaction } = await harness.create({
      paymentMethod: { redirect: { method: 'paypal' } },
      redirectUrl,
      externalIdentifier: 'order-1001',
    });
    const id = transaction?.id ?? '';
    const shown = await harness.ask<{ transaction: { approvalUrl: string } }>(
      'query ($id: ID!) { transaction(id: $id) { approvalUrl } }',
      { id },
    );
    return { id, url: shown.transaction.approvalUrl, redirectUrl };
  }

  const open = async (url: string, settings: object = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 }, ...settings });
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };

  it.each([
    ['Approve', 'authorization_succeeded'],
    ['Refuse', 'authorization_failed'],
  ])('%s leads back to the merchant, with scripts off', async (button, status) => {
    const { id, url, redirectUrl } = await waiting();
    const page = await open(url, { javaScriptEnabled: false });
    expect(await page.title()).toBe('Approve a payment');
    const returned = page.waitForRequest((request) => request.url().startsWith(redirectUrl));
    await page.getByRole('button', { name: button, exact: true }).click();
    const query = new URL((await returned).url()).searchParams;
    expect([query.get('transaction_id'), query.get('transaction_status')]).toEqual([id, status]);
    await page.context().close();
  });

  it("says the deadline in the buyer's time zone, and in UTC without scripts", async () => {
    const { url } = await waiting();
    const shown = async (settings: object): Promise<string> => {
      const page = await open(url, { timezoneId: 'Asia/Kathmandu', ...settings });
      const time = page.locator('time');
      const moment = new Date((await time.getAttribute('datetime')) ?? '');
      const text = (await time.innerText()).replaceAll(/\s/g, ' ');
      await page.context().close();
      return `${text} is ${timeAt(moment, settings === SCRIPTS_OFF ? 'UTC' : 'Asia/Kathmandu')}`;
    };

    expect(await shown({})).toMatch(/^(.*) is \1$/);
    expect(await shown(SCRIPTS_OFF)).toMatch(/^(.*) UTC is \1$/);
  });

  it('works with the keyboard alone, and fits into 320 pixels', async () => {
    const { url, redirectUrl } = await waiting();
    const page = await open(url);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.keyboard.press('Tab');
    const returned = page.waitForRequest((request) => request.url().startsWith(redirectUrl));
    await page.keyboard.press('Enter');
    expect((await returned).url()).toContain('transaction_status=authorization_succeeded');
    await page.goto(url);
    expect(await page.getByRole('heading').innerText()).toBe('You approved this payment');
    await page.context().close();
  });
});
