import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startReturnHarness, type Away, type ReturnHarness } from '../transactions/return-harness.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('the way to a provider and back, in a browser', () => {
  let harness: ReturnHarness;
  let browser: Browser;
  let shop: Receiver;
  beforeAll(async () => {
    [harness, browser, shop] = await Promise.all([startReturnHarness(), startBrowser(), startReceiver()]);
  });
  afterAll(async () => {
    await browser.close();
    await shop.close();
    await harness.stop();
  });

  const BY_POST = 660_001;
  const WITHOUT_SCRIPTS = { javaScriptEnabled: false };
  const leave = (input: object = {}): Promise<Away> =>
    harness.leave({ redirectUrl: `${shop.url}/thanks?basket=7`, ...input });
  const open = async (url: string, settings: { javaScriptEnabled?: boolean } = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 }, ...settings });
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  /** Presses a button, and returns the parameters with which the buyer arrives at the merchant. */
  const arriveBy = async (page: Page, button: string): Promise<readonly (string | null)[]> => {
    const arrived = page.waitForRequest((request) => request.url().startsWith(shop.url));
    await page.getByRole('button', { name: button, exact: true }).click();
    const query = new URL((await arrived).url()).searchParams;
    return ['basket', 'transaction_id', 'transaction_status'].map((name) => query.get(name));
  };

  it.each([
    ['Approve', 'authorization_succeeded'],
    ['Refuse', 'authorization_failed'],
    ['Approve, and post back', 'authorization_succeeded'],
    ['Refuse, and post back', 'authorization_failed'],
  ])('%s leads to the merchant, with scripts off', async (button, status) => {
    const away = await leave();
    const page = await open(away.approvalUrl, WITHOUT_SCRIPTS);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(await arriveBy(page, button)).toEqual(['7', away.id, status]);
    await page.context().close();
  });

  it('goes by a form that posts itself', async () => {
    const away = await leave({ amount: BY_POST });
    const page = await open(away.approvalUrl);
    await page.getByRole('heading', { name: 'Pay ' }).waitFor();
    expect(page.url()).toContain('/sandbox/redirect/');
    expect(await arriveBy(page, 'Approve')).toEqual(['7', away.id, 'authorization_succeeded']);
    await page.context().close();
  });

  it('goes by a button without scripts', async () => {
    const away = await leave({ amount: BY_POST });
    const page = await open(away.approvalUrl, WITHOUT_SCRIPTS);
    await page.getByRole('button', { name: 'Go on' }).click();
    expect(await arriveBy(page, 'Approve, and post back')).toEqual(['7', away.id, 'authorization_succeeded']);
    await page.context().close();
  });

  it('shows in a second tab, and on a second visit, that nothing is left to approve', async () => {
    const away = await leave();
    const [first, second] = [await open(away.approvalUrl), await open(away.approvalUrl)];
    await arriveBy(first, 'Approve');
    expect(await arriveBy(second, 'Refuse')).toEqual(['7', away.id, 'authorization_succeeded']);
    await first.goto(away.approvalUrl);
    expect(await first.getByRole('heading', { level: 1 }).innerText()).toBe('Nothing is left to approve');
    await first.context().close();
    await second.context().close();
  });
});
