import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TOKEN_LATER_AMOUNT, tokenOf } from '../../src/connectors/sandbox/simulator/simulator.ts';
import { openProviderToken } from '../../src/modules/payment-methods/index.ts';
import { applyDueWebhooks } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from '../transactions/unresolved.ts';
import { ended, inboxOf, until } from '../transactions/inbox.ts';
import {
  CARD,
  RECURRING,
  startPayingHarness,
  stored,
  type Input,
  type PayingHarness,
} from './paying-harness.ts';

let harness: PayingHarness;
let serviceId: string;
beforeAll(async () => {
  harness = await startPayingHarness('mockds-card');
  const made = await harness.server.app.db.prisma.paymentService.findMany({});
  serviceId = made[0]?.id ?? '';
});
afterAll(() => harness.stop());
beforeEach(() => void harness.requested());

const STORE = { paymentMethod: { card: CARD }, store: true };

/** Makes a first payment that stores its card. Returns the payment method's id. */
async function started(input: Input = {}): Promise<{ readonly id: string; readonly key: string }> {
  harness.requested();
  const { paymentMethod } = await harness.paid({ ...STORE, ...input });
  return { id: paymentMethod?.id ?? '', key: harness.requested()[0]?.idempotency_key ?? '' };
}

const tokenAt = (paymentMethodId: string, paymentServiceId = serviceId): Promise<string | null> =>
  openProviderToken(harness.server.app, { merchantAccountId: 'default', paymentMethodId, paymentServiceId });

describe('the token of a payment service', () => {
  it('replaces the card when the merchant continues the series', async () => {
    const { id, key } = await started();

    const merchant = await harness.paid({ ...stored(id), ...RECURRING });
    const buyer = await harness.paid({ ...stored(id, '737'), paymentSource: 'CARD_ON_FILE' });

    expect(merchant).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      card: { lastFour: '1111' },
      paymentMethod: { id },
    });
    expect(buyer.status).toBe('AUTHORIZATION_SUCCEEDED');
    const [byToken, byCard] = harness.requested();
    expect(byToken).toMatchObject({ token: tokenOf(key), stored_credential: { initiator: 'merchant' } });
    expect(byToken).not.toHaveProperty('card');
    expect(byCard).toMatchObject({ card: { number: '4111111111111111', cvv: '737' } });
    expect(byCard).not.toHaveProperty('token');
    expect(await harness.method(id)).toMatchObject({ usageCount: 3, citUsageCount: 2 });
  });

  it('is sent again under the same key, even after its deletion', async () => {
    const { id } = await started();
    harness.provider.failNext('lose_request');
    const { id: payment } = await harness.paid({ ...stored(id), ...RECURRING });

    await harness.remove(id);
    await reconcileAfter(harness, 60_000);

    expect(await harness.show(payment)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    const [first, second] = harness.requested();
    expect(second).toEqual(first);
    expect(second?.token).toMatch(/^tok_/);
  });

  it('goes to its own service only, while another one receives the card', async () => {
    const { id } = await started();
    const other = await harness.service('mock-card');

    // A technical failure, which sends the payment to the next service.
    const paid = await harness.paid({ ...stored(id), ...RECURRING, amount: 300_013 });
    await harness.paid({ ...stored(id), ...RECURRING, paymentServiceId: other });

    expect(paid.status).toBe('AUTHORIZATION_FAILED');
    expect(harness.requested().map(({ token, card }) => [token !== undefined, card?.number])).toEqual([
      [true, undefined],
      [false, '4111111111111111'],
      [false, '4111111111111111'],
    ]);
  });

  it('is kept sealed, and shown nowhere', async () => {
    const { id, key } = await started();
    const { prisma } = harness.server.app.db;
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
    expect(harness.server.logs()).not.toContain('tok_');
  });
});

describe('a token that the provider reports later', () => {
  const LATER = { amount: TOKEN_LATER_AMOUNT };
  const notified = (id: string): Promise<readonly string[]> => harness.notified(id);
  const webhooks = (): Promise<number> => harness.server.app.db.prisma.inboundWebhook.count();

  async function tell(reported: Input): Promise<void> {
    const before = await webhooks();
    const inbox = await inboxOf(harness, serviceId);
    expect(await inbox.tell({ event: 'recurring_token.created', ...reported })).toBe(200);
    await ended(harness, before + 1);
  }

  it('is stored and published once, however often it is reported, and then pays', async () => {
    const { id, key } = await started(LATER);
    expect([await tokenAt(id), await notified(id)]).toEqual([
      null,
      ['payment-method.created', 'payment-method.updated'],
    ]);

    await tell({ id: 'evt_1', idempotency_key: key, recurring_token: 'tok_later' });
    await tell({ id: 'evt_2', idempotency_key: key, recurring_token: 'tok_later' });

    expect(await tokenAt(id)).toBe('tok_later');
    expect(await notified(id)).toEqual([
      'payment-method.created',
      'payment-method.updated',
      'recurring.token.created',
    ]);
    await harness.paid({ ...stored(id), ...RECURRING });
    expect(harness.requested()).toMatchObject([{ token: 'tok_later' }]);
    const rows = await harness.server.app.db.prisma.inboundWebhook.findMany({});
    expect(rows.map(({ sealedToken }) => sealedToken)).toEqual([null, null]);
    expect(JSON.stringify(rows)).not.toContain('tok_later');
  });

  it('is stored once when the process is killed before the end of the webhook', async () => {
    const { id, key } = await started(LATER);
    const before = await webhooks();
    const inbox = await inboxOf(harness, serviceId);
    let killed = 0;
    const undo = setFailpoint('recurring_token.stored', () => {
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

    await harness.pass(60_000);
    while (await applyDueWebhooks(harness.server.app));
    await ended(harness, before + 1);

    expect(await tokenAt(id)).toBe('tok_killed');
    expect((await notified(id)).filter((name) => name === 'recurring.token.created')).toHaveLength(1);
  });

  it('waits for the payment, and does not change it', async () => {
    harness.provider.failNext('lose_request');
    const { id, key } = await started(LATER);
    const inbox = await inboxOf(harness, serviceId);
    const reported = { event: 'recurring_token.created', idempotency_key: key, recurring_token: 'tok_early' };
    await inbox.tell({ id: 'evt_early', ...reported });
    const waiting = () =>
      harness.server.app.db.prisma.inboundWebhook.findFirst({ where: { state: 'parked' } });
    expect(JSON.stringify(await waiting())).not.toContain('tok_early');
    expect([await tokenAt(id), (await harness.method(id))?.status]).toEqual([null, 'PROCESSING']);

    await reconcileAfter(harness, 60_000);
    await harness.pass(3_600_000);
    while (await applyDueWebhooks(harness.server.app));

    expect(await waiting()).toBeNull();
    expect(await tokenAt(id)).toBe('tok_early');
    expect((await notified(id)).at(-1)).toBe('recurring.token.created');
  });

  it('is dropped when it belongs to a payment that stored nothing, or failed', async () => {
    const plain = await harness.paid({ paymentMethod: { card: CARD } });
    const [requested] = harness.requested();
    const declined = await started({ amount: 200_011 });
    const before = await harness.server.app.db.prisma.paymentMethodToken.count();

    await tell({ id: 'evt_plain', idempotency_key: requested?.idempotency_key, recurring_token: 'tok_none' });
    await tell({ id: 'evt_declined', idempotency_key: declined.key, recurring_token: 'tok_none' });

    expect(plain.paymentMethod).toBeNull();
    expect(await harness.server.app.db.prisma.paymentMethodToken.count()).toBe(before);
  });
});
