import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
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

describe('createTransaction', () => {
  it('authorises a card', async () => {
    const payload = await harness.create({
      externalIdentifier: 'order 7',
      country: 'US',
      metadata: { basket: '12' },
      buyer: { billingDetails: { firstName: 'Ada', address: { postalCode: '10077', country: 'US' } } },
    });

    expect(payload).toMatchObject({
      transaction: {
        status: 'AUTHORIZATION_SUCCEEDED',
        intent: 'AUTHORIZE',
        intentOutcome: 'SUCCEEDED',
        authorizedAmount: 1299,
        capturedAmount: 0,
        capturable: { amount: 1299, currency: 'USD' },
        card: { scheme: 'visa', bin: '41111111', lastFour: '1111', expirationDate: '03/30' },
        avsResponseCode: 'NO_MATCH',
        cvvResponseCode: 'MATCH',
        metadata: { basket: '12' },
        errorCode: null,
      },
      userErrors: [],
      replayed: false,
    });
    expect(callsSince()).toMatchObject([
      {
        operation: 'authorize',
        amount: 1299,
        capture: false,
        card: { number: '4111111111111111', cvv: '100' },
      },
    ]);
  });

  it('authorises and captures in one step', async () => {
    const payload = await harness.create({ intent: 'CAPTURE' });

    expect(payload.transaction).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 1299,
      refundable: { amount: 1299 },
      capturedAt: expect.any(String),
    });
    expect(callsSince()).toMatchObject([{ operation: 'authorize', capture: true }]);
  });

  it.each([
    [200_011, 'AUTHORIZATION_DECLINED', 'insufficient_funds', 'transaction.declined'],
    [200_001, 'AUTHORIZATION_DECLINED', 'canceled_payment_method', 'transaction.declined'],
    [300_013, 'AUTHORIZATION_FAILED', 'service_error', 'transaction.failed'],
    [400_017, 'AUTHORIZATION_FAILED', 'unsupported_scheme', 'transaction.failed'],
  ])('answers the amount %d with %s and %s', async (amount, status, errorCode, event) => {
    const payload = await harness.create({ amount });

    expect(payload).toMatchObject({
      transaction: {
        status,
        errorCode,
        intentOutcome: 'FAILED',
        authorizedAmount: 0,
        capturable: { amount: 0 },
      },
      userErrors: [],
    });
    expect((await harness.eventNames()).at(-1)).toBe(event);
  });

  it('lists every invalid value with its path, and stores nothing', async () => {
    const before = await count();

    const payload = await harness.create({
      amount: 100_000_000,
      currency: 'usd',
      country: 'USA',
      externalIdentifier: '',
      paymentMethod: { card: { number: '4111', expirationDate: '13/30', securityCode: '12' } },
      buyer: { billingDetails: { phoneNumber: '0190', address: { stateCode: 'CA' } } },
      paymentServiceId: 'nonsense',
    });

    expect(payload.userErrors.map(({ code, path }) => `${code} ${path.join('.')}`).sort()).toEqual([
      'INVALID_INPUT input.amount',
      'INVALID_INPUT input.buyer.billingDetails.address.stateCode',
      'INVALID_INPUT input.buyer.billingDetails.phoneNumber',
      'INVALID_INPUT input.country',
      'INVALID_INPUT input.currency',
      'INVALID_INPUT input.externalIdentifier',
      'INVALID_INPUT input.paymentMethod.card.expirationDate',
      'INVALID_INPUT input.paymentMethod.card.number',
      'INVALID_INPUT input.paymentMethod.card.securityCode',
      'INVALID_INPUT input.paymentServiceId',
    ]);
    expect(JSON.stringify(payload.userErrors)).not.toContain('4111');
    expect(callsSince()).toHaveLength(0);
    expect(await count()).toBe(before);
  });

  it.each([
    [{ amount: 0, intent: 'CAPTURE' }, 'input.amount'],
    [
      { paymentMethod: { card: { ...CARD, expirationDate: '01/20' } } },
      'input.paymentMethod.card.expirationDate',
    ],
    [{ externalIdentifier: 'a\u0000b' }, 'input.externalIdentifier'],
  ])('refuses %j', async (input, path) => {
    const payload = await harness.create(input);

    expect(payload.userErrors.map((error) => error.path.join('.'))).toEqual([path]);
    expect(callsSince()).toHaveLength(0);
  });

  it.each([
    { currency: 'JPY' },
    { country: 'FR' },
    { paymentServiceId: '0198c1d2-0000-7000-8000-000000000000' },
  ])('refuses %j when no service accepts the payment', async (input) => {
    const before = await count();

    const payload = await harness.create(input, `no service ${JSON.stringify(input)}`);

    expect(payload.userErrors).toMatchObject([{ code: 'NO_PAYMENT_SERVICE' }]);
    expect(await count()).toBe(before);
    expect(callsSince()).toHaveLength(0);
  });

  it('answers a repeated key from the record, regardless of the security code', async () => {
    const first = await harness.create({}, 'create once');

    const second = await harness.create(
      { paymentMethod: { card: { ...CARD, securityCode: '999' } } },
      'create once',
    );

    expect(second).toEqual({ ...first, replayed: true });
    expect(callsSince()).toHaveLength(1);
  });

  it('refuses a key with another card and names the path, not the number', async () => {
    await harness.create({}, 'one card');

    const payload = await harness.create(
      { paymentMethod: { card: { ...CARD, number: '5200000000001203' } } },
      'one card',
    );

    expect(payload.userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.paymentMethod.card.number'] },
    ]);
    expect(callsSince()).toHaveLength(1);
  });

  it('makes one payment of twenty concurrent requests with one key', async () => {
    const payloads = await Promise.all(Array.from({ length: 20 }, () => harness.create({}, 'twenty')));

    expect(new Set(payloads.map(({ transaction }) => transaction?.id)).size).toBe(1);
    expect(payloads.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(callsSince()).toHaveLength(1);
  });
});

