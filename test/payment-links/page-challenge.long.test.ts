import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import {
  CHALLENGED,
  FRICTIONLESS,
  startThreeDSHouse,
  type ThreeDSHouse,
} from '../transactions/three-ds-house.ts';
import { fillCard, openPage, pressPay } from './shop.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('paying a link with 3-D Secure', () => {
  let house: ThreeDSHouse;
  let browser: Browser;
  beforeAll(async () => {
    [house, browser] = await Promise.all([startThreeDSHouse(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await house.stop();
  });

  const made = async (): Promise<{ id: string; url: string }> => {
    const { payload } = await house.ask<{ payload: { paymentLink: { id: string; url: string } } }>(
      `mutation { payload: createPaymentLink(input: { amount: 1299, currency: "USD", country: "US" }) {
        paymentLink { id url } } }`,
    );
    return payload.paymentLink;
  };
  const statusesOf = async (id: string): Promise<readonly string[]> => {
    const { paymentLink } = await house.ask<{ paymentLink: { transactions: { status: string }[] } }>(
      'query ($id: ID!) { paymentLink(id: $id) { transactions { status } } }',
      { id },
    );
    return paymentLink.transactions.map(({ status }) => status);
  };

  it.each([true, false])(
    'sends the buyer to the issuer, and shows the result after the return (scripts: %s)',
    async (javaScriptEnabled) => {
      const { id, url } = await made();
      const page = await openPage(browser, url, { javaScriptEnabled });
      await fillCard(page, CHALLENGED);
      await pressPay(page);
      await page.getByRole('button', { name: 'Fail the challenge' }).click();
      expect(await page.getByRole('alert').innerText()).toMatch(/^The payment was declined/);
      await fillCard(page, CHALLENGED);
      await pressPay(page);
      await page.getByRole('button', { name: 'Confirm it is you' }).click();
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Payment successful');
      expect(await statusesOf(id)).toEqual(['AUTHORIZATION_SUCCEEDED', 'AUTHORIZATION_DECLINED']);
      await page.context().close();
    },
  );

  it('challenges no buyer without need', async () => {
    const { id, url } = await made();
    const page = await openPage(browser, url);
    await fillCard(page, FRICTIONLESS);
    await pressPay(page);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Payment successful');
    expect(await statusesOf(id)).toEqual(['AUTHORIZATION_SUCCEEDED']);
    await page.context().close();
  });
});
