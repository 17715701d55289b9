import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconciliationIdOf } from '../../src/kernel/reconciliation-id.ts';
import { CARD, startHarness, type Harness } from './harness.ts';

let harness: Harness;
let callsBefore: number;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());
beforeEach(() => {
  callsBefore = harness.provider.calls.length;
});

const callsSince = () => harness.provider.calls.slice(callsBefore);
const count = async () => harness.server.app.db.prisma.transaction.count();

const PERSON = `firstName lastName emailAddress phoneNumber
  address { city country postalCode state stateCode houseNumberOrName line1 line2 organization }`;

const FIELDS = `id reconciliationId store installmentCount threeDSecure { amount } approvalExpiresAt integrationClient
  paymentSource merchantInitiated isSubsequentPayment redirectUrl antiFraudFingerprint connectionOptions metadata canceledAt
  statementDescriptor { name description city country phoneNumber url postalCode }
  cartItems { name quantity amount { currency value } unitAmount discountAmount taxAmount externalIdentifier sku upc
    productUrl imageUrl categories productType sellerCountry taxExempt unitOfMeasure commodityCode description dutyAmount
    shippingAmount }
  buyer { displayName externalIdentifier accountNumber billingDetails { ${PERSON} taxId { value kind } } }
  shippingDetails { ${PERSON} }`;

type Fields = Readonly<Record<string, unknown>> & { readonly id: string };
type Payload = {
  readonly transaction: Fields | null;
  readonly userErrors: readonly {
    readonly code: string;
    readonly path: readonly string[];
    readonly message: string;
  }[];
  readonly replayed: boolean;
};

const CREATE = `mutation ($input: CreateTransactionInput!, $key: String) {
  payload: createTransaction(input: $input, idempotencyKey: $key) { transaction { ${FIELDS} } replayed
    userErrors { code path message ... on IdempotencyKeyReused { differingPaths } } } }`;

async function create(given: Readonly<Record<string, unknown>>, key?: string): Promise<Payload> {
  const input = { amount: 1299, currency: 'USD', paymentMethod: { card: CARD }, ...given };
  const { body } = await harness.server.graphql<{ payload: Payload }>(CREATE, { input, key });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.payload;
}

async function read(id: string): Promise<Fields | null> {
  const { body } = await harness.server.graphql<{ transaction: Fields }>(
    `query ($id: ID!) { transaction(id: $id) { ${FIELDS} } }`,
    { id },
  );
  return body.data?.transaction ?? null;
}

const ADDRESS = {
  city: 'London',
  country: 'GB',
  postalCode: 'SW1Y 4LE',
  state: 'Greater London',
  stateCode: 'GB-LND',
  houseNumberOrName: '12',
  line1: "St James's Square",
  line2: 'Second floor',
  organization: 'Analytical Engines',
};
const CONTACT = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  emailAddress: 'ada@example.com',
  phoneNumber: '+442071234567',
  address: ADDRESS,
};
const ITEM = {
  name: 'Socks',
  quantity: 2,
  unitAmount: 500,
  discountAmount: 1,
  taxAmount: 2,
  externalIdentifier: 'line 1',
  sku: 'S-1',
  upc: '012345678905',
  productUrl: 'https://shop.example/socks',
  imageUrl: 'http://shop.example/socks.png',
  categories: ['clothes', 'feet'],
  productType: 'PHYSICAL',
  sellerCountry: 'DE',
  taxExempt: false,
  unitOfMeasure: 'pair',
  commodityCode: '6115',
  description: 'Warm ones',
  dutyAmount: 3,
  shippingAmount: 4,
};

/** Every field with a distinct value. */
const ALL = {
  store: true,
  installmentCount: 12,
  threeDSecure: { amount: 1300 },
  integrationClient: 'ANDROID',
  paymentSource: 'INSTALLMENT',
  merchantInitiated: true,
  isSubsequentPayment: true,
  redirectUrl: 'http://localhost:3000/back?order=7',
  antiFraudFingerprint: 'session 12',
  connectionOptions: {
    'mock-card': { skip_retry: true, nested: { 'a.b': [1, 2.5, null, 'é'] }, large: 9_007_199_254_740_991 },
    'adyen-card': null,
  },
  metadata: { basket: '12', lines: [{ sku: 7, gift: true, note: null }], rate: 1.5e-7, none: null },
  statementDescriptor: {
    name: 'SHOP 1',
    description: 'Socks and/or shoes',
    city: 'Berlin',
    country: 'DE',
    phoneNumber: '+4930123456',
    url: 'shop.example',
    postalCode: '10117',
  },
  buyer: {
    displayName: 'Ada',
    externalIdentifier: 'buyer 7',
    accountNumber: 'A-7',
    billingDetails: { ...CONTACT, taxId: { value: 'GB123456789', kind: 'GB_VAT' } },
  },
  shippingDetails: { ...CONTACT, firstName: 'Charles', lastName: 'Babbage' },
} as const;