describe('a payment with an unknown outcome', () => {
  it('is processing, keeps the card sealed, and is sent again without the security code', async () => {
    harness.provider.failNext('lose_request');

    const payload = await harness.create({}, 'lost');

    const id = payload.transaction?.id ?? '';
    expect(payload.transaction).toMatchObject({ status: 'PROCESSING', intentOutcome: 'PENDING' });
    const pending = await harness.server.app.db.prisma.operation.findFirstOrThrow({
      where: { transactionId: id },
    });
    expect(pending.sealedCard).toEqual(expect.stringMatching(/^v1\./));

    harness.clock.advance(10_000);
    await reconcileDue(harness.server.app);

    expect(await harness.transaction(id)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      cvvResponseCode: 'NOT_PROVIDED',
    });
    expect(callsSince().map(({ card }) => card?.cvv)).toEqual(['100', null]);
    expect(new Set(callsSince().map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
    const settled = await harness.server.app.db.prisma.operation.findFirstOrThrow({
      where: { transactionId: id },
    });
    expect(settled.sealedCard).toBeNull();
    expect(await harness.create({}, 'lost')).toMatchObject({
      replayed: true,
      transaction: { id, status: 'AUTHORIZATION_SUCCEEDED' },
    });
  });

  it.each(['authorize.claimed', 'authorize.called', 'authorize.settling', 'authorize.settled'])(
    'is one payment when the process dies at %s',
    async (point) => {
      const before = await count();
      const remove = setFailpoint(point, () => {
        throw new Error('The process died.');
      });
      await expect(harness.create({}, point)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      remove();

      harness.clock.advance(60_000);
      await reconcileDue(harness.server.app);

      expect(await harness.create({}, point)).toMatchObject({
        replayed: true,
        transaction: { status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 1299 },
      });
      expect(await count()).toBe(before + 1);
      expect(new Set(callsSince().map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
    },
  );
});

describe('transactions', () => {
  it('are listed newest first, in pages both ways, and by status', async () => {
    const ids = [
      await harness.authorized(11),
      await harness.authorized(12),
      await harness.captured(13),
    ].reverse();
    const list = async (args: string) => {
      const { body } = await harness.server.graphql<{
        transactions: { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
      }>(`{ transactions(${args}) { nodes { id } pageInfo { hasNextPage endCursor } } }`);
      return body.data?.transactions;
    };

    const first = await list('first: 2');
    const second = await list(`first: 1, after: "${first?.pageInfo.endCursor ?? ''}"`);

    expect([...(first?.nodes ?? []), ...(second?.nodes ?? [])].map(({ id }) => id)).toEqual(ids);
    expect(first?.pageInfo.hasNextPage).toBe(true);
    expect((await list(`last: 1, before: "${second ? second.pageInfo.endCursor : ''}"`))?.nodes).toEqual([
      { id: ids[1] },
    ]);
    expect((await list('filter: { status: CAPTURE_SUCCEEDED }, first: 1'))?.nodes).toEqual([{ id: ids[0] }]);
  });

  it('of another merchant account are not found', async () => {
    const id = await harness.authorized();
    const { token } = await harness.server.createMerchantAccount();

    const read = await harness.server.graphql(
      'query ($id: ID!) { transaction(id: $id) { id } }',
      { id },
      { token },
    );
    const captured = await harness.server.graphql(
      'mutation ($id: ID!) { captureTransaction(id: $id) { userErrors { code } } }',
      { id },
      { token },
    );

    expect(read.body.data).toEqual({ transaction: null });
    expect(captured.body.data).toEqual({ captureTransaction: { userErrors: [{ code: 'NOT_FOUND' }] } });
    expect(await harness.transaction(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
  });
});
