import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from '../transactions/unresolved.ts';
import {
  CARD,
  RECURRING,
  startPayingHarness,
  stored,
  type Input,
  type PayingHarness,
} from './paying-harness.ts';

let harness: PayingHarness;
beforeAll(async () => {
  harness = await startPayingHarness('mockds-card');
});
afterAll(() => harness.stop());
beforeEach(() => void harness.requested());

const STORE = { paymentMethod: { card: CARD }, store: true };
const methods = (): Promise<number> => harness.server.app.db.prisma.paymentMethod.count();

describe('a payment that stores its card', () => {
  it('has a payment method that succeeds with it, once, with a token of the service', async () => {
    const buyerId = await harness.buyer({ displayName: 'Jane' });
    const before = await methods();

    const { transaction } = await harness.pay({ ...STORE, buyerId }, { key: 'store' });
    const again = await harness.pay({ ...STORE, buyerId }, { key: 'store' });

    const method = await harness.method(transaction?.paymentMethod?.id ?? '');
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
    expect(harness.requested()).toMatchObject([{ tokenize: true, card: { number: '4111111111111111' } }]);
    expect(await harness.notified(method?.id ?? '')).toEqual([
      'payment-method.created',
      'payment-method.updated',
      'recurring.token.created',
    ]);
  });

  it('publishes both in the same form', async () => {
    const { paymentMethod } = await harness.paid({ ...STORE, buyerId: await harness.buyer({}) });
    const plain = await harness.store({ instrument: { card: CARD } });
    const rows = await harness.server.app.db.prisma.event.findMany({ orderBy: { position: 'asc' } });
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
    const { paymentMethod, status } = await harness.paid({ ...STORE, amount: 200_011 });
    const id = paymentMethod?.id ?? '';

    expect(status).toBe('AUTHORIZATION_DECLINED');
    expect(await harness.method(id)).toMatchObject({ status: 'FAILED', usageCount: 0 });
    expect(await harness.notified(id)).toEqual(['payment-method.created', 'payment-method.updated']);
    const { userErrors } = await harness.pay(stored(id));
    expect(userErrors.map(({ message }) => message)).toEqual([
      'The payment method cannot pay while its status is FAILED.',
    ]);
  });

  it('stores nothing when it is refused, and one of many at the same time', async () => {
    const before = await methods();
    const events = await harness.since();

    await harness.pay({ ...STORE, buyerId: '01890000-0000-7000-8000-000000000000' });
    await harness.pay({ ...STORE, currency: 'CHF' });
    expect([await methods(), await events.eventNames()]).toEqual([before, []]);

    await Promise.all([1, 2, 3, 4, 5].map(() => harness.pay(STORE, { key: 'store-race' })));
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
      const since = await harness.since();
      const undo = setFailpoint(point, () => {
        throw new Error('killed');
      });
      await expect(harness.pay(STORE, { key: `killed-${point}` })).rejects.toThrow();
      undo();
      const [made] = await harness.server.app.db.prisma.paymentMethod.findMany({
        orderBy: { id: 'desc' },
        take: 1,
      });
      expect(made?.status).toBe(point === 'authorize.settled' ? 'succeeded' : 'processing');

      await reconcileAfter(harness, 60_000);
      await reconcileAfter(harness, 60_000);

      expect(await methods()).toBe(before + 1);
      expect(await harness.method(made?.id ?? '')).toMatchObject({ status: 'SUCCEEDED', usageCount: 1 });
      expect((await since.eventNames()).toSorted()).toEqual([
        'payment-method.created',
        'payment-method.updated',
        'recurring.token.created',
        'transaction.authorized',
      ]);
      const tokens = { where: { paymentMethodId: made?.id ?? '' } };
      expect(await harness.server.app.db.prisma.paymentMethodToken.count(tokens)).toBe(1);
    },
  );
});

describe('a stored method that is deleted during a payment', () => {
  it('lets the payment continue with its own copy', async () => {
    const { id } = await harness.store({ instrument: { card: CARD } });
    harness.provider.failNext('lose_answer');
    const { id: payment, status } = await harness.paid(stored(id, '737'));
    expect(status).toBe('PROCESSING');

    await harness.remove(id);
    await reconcileAfter(harness, 60_000);

    expect(await harness.show(payment)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      paymentMethod: null,
      card: { lastFour: '1111' },
    });
    const [first, second] = harness.requested();
    expect(second).toEqual({ ...first, card: { ...first?.card, cvv: null } });
    const row = await harness.server.app.db.prisma.paymentMethod.findFirst({ where: { id } });
    expect(row).toMatchObject({ status: 'deleted', sealedInstrument: null, usageCount: 1 });
  });

  it('stays deleted, without a token, when the payment was to store it', async () => {
    harness.provider.failNext('lose_answer');
    const { paymentMethod } = await harness.paid(STORE);
    const id = paymentMethod?.id ?? '';

    await harness.remove(id);
    await reconcileAfter(harness, 60_000);

    const row = await harness.server.app.db.prisma.paymentMethod.findFirst({ where: { id } });
    expect(row).toMatchObject({ status: 'deleted', sealedInstrument: null });
    expect(await harness.notified(id)).toEqual(['payment-method.created', 'payment-method.deleted']);
    const tokens = { where: { paymentMethodId: id } };
    expect(await harness.server.app.db.prisma.paymentMethodToken.count(tokens)).toBe(0);
  });

  it('is not charged when the deletion comes before the claim', async () => {
    const { id } = await harness.store({ instrument: { card: CARD } });
    const before = await harness.server.app.db.prisma.transaction.count();
    // Between the read of the payment method and the claim.
    const { db } = harness.server.app;
    const query = db.query.bind(db);
    const removed = { done: false };
    db.query = async (statement) => {
      if (!removed.done && statement.name === 'payment_services_accepting') {
        removed.done = true;
        await harness.remove(id);
      }
      return query(statement);
    };
    const { transaction, userErrors } = await harness.pay({ ...stored(id), ...RECURRING });
    db.query = query;

    expect([removed.done, transaction, userErrors.map(({ code }) => code)]).toEqual([
      true,
      null,
      ['NOT_FOUND'],
    ]);
    expect(harness.requested()).toEqual([]);
    expect(await harness.server.app.db.prisma.transaction.count()).toBe(before);
  });
});
