import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
let writer: string;
let callsBefore: number;

beforeAll(async () => {
  harness = await startHarness();
  writer = await harness.server.mint({ scopes: ['transactions.write'] });
});
afterAll(() => harness.stop());
beforeEach(() => {
  callsBefore = harness.provider.calls.length;
});

const INPUT = {
  amount: 1299,
  currency: 'USD',
  buyer: { displayName: 'Jane', billingDetails: { emailAddress: 'jane@example.com' } },
  paymentMethod: { card: { number: '4111111111111111', expirationDate: '12/40', securityCode: '123' } },
};
const create = (selection: string) =>
  `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input) { ${selection} } }`;

const calls = () => harness.provider.calls.slice(callsBefore).map(({ operation }) => operation);
const ask = async (document: string, token = writer, variables: object = { input: INPUT }) =>
  (await harness.server.graphql(document, { ...variables }, { token })).body;
const rows = () => harness.server.app.db.prisma.transaction.count();

describe('a payment by a token that may not read payments', () => {
  it('answers its id and its status', async () => {
    const { data, errors } = await ask(create('transactionId transactionStatus userErrors { code }'));

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      createTransaction: {
        transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        transactionStatus: 'AUTHORIZATION_SUCCEEDED',
        userErrors: [],
      },
    });
    expect(calls()).toEqual(['authorize']);
  });

  it.each([
    ['the buyer', 'transaction { buyer { displayName } }', 'transaction.buyer', 'buyers.read'],
    [
      'the buyer in a fragment',
      '... on CreateTransactionPayload { transaction { ... on Transaction { buyer { displayName } } } }',
      'transaction.buyer',
      'buyers.read',
    ],
    [
      'the buyer under another name',
      'made: transaction { who: buyer { displayName } }',
      'transaction.buyer',
      'buyers.read',
    ],
    [
      'services passed over',
      'userErrors { ... on NoPaymentService { passedOver { message } } }',
      'userErrors.passedOver',
      'transactions.read',
    ],
  ])('makes none if the answer selects %s', async (_, selection, path, scope) => {
    const before = await rows();

    const { data, errors } = await ask(create(selection));

    expect(data).toBeNull();
    expect(errors).toMatchObject([
      {
        message: `Nothing was done. The field createTransaction.${path} of the answer needs the scope ${scope}, which the token lacks.`,
        path: ['createTransaction'],
        extensions: { code: 'FORBIDDEN', requiredScopes: [[scope]] },
      },
    ]);
    expect(calls()).toEqual([]);
    expect(await rows()).toBe(before);
  });

  it('makes the payment if @skip or @include leaves the field out', async () => {
    const document = `mutation ($input: CreateTransactionInput!, $read: Boolean!) {
      createTransaction(input: $input) { transactionStatus transaction { buyer @include(if: $read) { displayName } } } }`;

    const left = await ask(document, writer, { input: INPUT, read: false });
    const kept = await ask(document, writer, { input: INPUT, read: true });

    expect(left.data).toMatchObject({ createTransaction: { transactionStatus: 'AUTHORIZATION_SUCCEEDED' } });
    expect(kept.data).toBeNull();
    expect(calls()).toEqual(['authorize']);
  });

  it('does nothing if a later mutation of the document is not allowed', async () => {
    const document = `mutation ($input: CreateTransactionInput!) {
      createTransaction(input: $input, idempotencyKey: "first") { transactionId }
      createBuyer(input: { displayName: "Jane" }) { buyerId } }`;

    const { data, errors } = await ask(document);

    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', requiredScopes: [['buyers.write']] } }]);
    expect(calls()).toEqual([]);
  });

  it('captures, refunds and voids with the ids and statuses alone', async () => {
    const [first, second] = [await harness.authorized(), await harness.authorized()];
    const change = (name: string, id: string, fields: string) =>
      ask(`mutation { ${name}(id: "${id}") { ${fields} transactionId transactionStatus } }`);

    const captured = await change('captureTransaction', first, 'captureId captureStatus');
    const refunded = await change('refundTransaction', first, 'refundId refundStatus');
    const voided = await change('voidTransaction', second, 'voidId voidStatus');

    expect([captured.data, refunded.data, voided.data]).toMatchObject([
      { captureTransaction: { captureStatus: 'SUCCEEDED', transactionStatus: 'CAPTURE_SUCCEEDED' } },
      { refundTransaction: { refundStatus: 'SUCCEEDED', transactionId: first } },
      { voidTransaction: { voidStatus: 'SUCCEEDED', transactionStatus: 'AUTHORIZATION_VOIDED' } },
    ]);
  });
});

describe('the buyer of a payment', () => {
  it('is hidden from a token that may read payments alone', async () => {
    const reader = await harness.server.mint({ scopes: ['transactions.read', 'transactions.write'] });
    const made = await ask(create('transactionId'), reader);
    const { transactionId: id } = made.data?.['createTransaction'] as { transactionId: string };

    const { data, errors } = await ask(
      `{ transaction(id: "${id}") { amount buyer { displayName } shippingDetails { firstName } } }`,
      reader,
      {},
    );

    expect(data).toEqual({ transaction: { amount: 1299, buyer: null, shippingDetails: null } });
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['transaction', 'buyer'], 'FORBIDDEN'],
      [['transaction', 'shippingDetails'], 'FORBIDDEN'],
    ]);
  });

  it('is shown with both scopes', async () => {
    const reader = await harness.server.mint({
      scopes: ['transactions.read', 'buyers.read', 'transactions.write'],
    });

    const { data } = await ask(create('transaction { buyer { billingDetails { emailAddress } } }'), reader);

    expect(data).toMatchObject({
      createTransaction: { transaction: { buyer: { billingDetails: { emailAddress: 'jane@example.com' } } } },
    });
  });

  it.each([
    ['transactions', 'buyerEmailAddress', '"jane@example.com"', 'buyers.read'],
    ['transactions', 'search', '"jane"', 'buyers.read'],
    ['transactions', 'disputed', 'false', 'disputes.read'],
    ['paymentLinks', 'buyerEmailAddress', '"jane@example.com"', 'buyers.read'],
    ['paymentLinks', 'search', '"jane"', 'buyers.read'],
  ])('is not found in %s by %s without the scope', async (list, name, value, scope) => {
    const reader = await harness.server.mint({ scopes: ['transactions.read', 'payment-links.read'] });
    const document = `{ ${list}(filter: { ${name}: ${value} }) { nodes { id } } }`;

    const { data, errors } = await ask(document, reader, {});

    expect(data).toBeNull();
    expect(errors?.map(({ message, extensions }) => [message, extensions.code])).toEqual([
      [`The argument filter.${name} needs the scope ${scope}, which the token lacks.`, 'FORBIDDEN'],
    ]);
  });
});
