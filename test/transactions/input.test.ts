import { describe, expect, it } from '@jest/globals';
import { buildSchema, isEnumType } from 'graphql';
import { antiFraudConnectors } from '../../src/connectors/anti-fraud/index.ts';
import { connectors } from '../../src/connectors/index.ts';
import { readSdl } from '../../src/graph/federation/sdl.ts';
import { TAX_ID_KINDS } from '../../src/modules/payment-methods/model/people.ts';
import { INTEGRATION_CLIENTS, PRODUCT_TYPES } from '../../src/modules/transactions/model/details.ts';
import { canonicalOptions } from '../../src/modules/transactions/input/connection-options.ts';
import { createTransactionInput } from '../../src/modules/transactions/input/inputs.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { parseInput } from '../../src/platform/input/validate.ts';
import { createShiftedClock } from '../support/shifted-clock.ts';

const appOf = (production: boolean) => ({
  clock: createShiftedClock(),
  config: { ...parseConfig({}), production },
  connectors,
  antiFraudConnectors,
});
const [sandbox, production] = [appOf(false), appOf(true)];

const inAnHour = (): Date => new Date(sandbox.clock.now().getTime() + 3_600_000);
const anHourAgo = (): Date => new Date(sandbox.clock.now().getTime() - 3_600_000);

const input = {
  amount: 1299,
  currency: 'USD',
  paymentMethod: { card: { number: '4111 1111 1111 1111', expirationDate: '12/40' } },
  intent: 'authorize',
  paymentSource: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  store: false,
};

type Given = Readonly<Record<string, unknown>>;

type Options = { readonly app?: typeof sandbox; readonly when?: 'now' | 'ever' };

const parse = (given: Given, { app = sandbox, when = 'now' }: Options = {}) =>
  parseInput(createTransactionInput(app)[when], { ...input, ...given });

/** Returns the paths of the refused values. */
const refused = (given: Given, options?: Options): readonly string[] => {
  const parsed = parse(given, options);
  return parsed.ok ? [] : parsed.refusals.map(({ path }) => path.join('.'));
};

const item = (more: Given = {}): Given => ({ name: 'Socks', quantity: 1, unitAmount: 1299, ...more });
const long = (length: number): string => 'x'.repeat(length);

/** Nests a value n levels deep. */
const nested = (value: unknown): Given => ({ 'mock-card': { list: [{ of: value }] } });

