import { beforeEach, describe, expect, it } from '@jest/globals';
import { createBraintreeDouble, type BraintreeDouble, type BraintreeDoubleSettings } from './double.ts';
import { DAY_MS, SECOND_MS } from './world.ts';

type Body = {
  readonly data: Readonly<Record<string, Readonly<Record<string, unknown>> | null>> | null;
  readonly errors?: readonly {
    readonly extensions: { readonly errorClass: string; readonly legacyCode?: string };
  }[];
};

let nowMs = 0;
let double: BraintreeDouble;

const open = (settings: BraintreeDoubleSettings = {}): void => {
  nowMs = Date.UTC(2026, 10, 1);
  double = createBraintreeDouble({ now: () => new Date(nowMs), ...settings });
};
beforeEach(() => open());

const pass = (ms: number): void => void (nowMs += ms);

async function ask(
  query: string,
  input: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const basic = Buffer.from(`${double.publicKey}:${double.privateKey}`).toString('base64');
  const usual = {
    authorization: `Basic ${basic}`,
    'braintree-version': '2019-01-01',
    'content-type': 'application/json',
  };
  const answer = await double.handle({
    ...{ method: 'POST', path: '/graphql', headers: { ...usual, ...headers } },
    body: JSON.stringify({ query, variables: { input } }),
  });
  return JSON.parse(answer?.body ?? '') as Body;
}

const change = (field: string, input: object, shown: string) => {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  return ask(`mutation ($input: ${type}!) { ${field}(input: $input) { ${shown} } }`, input);
};

const TRANSACTION = 'transaction { id status amount { value currencyCode } }';

const CARD = { number: '4111111111111111', month: '03', year: '2030', hasCvv: true };

type Transaction = {
  readonly id: string;
  readonly status: string;
  readonly amount: { readonly value: string };
};

/** Makes a payment, and returns its transaction or the errors. */
async function pay(field: 'authorizeCreditCard' | 'chargeCreditCard', changes: object = {}) {
  const transaction = { amount: '12.99', merchantAccountId: 'double_usd', orderId: 'order-1', ...changes };
  const input = { paymentMethodId: double.hands.clientToken(CARD), transaction };
  const { data, errors } = await change(field, input, TRANSACTION);
  return { made: data?.[field]?.['transaction'] as Transaction, errors };
}

const authorize = async (changes: object = {}) => (await pay('authorizeCreditCard', changes)).made;
const settledSale = async () => {
  const { made } = await pay('chargeCreditCard', { orderId: 'order-2' });
  double.hands.settleAll();
  return made;
};

const codeOf = ({ errors }: { readonly errors?: Body['errors'] | undefined }): string | undefined =>
  errors?.[0]?.extensions.legacyCode;

const capture = (transactionId: string, amount = '12.99') =>
  change('captureTransaction', { transactionId, transaction: { amount } }, TRANSACTION);
const part = (transactionId: string, amount: string) =>
  change('partialCaptureTransaction', { transactionId, transaction: { amount } }, 'capture { id status }');
const refund = (transactionId: string, amount?: string) =>
  change(
    'refundTransaction',
    { transactionId, refund: { ...(amount && { amount }) } },
    'refund { id status amount { value } }',
  );
const reverse = (transactionId: string) =>
  change(
    'reverseTransaction',
    { transactionId },
    'reversal { __typename ... on Transaction { status } ... on Refund { amount { value } } }',
  );

