import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { movePaymentMethod } from '../../src/modules/payment-methods/index.ts';
import {
  CARD,
  RECURRING,
  startPayingHarness,
  stored,
  type Input,
  type PayingHarness,
} from './paying-harness.ts';
import { somebodyWaitsFor } from '../support/lock-waits.ts';

let harness: PayingHarness;
beforeAll(async () => {
  harness = await startPayingHarness('mock-card');
});
afterAll(() => harness.stop());
beforeEach(() => void harness.requested());

const LATER = { paymentSource: 'CARD_ON_FILE', isSubsequentPayment: true };

describe('a payment with a stored card', () => {
  it('is made with the card, and shows it like a new one', async () => {
    const buyerId = await harness.buyer({ displayName: 'Jane', externalIdentifier: 'jane' });
    const method = await harness.store({ instrument: { card: CARD }, buyerId });
    const since = await harness.since();

    const paid = await harness.paid({ ...stored(method.id, '737'), ...LATER });

    expect(paid).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      method: 'card',
      instrumentType: 'PAN',
      store: false,
      buyerId,
      buyer: { displayName: 'Jane', externalIdentifier: 'jane' },
      card: {
        scheme: 'visa',
        bin: '41111111',
        lastFour: '1111',
        expirationDate: '12/40',
        fingerprint: method['fingerprint'],
      },
      paymentMethod: { id: method.id, status: 'SUCCEEDED' },
    });
    expect(harness.requested()).toMatchObject([
      { card: { number: '4111111111111111', expiry: '12/40', cvv: '737' }, amount: 1299 },
    ]);
    expect((await since.eventNames()).toSorted()).toEqual([
      'payment-method.updated',
      'transaction.authorized',
    ]);
  });

  it('is counted, and sends the scheme the id of an earlier one', async () => {
    const { id } = await harness.store({ instrument: { card: CARD } });

    const first = await harness.paid(stored(id));
    const approved = await harness.method(id);
    const second = await harness.paid({ ...stored(id), ...RECURRING });
    const declined = await harness.paid({ ...stored(id), amount: 200_011 });

    expect(approved).toMatchObject({
      status: 'SUCCEEDED',
      usageCount: 1,
      citUsageCount: 1,
      lastUsedAt: first['authorizedAt'],
      citLastUsedAt: first['authorizedAt'],
      schemeTransactionId: first['schemeTransactionId'],
      schemeTransactionIdScheme: 'VISA',
    });
    expect(first['schemeTransactionId']).toMatch(/^\d{15}$/);
    expect(declined.status).toBe('AUTHORIZATION_DECLINED');
    expect(await harness.method(id)).toMatchObject({
      status: 'SUCCEEDED',
      usageCount: 2,
      citUsageCount: 1,
      lastUsedAt: second['authorizedAt'],
      citLastUsedAt: first['authorizedAt'],
      schemeTransactionId: first['schemeTransactionId'],
    });
    const earlier = { scheme_transaction_id: first['schemeTransactionId'] };
    expect(harness.requested().map(({ stored_credential }) => stored_credential)).toEqual([
      undefined,
      { source: 'recurring', initiator: 'merchant', subsequent: true, ...earlier },
      { source: 'ecommerce', initiator: 'buyer', subsequent: false, ...earlier },
    ]);
    expect(await harness.notified(id)).toEqual(['payment-method.created', 'payment-method.updated']);
  });

  it('sends the scheme no id of another scheme, and no cleared id', async () => {
    const { id } = await harness.store({ instrument: { card: CARD } });
    const update = (input: Input) =>
      harness.ask(
        `mutation ($id: ID!, $input: UpdatePaymentMethodInput!) {
          updatePaymentMethod(id: $id, input: $input) { userErrors { message } } }`,
        { id, input },
      );

    await update({ schemeTransactionId: '123', schemeTransactionIdScheme: 'MASTERCARD' });
    await harness.paid({ ...stored(id), ...RECURRING });
    await update({ schemeTransactionId: '456', schemeTransactionIdScheme: 'VISA' });
    await harness.paid({ ...stored(id), ...RECURRING });
    await update({ schemeTransactionId: null });
    const last = await harness.paid({ ...stored(id), ...RECURRING });

    const notified = harness
      .requested()
      .map(({ stored_credential: notified }) => notified?.scheme_transaction_id);
    expect(notified).toEqual([undefined, '456', undefined]);
    expect(await harness.method(id)).toMatchObject({ schemeTransactionId: last['schemeTransactionId'] });
  });

  it("keeps the given details instead of the buyer's", async () => {
    const buyerId = await harness.buyer({ displayName: 'Stored', externalIdentifier: 'by-name' });
    const { id } = await harness.store({ instrument: { card: CARD }, buyerId });

    const paid = await harness.paid({
      ...stored(id.toUpperCase()),
      buyerExternalIdentifier: 'by-name',
      buyer: { displayName: 'Given' },
    });

    expect(paid).toMatchObject({ buyerId, buyer: { displayName: 'Given', externalIdentifier: null } });
  });
});

