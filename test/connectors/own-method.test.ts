import { describe, expect, it } from '@jest/globals';
import type { Definition } from '../../src/connectors/interface/definition.ts';
import { visit } from '../payment-links/form.ts';
import { CREDENTIALS } from './adyen/double.ts';
import { startAdyen } from './adyen/start.ts';
import { countAll } from '../reports/count-all.ts';
import { openShop } from './kit/shop.ts';

/** A method with a name that Paygraph does not know. */
const BARTER = { method: 'barter', displayName: 'Barter & Co' };

const withBarter = (definition: Definition): Definition =>
  definition.id === 'adyen-alipay' ? { ...definition, ...BARTER } : definition;

const shop = await openShop(async (now) => {
  const { connector, ...started } = await startAdyen({ now });
  const definitions = connector.definitions.map(withBarter);
  const fields = CREDENTIALS;
  return { ...started, fields, definition: 'adyen-alipay', connector: { ...connector, definitions } };
});
const { harness } = shop;

const PAYMENT = {
  ...{ amount: 1299, currency: 'EUR', country: 'DE', intent: 'CAPTURE' },
  ...{ paymentMethod: { redirect: { method: 'barter' } }, redirectUrl: 'https://shop.example/back' },
};

describe('a method that a connector brings', () => {
  it('pays, and lists, filters and reports name the method', async () => {
    const from = new Date(Math.floor(harness.clock.now().getTime() / 3_600_000) * 3_600_000);
    const { transaction } = await harness.create(PAYMENT);
    expect(transaction).toMatchObject({ status: 'BUYER_APPROVAL_PENDING' });

    await countAll(harness.server.app);
    const { listed, report } = await harness.ask<{ listed: object; report: object }>(
      `query ($from: DateTime!, $to: DateTime!) {
        listed: transactions(filter: { method: ["barter"] }) { nodes { id method } }
        report: transactionReport(from: $from, to: $to, groupBy: METHOD, filter: { method: ["barter"] }) {
          rows { value created { count } } } }`,
      { from, to: new Date(from.getTime() + 3_600_000) },
    );
    expect(listed).toEqual({ nodes: [{ id: transaction?.id, method: 'barter' }] });
    expect(report).toEqual({ rows: [{ value: 'barter', created: { count: 1 } }] });
  });

  it('is on the page of a link, under the name of its definition', async () => {
    const { made } = await harness.ask<{ made: { paymentLink: { id: string; url: string } } }>(
      `mutation { made: createPaymentLink(input: { amount: 1299, currency: "EUR", country: "DE", intent: CAPTURE }) {
        paymentLink { id url } } }`,
    );
    const { html } = await visit(made.paymentLink);
    expect(html).toContain('value="barter"');
    expect(html).toContain('Barter &amp; Co');
  });

  it.each([
    ['barter', []],
    ['klarna', []],
    ['swap', [['input', 'instrument', 'redirect', 'method']]],
    ['card', [['input', 'instrument', 'redirect', 'method']]],
  ])('is stored if a connector has the method, or the specification: %s', async (method, paths) => {
    const redirect = { method, country: 'DE', currency: 'EUR', redirectUrl: 'https://shop.example/back' };
    const { stored } = await harness.ask<{ stored: { userErrors: readonly { path: readonly string[] }[] } }>(
      `mutation ($input: StorePaymentMethodInput!) { stored: storePaymentMethod(input: $input) { userErrors { path } } }`,
      { input: { instrument: { redirect } } },
    );
    expect(stored.userErrors.map(({ path }) => path)).toEqual(paths);
  });
});
