import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from '../transactions/doubt.ts';
import { CARD, RECURRING, startPayingHouse, stored, type Input, type PayingHouse } from './paying-house.ts';

let house: PayingHouse;
beforeAll(async () => {
  house = await startPayingHouse('mockds-card');
});
afterAll(() => house.stop());
beforeEach(() => void house.asked());

const STORE = { paymentMethod: { card: CARD }, store: true };
const methods = (): Promise<number> => house.server.app.db.prisma.paymentMethod.count();

describe('a payment that stores its card', () => {
  it('has a payment method that succeeds with it, once, with a token of the service', async () => {
    const buyerId = await house.buyer({ displayName: 'Jane' });
    const before = await methods();

    const { transaction } = await house.pay({ ...STORE, buyerId }, { key: 'store' });
    const again = await house.pay({ ...STORE, buyerId }, { key: 'store' });

    const method = await house.method(transaction?.paymentMethod?.id ?? '');
    expect(method).toMatchObject({
      status: 'SUCCEEDED',
      instrumentType: 'PAN',
      lastFour: '1111',
      expirationDate: '12/40',
      fingerprint: (transaction?.['card'] as Input)['fingerprint'],
      buyer: { id: buyerId },
      usageCount: 1,
      citUsageCount: 1,
      schemeTransactionId: transaction?.['schemeTransactionId'],
    });
    expect(again).toMatchObject({ transaction: { id: transaction?.id }, replayed: true });
    expect(await methods()).toBe(before + 1);
    expect(house.asked()).toMatchObject([{ tokenize: true, card: { number: '4111111111111111' } }]);
    expect(await house.told(method?.id ?? '')).toEqual([
      'payment-method.created',
      'payment-method.updated',
      'recurring.token.created',
    ]);
  });

  it('publishes both in the same form', async () => {
    const { paymentMethod } = await house.paid({ ...STORE, buyerId: await house.buyer({}) });
    const plain = await house.store({ instrument: { card: CARD } });
    const rows = await house.server.app.db.prisma.event.findMany({ orderBy: { position: 'asc' } });
    const payloads = (id: string) =>
      rows
        .filter(({ targetId }) => targetId === id)
        .map(({ payload }) => JSON.parse(payload) as { readonly target: Input });

    const [created, updated, token] = payloads(paymentMethod?.id ?? '');
    const [other] = payloads(plain.id);
    expect(Object.keys(created ?? {})).toEqual(Object.keys(other ?? {}));
    expect(Object.keys(created?.target ?? {})).toEqual(Object.keys(other?.target ?? {}));
    expect([created?.target['status'], updated?.target['status']]).toEqual(['processing', 'succeeded']);
    expect(created?.target['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(token?.target).toMatchObject({ ...updated?.target, payment_service_id: expect.any(String) });
  });

  it('leaves a failed one when it is declined, which cannot pay', async () => {
    const { paymentMethod, status } = await house.paid({ ...STORE, amount: 200_011 });
    const id = paymentMethod?.id ?? '';

    expect(status).toBe('AUTHORIZATION_DECLINED');
    expect(await house.method(id)).toMatchObject({ status: 'FAILED', usageCount: 0 });
    expect(await house.told(id)).toEqual(['payment-method.created', 'payment-method.updated']);
    const { userErrors } = await house.pay(stored(id));
    expect(userErrors.map(({ message }) => message)).toEqual([
      'The payment method cannot pay while its status is FAILED.',
    ]);
  });

  it('stores nothing when it is refused, and one of many at the same time', async () => {
    const before = await methods();
    const events = await house.since();

    await house.pay({ ...STORE, buyerId: '01890000-0000-7000-8000-000000000000' });
    await house.pay({ ...STORE, currency: 'CHF' });
    expect([await methods(), await events.eventNames()]).toEqual([before, []]);

    await Promise.all([1, 2, 3, 4, 5].map(() => house.pay(STORE, { key: 'store-race' })));
    expect(await methods()).toBe(before + 1);
    expect((await events.eventNames()).toSorted()).toEqual([
      'payment-method.created',
      'payment-method.updated',
      'recurring.token.created',
      'transaction.authorized',
    ]);
  });

  it.each(['authorize.claimed', 'authorize.called', 'authorize.settling', 'authorize.settled'])(
    'loses and doubles nothing when it is killed at %s',
    async (point) => {
      const before = await methods();
      const since = await house.since();
      const undo = setFailpoint(point, () => {
        throw new Error('killed');
      });
      await expect(house.pay(STORE, { key: `killed-${point}` })).rejects.toThrow();
      undo();
      const [made] = await house.server.app.db.prisma.paymentMethod.findMany({
        orderBy: { id: 'desc' },
        take: 1,
      });
      expect(made?.status).toBe(point === 'authorize.settled' ? 'succeeded' : 'processing');

      await reconcileAfter(house, 60_000);
      await reconcileAfter(house, 60_000);

      expect(await methods()).toBe(before + 1);
      expect(await house.method(made?.id ?? '')).toMatchObject({ status: 'SUCCEEDED', usageCount: 1 });
      expect((await since.eventNames()).toSorted()).toEqual([
        'payment-method.created',
        'payment-method.updated',
        'recurring.token.created',
        'transaction.authorized',
      ]);
      const tokens = { where: { paymentMethodId: made?.id ?? '' } };
      expect(await house.server.app.db.prisma.paymentMethodToken.count(tokens)).toBe(1);
    },
  );
});

describe('a stored method that is deleted during a payment', () => {
  it('lets the payment continue with its own copy', async () => {
    const { id } = await house.store({ instrument: { card: CARD } });
    house.provider.failNext('lose_answer');
    const { id: payment, status } = await house.paid(stored(id, '737'));
    expect(status).toBe('PROCESSING');

    await house.remove(id);
    await reconcileAfter(house, 60_000);

    expect(await house.show(payment)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      paymentMethod: null,
      card: { lastFour: '1111' },
    });
    const [first, second] = house.asked();
    expect(second).toEqual({ ...first, card: { ...first?.card, cvv: null } });
    const row = await house.server.app.db.prisma.paymentMethod.findFirst({ where: { id } });
    expect(row).toMatchObject({ status: 'deleted', sealedInstrument: null, usageCount: 1 });
  });

  it('stays deleted, without a token, when the payment was to store it', async () => {
    house.provider.failNext('lose_answer');
    const { paymentMethod } = await house.paid(STORE);
    const id = paymentMethod?.id ?? '';

    await house.remove(id);
    await reconcileAfter(house, 60_000);

    const row = await house.server.app.db.prisma.paymentMethod.findFirst({ where: { id } });
    expect(row).toMatchObject({ status: 'deleted', sealedInstrument: null });
    expect(await house.told(id)).toEqual(['payment-method.created', 'payment-method.deleted']);
    const tokens = { where: { paymentMethodId: id } };
    expect(await house.server.app.db.prisma.paymentMethodToken.count(tokens)).toBe(0);
  });

  it('is not charged when the deletion comes before the claim', async () => {
    const { id } = await house.store({ instrument: { card: CARD } });
    const before = await house.server.app.db.prisma.transaction.count();
    // Between the read of the payment method and the claim.
    const { db } = house.server.app;
    const query = db.query.bind(db);
    const removed = { done: false };
    db.query = async (statement) => {
      if (!removed.done && statement.name === 'payment_services_accepting') {
        removed.done = true;
        await house.remove(id);
      }
      return query(statement);
    };
    const { transaction, userErrors } = await house.pay({ ...stored(id), ...RECURRING });
    db.query = query;

    expect([removed.done, transaction, userErrors.map(({ code }) => code)]).toEqual([
      true,
      null,
      ['NOT_FOUND'],
    ]);
    expect(house.asked()).toEqual([]);
    expect(await house.server.app.db.prisma.transaction.count()).toBe(before);
  });
});