describe('createTransaction with every field', () => {
  it('stores and answers them, in a replay too', async () => {
    const input = {
      ...ALL,
      cartItems: [ITEM, { name: 'Card', quantity: 1, amount: { currency: 'USD', value: 299 } }],
    };

    const payload = await create(input, 'all');

    const { id = '' } = payload.transaction ?? {};
    expect(payload).toEqual({
      transaction: {
        id,
        reconciliationId: reconciliationIdOf(id),
        ...ALL,
        approvalExpiresAt: null,
        canceledAt: null,
        cartItems: [
          { ...ITEM, amount: { currency: 'USD', value: 500 } },
          {
            ...Object.fromEntries(Object.keys(ITEM).map((field) => [field, null])),
            name: 'Card',
            quantity: 1,
            amount: { currency: 'USD', value: 299 },
            unitAmount: 299,
            discountAmount: 0,
            taxAmount: 0,
          },
        ],
      },
      userErrors: [],
      replayed: false,
    });
    expect(await read(id)).toEqual(payload.transaction);
    expect(await create(input, 'all')).toEqual({ ...payload, replayed: true });
    const { phoneNumber: phone_number, postalCode: postal_code, ...line } = ALL.statementDescriptor;
    expect(callsSince()).toMatchObject([
      {
        options: ALL.connectionOptions['mock-card'],
        installments: 12,
        statement_descriptor: { ...line, phone_number, postal_code },
      },
    ]);
  });

  it('returns null and false for all omitted fields', async () => {
    const { transaction } = await create({});

    expect(transaction).toEqual({
      ...Object.fromEntries(
        [...Object.keys(ALL), 'approvalExpiresAt', 'canceledAt', 'cartItems'].map((field) => [field, null]),
      ),
      id: transaction?.id,
      reconciliationId: reconciliationIdOf(transaction?.id ?? ''),
      paymentSource: 'ECOMMERCE',
      store: false,
      merchantInitiated: false,
      isSubsequentPayment: false,
    });
  });

  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['store', { store: false }, ['input.store']],
    ['instalments', { installmentCount: 11 }, ['input.installmentCount']],
    ['3DS amount', { threeDSecure: { amount: 1301 } }, ['input.threeDSecure.amount']],
    ['client', { integrationClient: 'WEB' }, ['input.integrationClient']],
    ['source', { paymentSource: 'RECURRING' }, ['input.paymentSource']],
    ['redirect', { redirectUrl: 'https://shop.example/' }, ['input.redirectUrl']],
    ['fingerprint', { antiFraudFingerprint: 'session 13' }, ['input.antiFraudFingerprint']],
    [
      'option',
      { connectionOptions: { ...ALL.connectionOptions, 'mock-card': { nested: { a: { b: 1 } } } } },
      ['input.connectionOptions.mock-card'],
    ],
    ['metadata', { metadata: { ...ALL.metadata, basket: '13' } }, ['input.metadata.basket']],
    ['a number as text', { metadata: { ...ALL.metadata, rate: '1.5e-7' } }, ['input.metadata.rate']],
    ['null that is left out', { metadata: { ...ALL.metadata, none: undefined } }, ['input.metadata.none']],
    [
      'metadata inside metadata',
      { metadata: { ...ALL.metadata, lines: [{ sku: '7', gift: true, note: null }] } },
      ['input.metadata.lines'],
    ],
    [
      'descriptor',
      { statementDescriptor: { ...ALL.statementDescriptor, city: 'Bonn' } },
      ['input.statementDescriptor.city'],
    ],
    [
      'tax number',
      {
        buyer: {
          ...ALL.buyer,
          billingDetails: { ...CONTACT, taxId: { value: 'GB123456789', kind: 'EU_VAT' } },
        },
      },
      ['input.buyer.billingDetails.taxId.kind'],
    ],
    ['account number', { buyer: { ...ALL.buyer, accountNumber: 'A-8' } }, ['input.buyer.accountNumber']],
    [
      'address',
      { shippingDetails: { ...ALL.shippingDetails, address: { ...ADDRESS, line2: null } } },
      ['input.shippingDetails.address.line2'],
    ],
    [
      'cart item',
      { cartItems: [{ ...ITEM, quantity: 3, categories: ['feet', 'clothes'] }] },
      ['input.cartItems.0.categories.0', 'input.cartItems.0.categories.1', 'input.cartItems.0.quantity'],
    ],
    ['expiry', { approvalExpiresAt: '2999-01-01T00:00:00Z' }, ['input.approvalExpiresAt']],
  ])('refuses its key with another %s, and names it', async (what, other, differingPaths) => {
    const input = { ...ALL, cartItems: [ITEM] };
    await create(input, `other ${what}`);

    const payload = await create({ ...input, ...other }, `other ${what}`);

    expect(payload).toMatchObject({
      transaction: null,
      userErrors: [{ code: 'IDEMPOTENCY_KEY_REUSED', differingPaths }],
    });
    expect(callsSince()).toHaveLength(1);
  });

  it('accepts its key with the same input in the other form', async () => {
    const item = { name: 'Card', quantity: 1 };
    await create(
      { cartItems: [{ ...item, unitAmount: 5 }], connectionOptions: { 'mock-card': { a: 1, b: 2 } } },
      'form',
    );

    const payload = await create(
      {
        cartItems: [{ ...item, amount: { currency: 'USD', value: 5 }, discountAmount: 0 }],
        connectionOptions: { 'mock-card': { b: 2, a: 1 } },
        redirectUrl: null,
      },
      'form',
    );

    expect(payload).toMatchObject({ replayed: true, userErrors: [] });
  });

  it('lists all faults in one answer, and stores nothing', async () => {
    const before = await count();

    const payload = await create(
      {
        intent: 'CAPTURE',
        amount: 0,
        paymentSource: 'RECURRING',
        installmentCount: 0,
        threeDSecure: { amount: -1 },
        approvalExpiresAt: '2020-01-01T00:00:00Z',
        redirectUrl: 'shop.example',
        antiFraudFingerprint: '',
        connectionOptions: { nobody: {}, 'mock-card': 1 },
        statementDescriptor: { name: 'SHOP*', description: '1234', url: '' },
        cartItems: [
          { name: '', quantity: 0, unitAmount: 1, amount: { currency: 'EUR', value: -1 } },
          { name: 'x', quantity: 1 },
        ],
        buyer: { accountNumber: '', billingDetails: { taxId: { value: '', kind: 'US_EIN' } } },
        shippingDetails: { address: { country: 'USA' } },
      },
      'all wrong',
    );

    expect(payload.userErrors.map(({ code, path }) => `${code} ${path.join('.')}`).sort()).toEqual(
      [
        'amount',
        'antiFraudFingerprint',
        'approvalExpiresAt',
        'buyer.accountNumber',
        'buyer.billingDetails.taxId.value',
        'cartItems.0.amount.currency',
        'cartItems.0.amount.value',
        'cartItems.0.name',
        'cartItems.0.quantity',
        'cartItems.0.unitAmount',
        'cartItems.1.unitAmount',
        'connectionOptions',
        'connectionOptions.mock-card',
        'installmentCount',
        'redirectUrl',
        'shippingDetails.address.country',
        'statementDescriptor.description',
        'statementDescriptor.name',
        'statementDescriptor.url',
        'store',
        'threeDSecure.amount',
      ].map((path) => `INVALID_INPUT input.${path}`),
    );
    expect(payload.transaction).toBeNull();
    expect(await count()).toBe(before);
    expect(callsSince()).toHaveLength(0);
    expect((await create({}, 'all wrong')).replayed).toBe(false);
  });
});

