import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findByToken } from '../../src/modules/payment-links/index.ts';
import { everythingOf, PLAIN, startLinks, type LinksHarness } from './harness.ts';

const DAY_MS = 24 * 3_600_000;

let harness: LinksHarness;
let rival: { readonly id: string; readonly token: string };
beforeAll(async () => {
  harness = await startLinks();
  rival = await harness.server.createMerchantAccount();
});
afterAll(() => harness.stop());

const NOTHING = {
  ...{ buyerId: null, buyer: null, shippingDetails: null, cartItems: null, statementDescriptor: null },
  ...{ metadata: null, connectionOptions: null, installmentCount: null, externalIdentifier: null },
  ...{ locale: null, merchantName: null, merchantUrl: null, merchantBannerUrl: null, merchantColor: null },
  ...{
    merchantMessage: null,
    merchantTermsAndConditionsUrl: null,
    merchantFaviconUrl: null,
    returnUrl: null,
  },
};
const ADDRESS = {
  ...{ city: 'Berlin', country: 'DE', postalCode: '10115', state: null, stateCode: 'DE-BE' },
  ...{ houseNumberOrName: '1', line1: 'Weg', line2: null, organization: null },
};
const CONTACT = {
  ...{ firstName: 'Jane', lastName: 'Doe', emailAddress: 'jane@example.com' },
  ...{ phoneNumber: '+4930123456', address: ADDRESS },
};
const ALL = {
  ...{ amount: 99_999_999, currency: 'EUR', country: 'DE', intent: 'CAPTURE', paymentSource: 'INSTALLMENT' },
  ...{ store: true, offersReceipt: true },
  buyer: {
    ...{ displayName: 'Jane', externalIdentifier: 'c-1', accountNumber: 'A 1' },
    billingDetails: { ...CONTACT, taxId: { value: 'DE123456789', kind: 'EU_VAT' } },
  },
  statementDescriptor: {
    ...{ name: 'Shop 12', description: 'Shoes', city: 'Berlin', country: 'DE' },
    ...{ phoneNumber: '+4930123456', url: 'shop.example', postalCode: '10115' },
  },
  metadata: { cart: '42', lines: [{ sku: 7, 'gift wrap': true, note: null }], rate: 1.5e-7 },
  connectionOptions: { 'mock-card': { a: [1, null] } },
  ...{ installmentCount: 100, externalIdentifier: 'order 1', locale: 'de-DE', merchantName: 'Shop' },
  merchantUrl: 'https://shop.example',
  merchantBannerUrl: 'https://shop.example/banner.png',
  merchantColor: 'oklch(60% 0.2 250 / 50%)',
  merchantMessage: 'Thank you',
  merchantTermsAndConditionsUrl: 'https://shop.example/terms',
  merchantFaviconUrl: 'http://localhost/favicon.ico',
  returnUrl: 'https://shop.example/back?order=1',
};

