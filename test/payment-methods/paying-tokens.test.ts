import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TOKEN_LATER_AMOUNT, tokenOf } from '../../src/connectors/sandbox/simulator.ts';
import { openProviderToken } from '../../src/modules/payment-methods/index.ts';
import { applyDueWebhooks } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from '../transactions/doubt.ts';
import { ended, inboxOf, until } from '../transactions/inbox.ts';
import { CARD, RECURRING, startPayingHouse, stored, type Input, type PayingHouse } from './paying-house.ts';

let house: PayingHouse;
let serviceId: string;
beforeAll(async () => {
  house = await startPayingHouse('mockds-card');
  const made = await house.server.app.db.prisma.paymentService.findMany({});
  serviceId = made[0]?.id ?? '';
});
afterAll(() => house.stop());
beforeEach(() => void house.asked());

const STORE = { paymentMethod: { card: CARD }, store: true };

/** Makes a first payment that stores its card. Returns the payment method's id. */
async function begun(input: Input = {}): Promise<{ readonly id: string; readonly key: string }> {
  house.asked();
  const { paymentMethod } = await house.paid({ ...STORE, ...input });
  return { id: paymentMethod?.id ?? '', key: house.asked()[0]?.idempotency_key ?? '' };
}

const tokenAt = (paymentMethodId: string, paymentServiceId = serviceId): Promise<string | null> =>
  openProviderToken(house.server.app, { merchantAccountId: 'default', paymentMethodId, paymentServiceId });

describe('the token of a payment service', () => {
  it('replaces the card when the merchant continues the series', async () => {
    const { id, key } = await begun();

    const merchant = await house.paid({ ...stored(id), ...RECURRING });
    const buyer = await house.paid({ ...stored(id, '737'), paymentSource: 'CARD_ON_FILE' });

    expect(merchant).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      card: { lastFour: '1111' },
      paymentMethod: { id },
    });
    expect(buyer.status).toBe('AUTHORIZATION_SUCCEEDED');
    const [byToken, byCard] = house.asked();
    expect(byToken).toMatchObject({ token: tokenOf(key), stored_credential: { initiator: 'merchant' } });
    expect(byToken).not.toHaveProperty('card');
    expect(byCard).toMatchObject({ card: { number: '4111111111111111', cvv: '737' } });
    expect(byCard).not.toHaveProperty('token');
    expect(await house.method(id)).toMatchObject({ usageCount: 3, citUsageCount: 2 });
  });

  it('is sent again under the same key, even after its deletion', async () => {
    const { id } = await begun();
    house.provider.failNext('lose_request');
    const { id: payment } = await house.paid({ ...stored(id), ...RECURRING });

    await house.remove(id);
    await reconcileAfter(house, 60_000);

    expect(await house.show(payment)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    const [first, second] = house.asked();
    expect(second).toEqual(first);
    expect(second?.token).toMatch(/^tok_/);
  });

  it('goes to its own service only, while another one receives the card', async () => {
    const { id } = await begun();
    const other = await house.service('mock-card');

    // A technical failure, which sends the payment to the next service.
    const paid = await house.paid({ ...stored(id), ...RECURRING, amount: 300_013 });
    await house.paid({ ...stored(id), ...RECURRING, paymentServiceId: other });

    expect(paid.status).toBe('AUTHORIZATION_FAILED');
    expect(house.asked().map(({ token, card }) => [token !== undefined, card?.number])).toEqual([
      [true, undefined],
      [false, '4111111111111111'],
      [false, '4111111111111111'],
    ]);
  });

  it('is kept sealed, and shown nowhere', async () => {
    const { id, key } = await begun();
    const { prisma } = house.server.app.db;
    const rows = await Promise.all([
      prisma.paymentMethodToken.findMany({}),
      prisma.operation.findMany({}),
      prisma.event.findMany({}).then((all) => all.map(({ payload }) => payload)),
      prisma.idempotencyKey.findMany({}),
    ]);

    expect(await tokenAt(id)).toBe(tokenOf(key));
    expect(
      JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? '' : value)),
    ).not.toContain('tok_');
    expect(house.server.logs()).not.toContain('tok_');
  });
});