describe('a payment with a stored method is refused', () => {
  const nothingHappened = async (count: number): Promise<void> => {
    expect(harness.requested()).toEqual([]);
    expect(await harness.server.app.db.prisma.transaction.count()).toBe(count);
  };
  const count = (): Promise<number> => harness.server.app.db.prisma.transaction.count();
  const refusal = async (input: Input, token?: string) => {
    const { transaction, userErrors } = await harness.pay(input, token === undefined ? {} : { token });
    expect(transaction).toBeNull();
    return userErrors.map(({ code, path }) => [code, path.join('.')]);
  };
  const AT = 'input.paymentMethod.stored.id';

  it('when it is unknown, deleted, or of another merchant account', async () => {
    const { id } = await harness.store({ instrument: { card: CARD } });
    const gone = await harness.store({ instrument: { card: CARD } });
    await harness.remove(gone.id);
    const rival = await harness.server.createMerchantAccount();
    const before = await count();

    for (const unknown of ['01890000-0000-7000-8000-000000000000', gone.id])
      expect(await refusal(stored(unknown))).toEqual([['NOT_FOUND', AT]]);
    expect(await refusal(stored(id), rival.token)).toEqual([['NOT_FOUND', AT]]);
    expect(await refusal(stored('mine'))).toEqual([['INVALID_INPUT', AT]]);
    await nothingHappened(before);
  });

  it('when its status forbids payments', async () => {
    const { app } = harness.server;
    const { id } = await harness.store({ instrument: { card: CARD } });
    const move = (happening: 'approve' | 'pause' | 'resume') =>
      app.db.transaction((tx) => movePaymentMethod(app, tx, { merchantAccountId: 'default', id }, happening));
    await move('approve');
    await move('pause');
    const before = await count();

    const { userErrors } = await harness.pay(stored(id));

    expect(userErrors).toMatchObject([
      {
        code: 'INVALID_INPUT',
        message: 'The payment method cannot pay while its status is PAUSED.',
        path: AT.split('.'),
      },
    ]);
    await nothingHappened(before);
    await move('resume');
    expect((await harness.paid(stored(id))).status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('when it is of another buyer, or the buyer is unknown', async () => {
    const [mine, yours] = [await harness.buyer({}), await harness.buyer({})];
    const { id } = await harness.store({ instrument: { card: CARD }, buyerId: mine });
    const before = await count();

    expect(await refusal({ ...stored(id), buyerId: yours })).toEqual([['INVALID_INPUT', AT]]);
    expect(await refusal({ ...stored(id), buyerExternalIdentifier: 'nobody' })).toEqual([
      ['NOT_FOUND', 'input.buyerExternalIdentifier'],
    ]);
    expect(await refusal({ ...stored(id), buyerId: mine, buyerExternalIdentifier: 'x' })).toEqual([
      ['INVALID_INPUT', 'input.buyerExternalIdentifier'],
    ]);
    expect(await refusal({ ...stored(id), store: true })).toEqual([['INVALID_INPUT', 'input.store']]);
    expect(await refusal({ paymentMethod: { stored: { id, securityCode: '12' } } })).toEqual([
      ['INVALID_INPUT', 'input.paymentMethod.stored.securityCode'],
    ]);
    await nothingHappened(before);
  });

  it('when no service has its method', async () => {
    const bank = {
      scheme: 'SEPA',
      accountNumber: 'DE89370400440532013000',
      accountHolder: { firstName: 'Jane', lastName: 'Doe' },
    };
    const { id } = await harness.store({ instrument: { bankAccount: bank } });
    const paymentServiceId = await harness.service('mock-card');
    const before = await count();

    const requested = { ...stored(id), currency: 'EUR', paymentServiceId };
    expect(await refusal(requested)).toEqual([['NO_PAYMENT_SERVICE', '']]);
    expect(await refusal(stored(id))).toEqual([['INVALID_INPUT', 'input.currency']]);
    await nothingHappened(before);
  });
});

describe('a repeated payment with a stored card', () => {
  it('is answered from its key, even after the deletion of the card', async () => {
    const { id } = await harness.store({ instrument: { card: CARD } });
    const other = await harness.store({ instrument: { card: CARD } });
    const first = await harness.paid(stored(id, '737'), 'again');
    harness.requested();

    expect(await harness.pay(stored(id.toUpperCase(), '999'), { key: 'again' })).toMatchObject({
      transaction: { id: first.id },
      replayed: true,
    });
    expect((await harness.pay(stored(other.id), { key: 'again' })).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.paymentMethod.stored.id'] },
    ]);
    await harness.remove(id);
    expect(await harness.pay(stored(id), { key: 'again' })).toMatchObject({
      transaction: { id: first.id, paymentMethod: null, card: { lastFour: '1111' } },
      replayed: true,
    });
    expect(harness.requested()).toEqual([]);
  });

  it('is made once by many at the same time, and counted once', async () => {
    const { id } = await harness.store({ instrument: { card: CARD } });

    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => harness.paid(stored(id), 'race')));

    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(harness.requested()).toHaveLength(1);
    expect(await harness.method(id)).toMatchObject({ usageCount: 1 });
  });

  it('locks the card before its own rows, as a repeat of the key does', async () => {
    const { app } = harness.server;
    const { id } = await harness.store({ instrument: { card: CARD } });
    const repeat = await app.db.connect();
    const { rows } = await repeat.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await repeat.query('BEGIN');
    await repeat.query('SELECT FROM payment_method WHERE id = $1 FOR SHARE', [id]);

    const paying = harness.paid(stored(id));
    await somebodyWaitsFor(app, rows[0]?.pid ?? 0);
    const its = await repeat.query(
      `SELECT t.status FROM transaction t JOIN operation o ON o.transaction_id = t.id
       WHERE t.payment_method_id = $1 FOR UPDATE NOWAIT`,
      [id],
    );
    await repeat.query('COMMIT');
    repeat.release();

    expect(its.rows).toEqual([{ status: 'processing' }]);
    expect(await paying).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
  });

  it('is counted for each of many with different keys', async () => {
    const { id } = await harness.store({ instrument: { card: CARD } });

    await Promise.all([1, 2, 3, 4, 5, 6].map(() => harness.paid(stored(id))));

    expect(await harness.method(id)).toMatchObject({ usageCount: 6, citUsageCount: 6, status: 'SUCCEEDED' });
    expect(await harness.notified(id)).toEqual(['payment-method.created', 'payment-method.updated']);
  });
});
