import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findUsablePaymentMethod,
  lockUsablePaymentMethod,
  movePaymentMethod,
  openProviderToken,
  putProviderToken,
} from '../../src/modules/payment-methods/index.ts';
import {
  isUsable,
  lifecycle,
  statusAfter,
  type PaymentMethodHappening,
  type PaymentMethodStatus,
} from '../../src/modules/payment-methods/model/payment-method.ts';
import { CARD, mandateService, startStoredHarness, type StoredHarness } from './stored-harness.ts';

const STATUSES = Object.keys(lifecycle) as PaymentMethodStatus[];
const HAPPENINGS: readonly PaymentMethodHappening[] = [
  ...['approve', 'settle_approval', 'fail', 'pause', 'resume', 'begin_deletion', 'delete'],
] as PaymentMethodHappening[];

describe('the statuses of a payment method', () => {
  it('follow the facts, and end in deleted from any', () => {
    const ways = STATUSES.map((status) => [
      status,
      HAPPENINGS.map((happening) => statusAfter(status, happening)),
    ]);
    const removed = ['deleting', 'deleted'];
    expect(Object.fromEntries(ways)).toEqual({
      processing: ['succeeded', null, 'failed', null, null, ...removed],
      buyer_approval_required: ['succeeded', 'processing', 'failed', null, null, ...removed],
      succeeded: [null, null, null, 'paused', null, ...removed],
      paused: [null, null, null, null, 'succeeded', ...removed],
      failed: [null, null, null, null, null, ...removed],
      deleting: [null, null, null, null, null, ...removed],
      deleted: HAPPENINGS.map(() => null),
    });
  });

  it('are all reached from the initial ones', () => {
    const reached = new Set<PaymentMethodStatus>(['processing', 'buyer_approval_required']);
    for (const status of reached)
      for (const happening of HAPPENINGS) {
        const next = statusAfter(status, happening);
        if (next) reached.add(next);
      }
    expect([...reached].sort()).toEqual([...STATUSES].sort());
  });

  it('allow its use before and after its first approved payment, and at no other time', () => {
    const shown = STATUSES.filter((status) => status !== 'deleted');
    expect(shown.filter((status) => isUsable({ status }))).toEqual(['processing', 'succeeded']);
  });
});

describe('the result of a payment with a stored method', () => {
  let harness: StoredHarness;
  let rival: string;
  beforeAll(async () => {
    harness = await startStoredHarness();
    rival = (await harness.server.createMerchantAccount()).id;
  });
  afterAll(() => harness.stop());

  it('changes its status, publishes an event, and takes only valid ways', async () => {
    const { id } = await harness.stored({ instrument: { card: CARD } });
    const { app } = harness.server;
    const move = (happening: Parameters<typeof movePaymentMethod>[3], merchantAccountId = 'default') =>
      app.db.transaction((tx) => movePaymentMethod(app, tx, { merchantAccountId, id }, happening));

    expect(await move('approve', rival)).toBeNull();
    expect(await move('approve')).toMatchObject({ status: 'succeeded' });
    expect(await move('approve')).toBeNull();
    expect(await move('pause')).toMatchObject({ status: 'paused' });
    expect(await findUsablePaymentMethod(app, 'default', id)).toBeNull();
    expect(await move('resume')).toMatchObject({ status: 'succeeded' });

    expect(await harness.read(id)).toMatchObject({ status: 'SUCCEEDED' });
    expect((await harness.events(id)).map(([name, { status }]) => `${name} ${String(status)}`)).toEqual([
      'payment-method.created processing',
      'payment-method.updated succeeded',
      'payment-method.paused paused',
      'payment-method.resumed succeeded',
    ]);
  });

  it('finds it for its merchant account only', async () => {
    const { id } = await harness.stored({ instrument: { card: CARD } });
    const { app } = harness.server;
    const lock = (account: string) => app.db.transaction((tx) => lockUsablePaymentMethod(tx, account, id));

    expect(await findUsablePaymentMethod(app, 'default', id)).toMatchObject({ id, lastFour: '1111' });
    expect(await lock('default')).toMatchObject({ id });
    expect(await findUsablePaymentMethod(app, rival, id)).toBeNull();
    expect(await lock(rival)).toBeNull();
    expect(await findUsablePaymentMethod(app, 'default', 'mine')).toBeNull();
  });

  it('keeps one token of it at each service, the latest, sealed', async () => {
    const { id: paymentMethodId } = await harness.stored({ instrument: { card: CARD } });
    const { app } = harness.server;
    const [one, other] = [await mandateService(harness, null), await mandateService(harness, null)];
    const place = { merchantAccountId: 'default', paymentMethodId, paymentServiceId: one };

    expect(await openProviderToken(app, place)).toBeNull();
    await putProviderToken(app, place, { token: 'first-token', mandate: false });
    await putProviderToken(
      app,
      { ...place, paymentServiceId: other },
      { token: 'elsewhere', mandate: false },
    );
    await putProviderToken(app, place, { token: 'second-token', mandate: false });

    expect(await openProviderToken(app, place)).toBe('second-token');
    expect(await openProviderToken(app, { ...place, paymentServiceId: other })).toBe('elsewhere');
    const rows = await app.db.prisma.paymentMethodToken.findMany({ where: { paymentMethodId } });
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/token"|elsewhere/);
    expect(
      await putProviderToken(app, { ...place, merchantAccountId: rival }, { token: 'x', mandate: false }),
    ).toBe(false);
  });
});