describe('a payment link', () => {
  it('is active for 24 hours and has only the given fields', async () => {
    const link = await harness.made();

    expect(link).toMatchObject({
      ...{ ...PLAIN, ...NOTHING, merchantAccountId: 'default', status: 'ACTIVE', transactions: [] },
      ...{ intent: 'AUTHORIZE', paymentSource: 'ECOMMERCE', store: false },
    });
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBe(DAY_MS);
    expect(await harness.read(link.id)).toEqual(link);
    expect(await harness.notified(link.id)).toEqual(['payment-link.created active']);
  });

  it('keeps all given fields', async () => {
    const expiresAt = '2099-12-31T23:59:59.999Z';
    const shippingDetails = { ...CONTACT, firstName: 'Joan' };
    const item = { name: 'Shoe', quantity: 2, amount: { currency: 'EUR', value: 5 } };
    const link = await harness.made({ ...ALL, expiresAt, shippingDetails, cartItems: [item] });

    expect(link).toMatchObject({ ...ALL, expiresAt, buyerId: null, buyer: { ...ALL.buyer, id: null } });
    expect(link['shippingDetails']).toEqual({ ...shippingDetails, id: null, buyerId: null });
    expect(link['cartItems']).toEqual([{ ...item, unitAmount: 5 }]);
  });

  it('has an address without its id, and the database keeps the token only as a digest', async () => {
    const [one, other] = [await harness.made(), await harness.made()];
    const [token = '', otherToken = ''] = [one, other].map(({ url }) => url.split('/').at(-1));

    expect(one.url).toBe(`${harness.server.url}/pay/${token}`);
    expect(Buffer.from(token, 'base64url')).toHaveLength(16);
    expect(token).not.toBe(otherToken);
    expect(await findByToken(harness.server.app, token)).toMatchObject({ id: one.id, status: 'active' });
    const kept = await everythingOf(harness, 'payment_link', 'event', 'idempotency_key', 'payment_link_term');
    expect(kept).not.toContain(token);
    expect(harness.server.logs()).not.toContain(token);
  });

  it.each(['', 'x', 'A'.repeat(21), 'A'.repeat(23), 'A'.repeat(22), `${'A'.repeat(21)}\0`])(
    'is found by no other token (%j)',
    async (token) => {
      expect(await findByToken(harness.server.app, token)).toBeNull();
    },
  );

  it('keeps copies of a stored buyer and of its shipping details', async () => {
    const { buyer } = await harness.ask<{ buyer: { id: string } }>(
      `mutation ($input: CreateBuyerInput!) { answer: createBuyer(input: $input) { buyer { id } } }`,
      { input: { displayName: 'Stored', externalIdentifier: 'stored-1' } },
    );
    const { shippingDetails } = await harness.ask<{ shippingDetails: { id: string } }>(
      `mutation ($id: ID!) {
        answer: createShippingDetails(buyerId: $id, input: { firstName: "Jane" }) { shippingDetails { id } } }`,
      { id: buyer.id },
    );
    const shippingDetailsId = shippingDetails.id;
    const byId = await harness.made({ buyerId: buyer.id.toUpperCase(), shippingDetailsId });
    const byName = await harness.made({ buyerExternalIdentifier: 'stored-1' });
    await harness.ask(`mutation ($id: ID!) { answer: deleteBuyer(id: $id) { deletedId } }`, { id: buyer.id });

    const copied = { buyerId: buyer.id, buyer: { id: buyer.id, displayName: 'Stored' } };
    const shown = { id: shippingDetailsId, buyerId: buyer.id, firstName: 'Jane', lastName: null };
    expect(await harness.read(byId.id)).toMatchObject({ ...copied, shippingDetails: shown });
    expect(await harness.read(byName.id)).toMatchObject({ ...copied, shippingDetails: null });
    expect(await harness.create({ buyerId: buyer.id })).toMatchObject({
      ...{ paymentLink: null, userErrors: [{ code: 'NOT_FOUND', path: ['input', 'buyerId'] }] },
    });
  });
});

const UNKNOWN = '018f0000-0000-7000-8000-000000000000';
const BUYERS = 'buyerExternalIdentifier';

