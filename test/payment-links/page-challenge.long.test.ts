import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { browserRunsHere, startBrowser } from '../support/browser.ts';
import {
  CHALLENGED,
  FRICTIONLESS,
  startThreeDSHarness,
  type ThreeDSHarness,
} from '../transactions/three-ds-harness.ts';
import { fillCard, openPage, pressPay } from './shop.ts';

const inBrowser = browserRunsHere ? describe : describe.skip;

inBrowser('paying a link with 3-D Secure', () => {
  let harness: ThreeDSHarness;
  let browser: Browser;
  beforeAll(async () => {
    [harness, browser] = await Promise.all([startThreeDSHarness(), startBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await harness.stop();
  });

  const made = async (): Promise<{ id: string; url: string }> => {
    const { payload } = await harness.ask<{ payload: { paymentLink: { id: string; url: string } } }>(
      `mutation { payload: createPaymentLink(input: { amount: 1299, currency: "USD", country: "US",
        merchantName: "Nordlicht Kaffee" }) { paymentLink { id url } } }`,
    );
    return payload.paymentLink;
  };
  const statusesOf = async (id: string): Promise<readonly string[]> => {
    const { paymentLink } = await harness.ask<{ paymentLink: { transactions: { status: string }[] } }>(
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
      expect(await page.locator('dl').innerText()).toContain('Nordlicht Kaffee');
      await page.getByRole('button', { name: 'Fail the challenge' }).click();
      expect(await page.getByRole('alert').innerText()).toMatch(
        /^Your bank could not confirm that it was you/,
      );
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