describe('a field of createTransaction', () => {
  it.each<[string, Given]>([
    ['nothing but what is needed', {}],
    [
      'null everywhere',
      { store: false, installmentCount: null, threeDSecure: null, approvalExpiresAt: null },
    ],
    ['the least', { installmentCount: 1, threeDSecure: { amount: 1299 }, antiFraudFingerprint: 'x' }],
    ['the most', { installmentCount: 100, threeDSecure: { amount: 99_999_999 } }],
    ['the longest', { antiFraudFingerprint: long(200), externalIdentifier: long(200) }],
    ['3DS without an amount', { threeDSecure: {} }],
    ['a moment to come', { approvalExpiresAt: inAnHour() }],
    ['addresses', { redirectUrl: `https://shop.example/${long(2048 - 21)}` }],
    ['an http address in the sandbox', { redirectUrl: 'HTTP://localhost:3000/back?order=7#top' }],
    [
      'the buyer',
      { buyer: { accountNumber: long(200), billingDetails: { taxId: { value: long(50), kind: 'ae_trn' } } } },
    ],
    [
      'where the goods go',
      { shippingDetails: { phoneNumber: '+14155550100', address: { city: long(100) } } },
    ],
    [
      'items with a price in either form',
      { cartItems: [item(), item({ unitAmount: null, amount: { currency: 'USD', value: 0 } })] },
    ],
    ['as many items as there may be', { cartItems: Array.from({ length: 200 }, () => item()) }],
    [
      'the largest item',
      {
        cartItems: [
          item({
            name: long(255),
            quantity: 99_999_999,
            unitAmount: 99_999_999,
            categories: Array.from({ length: 50 }, () => long(50)),
          }),
        ],
      },
    ],
    [
      'options of every connector',
      {
        connectionOptions: {
          'mock-card': {},
          'oxxo-oxxo': null,
          'account-updater': { a: 1 },
          'wpay-payto': {},
        },
      },
    ],
    ['options of 16 KiB', { connectionOptions: { 'mock-card': { a: long(16 * 1024 - 22) } } }],
    ['options of an anti-fraud service', { connectionOptions: { 'mock-anti-fraud': { a: 1 } } }],
    ['options of all sorts', { connectionOptions: nested([1.5, 'é', null, true, { '': '' }]) }],
  ])('takes %s', (_, given) => {
    expect(refused(given)).toEqual([]);
  });

  it.each<[Given, string]>([
    [{ installmentCount: 0 }, 'installmentCount'],
    [{ installmentCount: 101 }, 'installmentCount'],
    [{ threeDSecure: { amount: 1298 } }, 'threeDSecure.amount'],
    [{ threeDSecure: { amount: -1 } }, 'threeDSecure.amount'],
    [{ threeDSecure: { amount: 100_000_000 } }, 'threeDSecure.amount'],
    [{ amount: 0, intent: 'capture' }, 'amount'],
    [{ paymentSource: 'recurring' }, 'store'],
    [{ paymentSource: 'moto', merchantInitiated: true }, 'merchantInitiated'],
    [{ paymentSource: 'installment', merchantInitiated: true }, 'isSubsequentPayment'],
    [{ approvalExpiresAt: anHourAgo() }, 'approvalExpiresAt'],
    [{ antiFraudFingerprint: '' }, 'antiFraudFingerprint'],
    [{ antiFraudFingerprint: long(201) }, 'antiFraudFingerprint'],
    [{ redirectUrl: '' }, 'redirectUrl'],
    [{ redirectUrl: 'shop.example' }, 'redirectUrl'],
    [{ redirectUrl: '/back' }, 'redirectUrl'],
    [{ redirectUrl: 'https:shop.example' }, 'redirectUrl'],
    [{ redirectUrl: 'https://shop.example/a b' }, 'redirectUrl'],
    [{ redirectUrl: 'https://shop.example/\r\nlocation: x' }, 'redirectUrl'],
    [{ redirectUrl: 'https://' }, 'redirectUrl'],
    [{ redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
    [{ redirectUrl: `https://shop.example/${long(2048 - 20)}` }, 'redirectUrl'],
    [{ buyer: { accountNumber: '' } }, 'buyer.accountNumber'],
    [{ buyer: { accountNumber: long(201) } }, 'buyer.accountNumber'],
    [
      { buyer: { billingDetails: { taxId: { value: '', kind: 'us_ein' } } } },
      'buyer.billingDetails.taxId.value',
    ],
    [
      { buyer: { billingDetails: { taxId: { value: long(51), kind: 'us_ein' } } } },
      'buyer.billingDetails.taxId.value',
    ],
    [{ shippingDetails: { firstName: long(256) } }, 'shippingDetails.firstName'],
    [{ shippingDetails: { lastName: '' } }, 'shippingDetails.lastName'],
    [{ shippingDetails: { emailAddress: long(321) } }, 'shippingDetails.emailAddress'],
    [{ shippingDetails: { phoneNumber: '0190' } }, 'shippingDetails.phoneNumber'],
    [{ shippingDetails: { address: { country: 'USA' } } }, 'shippingDetails.address.country'],
    [{ shippingDetails: { address: { postalCode: long(51) } } }, 'shippingDetails.address.postalCode'],
    [{ cartItems: Array.from({ length: 201 }, () => item()) }, 'cartItems'],
    [{ cartItems: [item(), item({ name: '' })] }, 'cartItems.1.name'],
    [{ cartItems: [item({ name: long(256) })] }, 'cartItems.0.name'],
    [{ cartItems: [item({ quantity: 0 })] }, 'cartItems.0.quantity'],
    [{ cartItems: [item({ quantity: 100_000_000 })] }, 'cartItems.0.quantity'],
    [{ cartItems: [item({ unitAmount: -1 })] }, 'cartItems.0.unitAmount'],
    [{ cartItems: [item({ unitAmount: null })] }, 'cartItems.0.unitAmount'],
    [{ cartItems: [item({ amount: { currency: 'USD', value: 1299 } })] }, 'cartItems.0.unitAmount'],
    [
      { cartItems: [item({ unitAmount: null, amount: { currency: 'EUR', value: 1 } })] },
      'cartItems.0.amount.currency',
    ],
    [
      { cartItems: [item({ unitAmount: null, amount: { currency: 'USD', value: -1 } })] },
      'cartItems.0.amount.value',
    ],
    [{ cartItems: [item({ discountAmount: -1 })] }, 'cartItems.0.discountAmount'],
    [{ cartItems: [item({ taxAmount: 100_000_000 })] }, 'cartItems.0.taxAmount'],
    [{ cartItems: [item({ dutyAmount: -1 })] }, 'cartItems.0.dutyAmount'],
    [{ cartItems: [item({ shippingAmount: -1 })] }, 'cartItems.0.shippingAmount'],
    [{ cartItems: [item({ externalIdentifier: long(201) })] }, 'cartItems.0.externalIdentifier'],
    [{ cartItems: [item({ sku: '' })] }, 'cartItems.0.sku'],
    [{ cartItems: [item({ upc: long(51) })] }, 'cartItems.0.upc'],
    [{ cartItems: [item({ productUrl: 'ftp://shop.example' })] }, 'cartItems.0.productUrl'],
    [{ cartItems: [item({ imageUrl: 'data:image/png,x' })] }, 'cartItems.0.imageUrl'],
    [{ cartItems: [item({ categories: ['a', ''] })] }, 'cartItems.0.categories.1'],
    [{ cartItems: [item({ categories: Array.from({ length: 51 }, () => 'a') })] }, 'cartItems.0.categories'],
    [{ cartItems: [item({ sellerCountry: 'us' })] }, 'cartItems.0.sellerCountry'],
    [{ cartItems: [item({ unitOfMeasure: long(51) })] }, 'cartItems.0.unitOfMeasure'],
    [{ cartItems: [item({ commodityCode: '' })] }, 'cartItems.0.commodityCode'],
    [{ cartItems: [item({ description: long(256) })] }, 'cartItems.0.description'],
    [{ connectionOptions: { 'mock-card': {}, nobody: {} } }, 'connectionOptions'],
    [{ connectionOptions: JSON.parse('{"__proto__": {}}') as unknown }, 'connectionOptions'],
    [{ connectionOptions: { 'mock-card': 'text' } }, 'connectionOptions.mock-card'],
    [{ connectionOptions: { 'mock-card': 1 } }, 'connectionOptions.mock-card'],
    [{ connectionOptions: { 'mock-card': [] } }, 'connectionOptions.mock-card'],
    [{ connectionOptions: { 'mock-card': { a: long(16 * 1024 - 21) } } }, 'connectionOptions'],
    [{ connectionOptions: { 'mock-card': { a: 'é'.repeat(8 * 1024) } } }, 'connectionOptions'],
    [{ connectionOptions: nested('\u0000') }, 'connectionOptions.mock-card'],
    [{ connectionOptions: nested({ 'a\u0007': 1 }) }, 'connectionOptions.mock-card'],
    [{ connectionOptions: nested('\ud800') }, 'connectionOptions.mock-card'],
  ])('is refused: %j', (given, path) => {
    expect(refused(given)).toEqual([`input.${path}`]);
  });

  it('repeats no value and no name in its messages', () => {
    const canary = '4111111111111111';
    const parsed = parse({
      redirectUrl: canary,
      statementDescriptor: { name: `<${canary}>` },
      connectionOptions: { [canary]: { [`${canary}\u0000`]: canary } },
      cartItems: [item({ unitAmount: null, amount: { currency: canary, value: 1 } })],
    });

    expect(parsed.ok ? [] : parsed.refusals).toHaveLength(4);
    expect(JSON.stringify(parsed)).not.toContain(canary);
  });

  it('may be an http address of a redirect in the sandbox only', () => {
    expect(refused({ redirectUrl: 'http://shop.example/' }, { app: production })).toEqual([
      'input.redirectUrl',
    ]);
    expect(refused({ redirectUrl: 'https://shop.example/' }, { app: production })).toEqual([]);
  });

  it.each<[string, Given]>([
    [
      'a card that has expired',
      { paymentMethod: { card: { number: '4111111111111111', expirationDate: '01/20' } } },
    ],
    ['a moment that has passed', { approvalExpiresAt: anHourAgo() }],
  ])('that only time has invalidated is told apart: %s', (_, given) => {
    expect(refused(given)).toHaveLength(1);
    expect(refused(given, { when: 'ever' })).toEqual([]);
  });

  it.each([
    ['IntegrationClient', INTEGRATION_CLIENTS],
    ['ProductType', PRODUCT_TYPES],
    ['TaxIdKind', TAX_ID_KINDS],
  ])('of the type %s has the values of the schema', (name, words) => {
    const sdl = readSdl('transactions')
      .replace(/^extend schema\n(?: .*\n)+/m, '')
      .replaceAll(/@(key|requiresScopes|shareable|tag)(\(.*?\]\]\)|\(.*?\))?/g, '');
    const type = buildSchema(sdl).getType(name);

    expect(isEnumType(type) && type.getValues().map((value) => value.name.toLowerCase())).toEqual(words);
  });
});

