import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import {
  cardOf,
  CHALLENGED,
  startThreeDSHarness,
  type Shown,
  type ThreeDSHarness,
} from '../transactions/three-ds-harness.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('the page of a challenge in a browser', () => {
  let harness: ThreeDSHarness;
  let browser: Browser;
  let shop: Receiver;
  beforeAll(async () => {
    [harness, browser, shop] = await Promise.all([startThreeDSHarness(), startBrowser(), startReceiver()]);
  });
  afterAll(async () => {
    await browser.close();
    await shop.close();
    await harness.stop();
  });

  const challenged = (input: Record<string, unknown> = {}): Promise<Shown> =>
    harness.pay({ ...cardOf(CHALLENGED), externalIdentifier: 'order-1001', ...input });

  const open = async (
    { approvalUrl }: Shown,
    settings: { javaScriptEnabled?: boolean } = {},
  ): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 }, ...settings });
    const page = await context.newPage();
    await page.goto(approvalUrl ?? '');
    return page;
  };

  it.each([
    ['Confirm it is you', 'authorization_succeeded', 1],
    ['Fail the challenge', 'authorization_declined', 0],
  ])('%s leads back to the merchant, with scripts off', async (button, status, calls) => {
    const since = await harness.since();
    const redirectUrl = `${shop.url}/back`;
    const payment = await challenged({ redirectUrl });
    const page = await open(payment, { javaScriptEnabled: false });
    expect(await page.title()).toBe('Confirm it is you');
    const returned = page.waitForRequest((request) => request.url().startsWith(redirectUrl));
    await page.getByRole('button', { name: button, exact: true }).click();
    const query = new URL((await returned).url()).searchParams;
    expect([query.get('transaction_id'), query.get('transaction_status')]).toEqual([payment.id, status]);
    expect(since.calls().length).toBe(calls);
    await page.context().close();
  });

  it('works with the keyboard alone, fits into 320 pixels, and shows the result when no redirect exists', async () => {
    const payment = await challenged();
    const page = await open(payment);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You confirmed that it is you' }).waitFor();
    expect((await harness.show(payment.id)).status).toBe('AUTHORIZATION_SUCCEEDED');
    await page.context().close();
  });
});