describe('the double of Braintree', () => {
  it('does a repeated request again', async () => {
    open({ duplicatesMs: 0 });

    expect((await authorize()).id).not.toBe((await authorize()).id);
  });

  it('refuses the repetition of a success within 30 seconds', async () => {
    await authorize();
    expect((await authorize()).status).toBe('GATEWAY_REJECTED');
    expect((await authorize({ amount: '12.98' })).status).toBe('AUTHORIZED');
    expect((await authorize({ orderId: 'order-2' })).status).toBe('AUTHORIZED');
    pass(30 * SECOND_MS);
    expect((await authorize()).status).toBe('AUTHORIZED');
  });

  it('does not take the second try after a decline for a repetition', async () => {
    const amount = '2046.00';
    expect([(await authorize({ amount })).status, (await authorize({ amount })).status]).toEqual([
      ...['PROCESSOR_DECLINED', 'PROCESSOR_DECLINED'],
    ]);
  });

  it.each([
    ['an unknown merchant account', { merchantAccountId: 'nobody' }, '91513'],
    ['too many decimals', { amount: '12.999' }, '81503'],
    ['decimals that the currency lacks', { amount: '12.99', merchantAccountId: 'double_jpy' }, '81503'],
    ['nothing', { amount: '0.00' }, '81531'],
    ['a long order id', { orderId: 'x'.repeat(256) }, '91501'],
  ])('refuses a payment of %s', async (_, changes, code) => {
    expect(codeOf(await pay('authorizeCreditCard', changes))).toBe(code);
    expect(double.transactions()).toEqual([]);
  });

  it('refuses a name that was used, and details of a customer with a stored one', async () => {
    const paymentMethodId = double.hands.clientToken(CARD);
    const transaction = { amount: '1.00', orderId: 'order-9' };
    const pays = (input: object) => change('authorizeCreditCard', { transaction, ...input }, TRANSACTION);
    await pays({ paymentMethodId });
    expect(codeOf(await pays({ paymentMethodId }))).toBe('91564');
    expect(codeOf(await pays({ paymentMethodId: 'nobody' }))).toBe('91565');
    const stored = double.hands.storeCard(CARD);
    const named = { ...transaction, customerDetails: { email: 'a@b.example' } };
    expect(codeOf(await pays({ paymentMethodId: stored, transaction: named }))).toBe('91516');
  });

  it('captures a held transaction once, and not above what is held', async () => {
    const { id } = await authorize();
    expect(codeOf(await capture(id, '13.00'))).toBe('91522');
    expect((await capture(id, '5.00')).data?.['captureTransaction']).toMatchObject({
      transaction: { status: 'SUBMITTED_FOR_SETTLEMENT', amount: { value: '5.00' } },
    });
    expect(codeOf(await capture(id))).toBe('91507');
  });

  it('captures parts up to what is held, if the account takes several', async () => {
    const { id } = await authorize();
    await part(id, '5.00');
    expect(codeOf(await capture(id))).toBe('91507');
    expect(codeOf(await part(id, '8.00'))).toBe('91522');
    await part(id, '7.99');
    expect(codeOf(await part(id, '0.01'))).toBe('91507');
    open({ hasSeveral: false });
    expect(codeOf(await part((await authorize()).id, '5.00'))).toBe('915103');
  });

  it('settles a day later, and refunds only what is settled, up to the amount', async () => {
    const { made } = await pay('chargeCreditCard');
    expect(codeOf(await refund(made.id, '1.00'))).toBe('91506');
    pass(DAY_MS);
    expect((await refund(made.id, '10.00')).errors).toBeUndefined();
    expect(codeOf(await refund(made.id, '3.00'))).toBe('91521');
    expect((await refund(made.id)).data?.['refundTransaction']).toMatchObject({
      refund: { amount: { value: '2.99' } },
    });
    expect(codeOf(await refund(made.id))).toBe('91512');
  });

  it('reverses by a void before the settlement, and by a refund after it', async () => {
    const held = await authorize();
    expect((await reverse(held.id)).data?.['reverseTransaction']).toEqual({
      reversal: { __typename: 'Transaction', status: 'VOIDED' },
    });
    expect(codeOf(await reverse(held.id))).toBe('91504');
    expect(codeOf(await capture(held.id))).toBe('91507');
    const sale = await settledSale();
    expect((await reverse(sale.id)).data?.['reverseTransaction']).toEqual({
      reversal: { __typename: 'Refund', amount: { value: '12.99' } },
    });
    expect(codeOf(await reverse(sale.id))).toBe('91512');
  });

  it('refuses other keys, and a request without a version', async () => {
    const classOf = async (headers: Readonly<Record<string, string>>) =>
      (await ask('query { ping }', {}, headers)).errors?.[0]?.extensions.errorClass;
    expect(await classOf({ authorization: 'Basic b3RoZXI6b3RoZXI=' })).toBe('AUTHENTICATION');
    expect(await classOf({ 'braintree-version': '' })).toBe('UNSUPPORTED_CLIENT');
  });

  it('stands no document and no variable that the schema lacks', async () => {
    await expect(ask('query { pong }', {})).rejects.toThrow('The document is invalid');
    await expect(change('refundTransaction', { id: '1' }, 'refund { id }')).rejects.toThrow(
      'The variables are invalid',
    );
  });

  it('shows a new transaction in a late search later', async () => {
    open({ searchLagMs: 1_000 });
    await authorize({ orderId: 'order-5' });
    const search = async () => {
      const query =
        'query ($input: TransactionSearchInput!) { search { transactions(input: $input) { edges { node { orderId } } } } }';
      return (await ask(query, { orderId: { startsWith: 'order' } })).data?.['search'];
    };
    expect(await search()).toEqual({ transactions: { edges: [] } });
    pass(1_000);
    expect(await search()).toEqual({ transactions: { edges: [{ node: { orderId: 'order-5' } }] } });
  });
});
