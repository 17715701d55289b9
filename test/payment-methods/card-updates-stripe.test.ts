import { beforeEach, describe, expect, it } from '@jest/globals';
import { startTokenDigester } from '../../src/modules/payment-methods/index.ts';
import { openShop } from '../connectors/kit/shop.ts';
import { startStripe } from '../connectors/stripe/start.ts';
import { untilFound } from '../support/until.ts';
import { storedAt } from './stored-elsewhere.ts';

const { double, harness, prisma, service } = await openShop((now) => startStripe({ now }));
const at = storedAt(harness, () => service);
beforeEach(async () => {
  double.webhooks();
  await prisma.inboundWebhook.deleteMany({});
});

/** Stores a card. Returns the payment method, and its id at Stripe. */
async function stored(): Promise<{ readonly id: string; readonly method: string }> {
  const id = await at.store();
  double.webhooks();
  const token = await at.tokenOf(id);
  return { id, method: token?.split('/').at(-1) ?? '' };
}

/** The owed webhooks about payment methods. */
const owed = () => double.webhooks().filter(({ type }) => type.startsWith('payment_method.'));
const NEW_CARD = { exp_month: 3, exp_year: 2042 };

describe('a card that the network updates at Stripe', () => {
  it('has its new expiration date, and goes on to pay', async () => {
    const { id, method } = await stored();
    double.hands.replaceCard(method, NEW_CARD);

    expect(await at.deliver(owed())).toEqual([200]);

    expect(await harness.method(id)).toMatchObject({ expirationDate: '03/42', instrumentType: 'PAN' });
    expect((await at.told(id)).at(-1)).toBe('payment-method.updated');
    expect(await at.states()).toEqual(['applied']);
    expect((await at.charge(id)).transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('has its new number and scheme at Stripe alone', async () => {
    const { id, method } = await stored();
    double.hands.replaceCard(method, { ...NEW_CARD, brand: 'mastercard', last4: '4444' });

    await at.deliver(owed());

    expect(await harness.method(id)).toMatchObject({
      ...{ expirationDate: '03/42', lastFour: '4444', scheme: 'MASTERCARD', instrumentType: 'CARD_TOKEN' },
    });
    expect((await at.charge(id)).transaction).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', paymentService: { id: service.id } },
    });
  });

  it('keeps the newer card when an older report comes later', async () => {
    const { id, method } = await stored();
    double.hands.replaceCard(method, { exp_month: 1, exp_year: 2041 });
    await harness.pass(60_000);
    double.hands.replaceCard(method, NEW_CARD);
    const [older, newer] = owed();

    await at.deliver(newer ? [newer] : []);
    await at.deliver(older ? [older] : []);

    expect((await harness.method(id))?.expirationDate).toBe('03/42');
    expect(await at.states()).toEqual(['applied', 'ignored']);
    const updates = (await at.told(id)).filter((name) => name === 'payment-method.updated');
    expect(updates).toHaveLength(1);
  });

  it('is found by its token from before digests', async () => {
    const { id, method } = await stored();
    const { prisma } = harness.server.app.db;
    await prisma.paymentMethodToken.updateMany({ data: { tokenDigest: null } });
    double.hands.replaceCard(method, NEW_CARD);
    await at.deliver(owed(), { passMs: 0 });
    expect(await at.states()).toEqual(['parked']);

    const digester = startTokenDigester(harness.server.app);
    await untilFound(async () =>
      (await prisma.paymentMethodToken.count({ where: { tokenDigest: null } })) === 0 ? true : null,
    );
    await digester.stop();
    await at.deliver([], { passMs: 3_600_000 });

    expect((await harness.method(id))?.expirationDate).toBe('03/42');
    expect(await at.states()).toEqual(['applied']);
  });
});

describe('a change beside the card', () => {
  it('is not stored', async () => {
    const { method } = await stored();
    double.hands.renameBuyer(method, 'Ada Lovelace');

    expect([await at.deliver(owed()), await at.states()]).toEqual([[200], []]);
  });
});

describe('a payment method that is detached at Stripe', () => {
  it('pays by its card instead of the token', async () => {
    const { id, method } = await stored();
    double.hands.detach(method);

    await at.deliver(owed());

    expect([await at.tokenOf(id), (await harness.method(id))?.status]).toEqual([null, 'SUCCEEDED']);
    expect((await at.told(id)).at(-1)).toBe('recurring.token.disabled');
    expect((await at.charge(id)).transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
  });
});