describe('a statement descriptor', () => {
  it.each([
    'SHOP*',
    'Shop',
    '12345',
    '     ',
    'ABCDE<',
    'Ab"cde',
    "Bob's shop",
    'a\\bcde',
    'Café 12',
    'x'.repeat(23),
    'ABC\nDE',
    '',
    'Shop & Co',
  ])('does not have the name %j', (name) => {
    expect(refused({ statementDescriptor: { name } })).toEqual(['input.statementDescriptor.name']);
    expect(refused({ statementDescriptor: { description: name } })).toEqual([
      'input.statementDescriptor.description',
    ]);
  });

  it.each(['SHOP 1', 'a.,_-?+/ 9', 'x'.repeat(22), '1234a'])('has the name %j', (name) => {
    expect(refused({ statementDescriptor: { name, description: name } })).toEqual([]);
  });

  it.each<[Given, string]>([
    [{ city: long(51) }, 'city'],
    [{ country: 'DEU' }, 'country'],
    [{ phoneNumber: '+0123' }, 'phoneNumber'],
    [{ url: long(51) }, 'url'],
    [{ postalCode: '' }, 'postalCode'],
  ])('is refused: %j', (given, path) => {
    expect(refused({ statementDescriptor: given })).toEqual([`input.statementDescriptor.${path}`]);
  });
});