describe('connection options', () => {
  const ask = (options: string, variables: Readonly<Record<string, unknown>> = {}) =>
    harness.server.graphql<{ createTransaction: Payload }>(
      `mutation ($key: String${Object.keys(variables)
        .map((name) => `, $${name}: JSONObject`)
        .join('')}) {
        createTransaction(idempotencyKey: $key, input: { amount: 1, currency: "USD", connectionOptions: ${options},
          paymentMethod: { card: { number: "4111 1111 1111 1111", expirationDate: "03/30" } } }) {
          transaction { connectionOptions } userErrors { path message } replayed } }`,
      { key: `options ${options}`, ...variables },
    );

  it('are data regardless of their content, also in a compiled operation', async () => {
    const text = '{"mock-card": {"\\"); throw 1; (\\"": "${process.exit(1)}", "a": {"constructor": ["`"]}}}';
    const variables = { value: JSON.parse(text) as unknown };

    const answers = [
      await ask('$value', variables),
      await ask('$value', variables),
      await ask('$value', variables),
    ];

    expect(answers.map(({ body }) => body.data?.createTransaction)).toEqual(
      [false, true, true].map((replayed) => ({
        transaction: { connectionOptions: variables.value },
        userErrors: [],
        replayed,
      })),
    );
    expect(callsSince()).toHaveLength(1);
  });

  it.each([
    ['an object in the text', '{}', {}],
    ['null in the text', 'null', null],
  ])('can be %s', async (_, options, shown) => {
    const { body } = await ask(options);

    expect(body.data?.createTransaction.transaction).toEqual({ connectionOptions: shown });
  });

  it('in the text accept a variable inside, which is validated like the rest', async () => {
    const { body } = await ask('{ nobody: [$inner] }', { inner: { a: 1 } });

    expect(body.data?.createTransaction.userErrors).toEqual([
      {
        path: ['input', 'connectionOptions'],
        message: 'Each name must be the id of a connector, such as mock-card.',
      },
    ]);
  });

  it.each(['"mock-card"', '[{}]', '{ mock: WORD }', '{ mock: 1e999 }', '{ mock: { a: [-1e999] } }'])(
    'are not %s',
    async (options) => {
      const before = await count();

      const { body } = await ask(options);

      expect(body.data).toBeUndefined();
      expect(body.errors?.map(({ message }) => message)).toEqual([
        'JSONObject must be an object of JSON values, at most 20 deep, whose numbers are finite.',
      ]);
      expect(await count()).toBe(before);
    },
  );
});