describe('a payment link is refused for', () => {
  it.each([
    ['a negative amount', { amount: -1 }, 'amount'],
    ['too large an amount', { amount: 100_000_000 }, 'amount'],
    ['nothing to capture', { amount: 0, intent: 'CAPTURE' }, 'amount'],
    ['a currency in lower case', { currency: 'usd' }, 'currency'],
    ['a country that is none', { country: 'USA' }, 'country'],
    ['a first instalment that is not stored', { paymentSource: 'INSTALLMENT' }, 'store'],
    ['no instalments', { installmentCount: 0 }, 'installmentCount'],
    ['too many instalments', { installmentCount: 101 }, 'installmentCount'],
    ['an empty external identifier', { externalIdentifier: '' }, 'externalIdentifier'],
    ['a long external identifier', { externalIdentifier: 'x'.repeat(201) }, 'externalIdentifier'],
    ['a language that is none', { locale: 'german!' }, 'locale'],
    ['an empty name', { merchantName: '' }, 'merchantName'],
    ['a long name', { merchantName: 'x'.repeat(101) }, 'merchantName'],
    ['a long message', { merchantMessage: 'x'.repeat(256) }, 'merchantMessage'],
    ['a colour of no name', { merchantColor: 'reddish' }, 'merchantColor'],
    ['an empty colour', { merchantColor: '' }, 'merchantColor'],
    ['a colour of 101 characters', { merchantColor: `rgb(0 0 0${' '.repeat(91)})` }, 'merchantColor'],
    ['a colour of a variable', { merchantColor: 'var(--red)' }, 'merchantColor'],
    ['a colour that is more', { merchantColor: '#fff;}body{background:url(x)' }, 'merchantColor'],
    ['a colour with a line break', { merchantColor: '#ffffff\n' }, 'merchantColor'],
    ['a colour without its sign', { merchantColor: 'ffd400' }, 'merchantColor'],
    ['metadata with a control character', { metadata: { a: '\u0001' } }, 'metadata'],
    ['a script for an address', { merchantUrl: 'javascript:alert(1)' }, 'merchantUrl'],
    ['data for a banner', { merchantBannerUrl: 'data:image/png;base64,AA' }, 'merchantBannerUrl'],
    ['an address without a scheme', { merchantFaviconUrl: '//shop.example/x' }, 'merchantFaviconUrl'],
    [
      'terms at a mail address',
      { merchantTermsAndConditionsUrl: 'mailto:a@b.c' },
      'merchantTermsAndConditionsUrl',
    ],
    ['a return with a password', { returnUrl: 'https://me:secret@shop.example' }, 'returnUrl'],
    ['a long address', { returnUrl: `https://shop.example/${'x'.repeat(2048)}` }, 'returnUrl'],
    ['a moment that is past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [
      'a descriptor that is not printed',
      { statementDescriptor: { name: '<b>' } },
      'statementDescriptor.name',
    ],
    ['options of no connector', { connectionOptions: { nobody: {} } }, 'connectionOptions'],
    ['two buyers', { buyerId: UNKNOWN, buyer: {} }, 'buyerId'],
    ['two other buyers', { [BUYERS]: 'x', buyer: {} }, BUYERS],
    ['no id', { buyerId: 'me' }, 'buyerId'],
    ['shipping details of nobody', { shippingDetailsId: UNKNOWN }, 'shippingDetailsId'],
    ['an item of another currency', ITEM_OF('EUR'), 'cartItems.0.amount.currency'],
  ])('%s', async (_, input, path) => {
    const before = await harness.rows('SELECT id FROM payment_link');
    const { paymentLink, userErrors } = await harness.create(input);

    expect(paymentLink).toBeNull();
    expect(userErrors.map((error) => [error.code, error.path.join('.')])).toEqual([
      ['INVALID_INPUT', `input.${path}`],
    ]);
    expect(JSON.stringify(userErrors)).not.toMatch(/secret|alert|url\(x/);
    expect(await harness.rows('SELECT id FROM payment_link')).toEqual(before);
  });

  it('all its faults, at once', async () => {
    const { userErrors } = await harness.create({
      amount: -1,
      merchantColor: 'x',
      returnUrl: 'x',
      buyerId: 'x',
    });

    expect(userErrors.map(({ path }) => path.at(-1))).toEqual(
      expect.arrayContaining(['amount', 'merchantColor', 'returnUrl', 'buyerId']),
    );
  });

  it.each([
    ['buyerId', { buyerId: UNKNOWN }],
    ['buyerExternalIdentifier', { buyerExternalIdentifier: 'nobody' }],
  ])('an unknown buyer (%s), and one of another merchant account', async (path, input) => {
    const answer = { paymentLink: null, userErrors: [{ code: 'NOT_FOUND', path: ['input', path] }] };
    const { buyer } = await harness.ask<{ buyer: { id: string } }>(
      `mutation ($input: CreateBuyerInput!) { answer: createBuyer(input: $input) { buyer { id } } }`,
      { input: { externalIdentifier: `theirs ${path}` } },
      rival.token,
    );
    const theirs = path === 'buyerId' ? { buyerId: buyer.id } : { buyerExternalIdentifier: `theirs ${path}` };

    expect(await harness.create(input)).toMatchObject(answer);
    expect(await harness.create(theirs)).toMatchObject(answer);
  });
});

function ITEM_OF(currency: string) {
  return { cartItems: [{ name: 'Shoe', quantity: 1, amount: { currency, value: 1 } }] };
}

describe('a key', () => {
  it('returns a link again whose input has become invalid, because its expiry has passed', async () => {
    const [row] = await harness.rows<{ soon: Date }>(`SELECT clock_timestamp() + interval '2 s' AS soon`);
    const input = { expiresAt: row?.soon };
    const first = await harness.create(input, 'soon');
    expect(first.userErrors).toEqual([]);
    let refused = await harness.create(input);
    while (refused.paymentLink) refused = await harness.create(input);

    expect(refused.userErrors.map(({ path }) => path)).toEqual([['input', 'expiresAt']]);
    expect(await harness.create(input, 'soon')).toEqual({ ...first, replayed: true });
  });
});

describe('the payment links of another merchant account', () => {
  it('look like unknown ones', async () => {
    const { id } = await harness.made({ externalIdentifier: 'ours' });

    expect(await harness.read(id, rival.token)).toBeNull();
    expect(await harness.expire(id, rival.token)).toMatchObject({
      ...{ paymentLink: null, userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] },
    });
    const list = 'query { answer: paymentLinks { nodes { id url } } }';
    expect(await harness.ask(list, {}, rival.token)).toEqual({ nodes: [] });
    expect(await harness.read(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('need the scope', async () => {
    const { id } = await harness.made();
    const token = await harness.server.mint({ scopes: ['transactions.read', 'payment-links.write'] });

    await expect(harness.read(id, token)).rejects.toThrow('payment-links.read');
    const reader = await harness.server.mint({ scopes: ['payment-links.read'] });
    await expect(harness.expire(id, reader)).rejects.toThrow('payment-links.write');
    await expect(harness.read(id, reader)).rejects.toThrow('transactions.read');
  });
});