describe('cart items', () => {
  it('are stored in one form, independent of the given form', () => {
    const one = parse({ cartItems: [item({ discountAmount: 5 })] });
    const other = parse({
      cartItems: [
        {
          name: 'Socks',
          quantity: 1,
          amount: { currency: 'USD', value: 1299 },
          discountAmount: 5,
          taxAmount: null,
        },
      ],
    });

    expect(one).toEqual(other);
    expect(one.ok && one.value.cartItems).toMatchObject([
      { unitAmount: 1299, discountAmount: 5, taxAmount: 0, sku: null },
    ]);
    expect(one.ok && one.value.cartItems?.[0]).not.toHaveProperty('amount');
  });

  it('are null when empty', () => {
    const parsed = parse({ cartItems: [] });

    expect(parsed.ok && parsed.value.cartItems).toBeNull();
  });
});

describe('canonicalOptions', () => {
  it('does not depend on the order of names', () => {
    expect(canonicalOptions({ 'mock-card': { a: 1, b: [{ c: 2, d: 3 }] } })).toEqual(
      canonicalOptions({ 'mock-card': { b: [{ d: 3, c: 2 }], a: 1 } }),
    );
  });

  it.each<[Record<string, Given | null>, Record<string, Given | null>]>([
    [{ 'mock-card': { 'a.b': 1 } }, { 'mock-card': { a: { b: 1 } } }],
    [{ 'mock-card': { a: [1, 2] } }, { 'mock-card': { a: [2, 1] } }],
    [{ 'mock-card': { a: ['x'] } }, { 'mock-card': { a: { 0: 'x' } } }],
    [{ 'mock-card': {} }, { 'mock-card': null }],
    [{ 'mock-card': {} }, {}],
    [{ 'mock-card': { a: null } }, { 'mock-card': {} }],
  ])('distinguishes %j from %j', (a, b) => {
    expect(canonicalOptions(a as never)).not.toEqual(canonicalOptions(b as never));
  });
});
