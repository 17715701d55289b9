import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findLinkMethods } from '../../src/modules/payment-links/index.ts';
import type { App } from '../../src/app.ts';
import { refuseSplitsOff } from '../../src/modules/transactions/index.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { CARD, createService } from '../transactions/harness.ts';
import { startLinks, type LinksHarness } from './harness.ts';

let harness: LinksHarness;
beforeAll(async () => {
  harness = await startLinks();
  for (const definitionId of ['mock-gift-card', 'mock-paypal'])
    await createService(harness.server, harness.provider.url, { definitionId });
});
afterAll(() => harness.stop());

const SPLITS = [
  { kind: 'RECIPIENT', account: 'seller', amount: 1169, reference: 'S-1' },
  { kind: 'PLATFORM_FEE', account: null, amount: 130, reference: null },
];

const splitsOf = async (id: string) =>
  (
    await harness.ask<{ splits: unknown }>(
      'query ($id: ID!) { answer: paymentLink(id: $id) { splits { kind account amount reference } } }',
      { id },
    )
  ).splits;

describe('a payment link with splits', () => {
  it('shows them, and hands them to its payment', async () => {
    const link = await harness.made({ splits: SPLITS, intent: 'CAPTURE' });
    expect(await splitsOf(link.id)).toEqual(SPLITS);
    expect(await harness.pay(link)).toMatchObject({ ok: true });
    expect(harness.provider.calls.at(-1)).toMatchObject({
      operation: 'authorize',
      splits: [{ account: 'seller', amount: 1169 }, { amount: 130 }],
    });
  });

  it('offers only methods of services that share money, and no gift cards', async () => {
    const methodsOf = async (input: object) =>
      findLinkMethods(harness.server.app, await harness.found(await harness.made(input)));
    expect(await methodsOf({})).toMatchObject({ card: true, giftCards: true, redirects: ['paypal'] });
    expect(await methodsOf({ splits: SPLITS })).toMatchObject({
      ...{ card: true, giftCards: false, redirects: [] },
    });
  });

  it('is refused if the splits do not make the amount', async () => {
    const { paymentLink, userErrors } = await harness.create({ splits: SPLITS.slice(0, 1) });
    expect(paymentLink).toBeNull();
    expect(userErrors).toMatchObject([
      { path: ['input', 'splits'], message: expect.stringContaining('130 minor units more') },
    ]);
  });

  it('has none without them', async () => {
    expect(await splitsOf((await harness.made()).id)).toBeNull();
  });
});

describe('while a process of a version without splits may work', () => {
  let off: LinksHarness;
  beforeAll(async () => {
    off = await startLinks('mock-card', { PAYGRAPH_SPLITS: 'false' });
  });
  afterAll(() => off.stop());
  const refusal = { path: ['input', 'splits'], message: expect.stringContaining('PAYGRAPH_SPLITS=true') };

  it('links and payments with splits are refused', async () => {
    expect(await off.create({ splits: SPLITS })).toMatchObject({ paymentLink: null, userErrors: [refusal] });
    const input = { amount: 1299, currency: 'USD', paymentMethod: { card: CARD }, splits: SPLITS };
    const document = `mutation ($input: CreateTransactionInput!) {
      answer: createTransaction(input: $input) { transaction { id } userErrors { path message } } }`;
    expect(await off.ask(document, { input })).toMatchObject({ transaction: null, userErrors: [refusal] });
    expect(off.provider.calls).toEqual([]);
  });

  it('a link of a process that takes splits is paid with them', async () => {
    const link = await off.made();
    const stored = SPLITS.map((split) => ({ ...split, kind: split.kind.toLowerCase() }));
    const text = 'UPDATE payment_link SET splits = $1::jsonb WHERE id = $2::uuid RETURNING id::text';
    expect(await off.rows(text, JSON.stringify(stored), link.id)).toHaveLength(1);
    expect(await off.pay(link)).toMatchObject({ ok: true });
    expect(off.provider.calls.at(-1)).toMatchObject({ splits: [{ account: 'seller' }, { amount: 130 }] });
  });

  it.each([
    [{}, false],
    [{ PAYGRAPH_SPLITS: 'false' }, true],
    [{ NODE_ENV: 'production' }, true],
    [{ NODE_ENV: 'production', PAYGRAPH_SPLITS: 'true' }, false],
  ])('the settings %j decide', (environment, isRefused) => {
    const config = { production: 'NODE_ENV' in environment, ...flagOf(environment) };
    expect(refuseSplitsOff({ config: config as App['config'] }) !== null).toBe(isRefused);
  });
});

/** Reads the setting from an environment. */
const flagOf = (environment: object) => {
  const { PAYGRAPH_SPLITS } = parseConfig({ ...environment, NODE_ENV: '' });
  return { PAYGRAPH_SPLITS };
};