describe('a token that the provider reports later', () => {
  const LATER = { amount: TOKEN_LATER_AMOUNT };
  const told = (id: string): Promise<readonly string[]> => house.told(id);
  const webhooks = (): Promise<number> => house.server.app.db.prisma.inboundWebhook.count();

  async function tell(said: Input): Promise<void> {
    const before = await webhooks();
    const inbox = await inboxOf(house, serviceId);
    expect(await inbox.tell({ event: 'recurring_token.created', ...said })).toBe(200);
    await ended(house, before + 1);
  }

  it('is stored and published once, however often it is reported, and then pays', async () => {
    const { id, key } = await begun(LATER);
    expect([await tokenAt(id), await told(id)]).toEqual([
      null,
      ['payment-method.created', 'payment-method.updated'],
    ]);

    await tell({ id: 'evt_1', idempotency_key: key, recurring_token: 'tok_later' });
    await tell({ id: 'evt_2', idempotency_key: key, recurring_token: 'tok_later' });

    expect(await tokenAt(id)).toBe('tok_later');
    expect(await told(id)).toEqual([
      'payment-method.created',
      'payment-method.updated',
      'recurring.token.created',
    ]);
    await house.paid({ ...stored(id), ...RECURRING });
    expect(house.asked()).toMatchObject([{ token: 'tok_later' }]);
    const rows = await house.server.app.db.prisma.inboundWebhook.findMany({});
    expect(rows.map(({ sealedToken }) => sealedToken)).toEqual([null, null]);
    expect(JSON.stringify(rows)).not.toContain('tok_later');
  });

  it('is stored once when the process is killed before the end of the webhook', async () => {
    const { id, key } = await begun(LATER);
    const before = await webhooks();
    const inbox = await inboxOf(house, serviceId);
    let killed = 0;
    const undo = setFailpoint('recurring_token.kept', () => {
      killed++;
      throw new Error('killed');
    });
    await inbox.tell({
      id: 'evt_killed',
      event: 'recurring_token.created',
      idempotency_key: key,
      recurring_token: 'tok_killed',
    });
    await until(() => Promise.resolve(killed > 0 ? true : null));
    undo();

    await house.pass(60_000);
    while (await applyDueWebhooks(house.server.app));
    await ended(house, before + 1);

    expect(await tokenAt(id)).toBe('tok_killed');
    expect((await told(id)).filter((name) => name === 'recurring.token.created')).toHaveLength(1);
  });

  it('waits for the payment, and does not change it', async () => {
    house.provider.failNext('lose_request');
    const { id, key } = await begun(LATER);
    const inbox = await inboxOf(house, serviceId);
    const said = { event: 'recurring_token.created', idempotency_key: key, recurring_token: 'tok_early' };
    await inbox.tell({ id: 'evt_early', ...said });
    const waiting = () => house.server.app.db.prisma.inboundWebhook.findFirst({ where: { state: 'parked' } });
    expect(JSON.stringify(await waiting())).not.toContain('tok_early');
    expect([await tokenAt(id), (await house.method(id))?.status]).toEqual([null, 'PROCESSING']);

    await reconcileAfter(house, 60_000);
    await house.pass(3_600_000);
    while (await applyDueWebhooks(house.server.app));

    expect(await waiting()).toBeNull();
    expect(await tokenAt(id)).toBe('tok_early');
    expect((await told(id)).at(-1)).toBe('recurring.token.created');
  });

  it('is dropped when it belongs to a payment that stored nothing, or failed', async () => {
    const plain = await house.paid({ paymentMethod: { card: CARD } });
    const [asked] = house.asked();
    const declined = await begun({ amount: 200_011 });
    const before = await house.server.app.db.prisma.paymentMethodToken.count();

    await tell({ id: 'evt_plain', idempotency_key: asked?.idempotency_key, recurring_token: 'tok_none' });
    await tell({ id: 'evt_declined', idempotency_key: declined.key, recurring_token: 'tok_none' });

    expect(plain.paymentMethod).toBeNull();
    expect(await house.server.app.db.prisma.paymentMethodToken.count()).toBe(before);
  });
});
