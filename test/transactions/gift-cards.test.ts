import { afterEach, afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ACCEPTANCES,
  holdPayments,
  readProgress,
  releasePayments,
} from '../../src/modules/transactions/index.ts';
import { historyOf, reconcileAfter } from './unresolved.ts';
import { METHOD, startGiftCardPayments, type GiftCardPayments, type Payment } from './gift-card-payments.ts';
import type { Harness } from './harness.ts';

let harness: GiftCardPayments;
let requested: () => readonly string[];
let requestedMethod: () => readonly string[];
beforeAll(async () => {
  harness = await startGiftCardPayments();
});
afterAll(() => harness.stop());
beforeEach(() => {
  const [before, beforeMethod] = [harness.requested().length, harness.provider.calls.length];
  requested = () => harness.requested().slice(before);
  requestedMethod = () => harness.provider.calls.slice(beforeMethod).map(({ operation }) => operation);
});

const statuses = ({ giftCardRedemptions }: Payment) => giftCardRedemptions.map(({ status }) => status);

/** Reads the payment in the latest event about a target. */
async function notifiedOf(targetId: string): Promise<unknown> {
  const event = await harness.server.app.db.prisma.event.findFirst({
    where: { targetId },
    orderBy: { position: 'desc' },
  });
  return (JSON.parse(event?.payload ?? '{}') as { readonly target?: unknown }).target;
}

async function paid(input: Readonly<Record<string, unknown>>): Promise<Payment> {
  const { transaction, userErrors } = await harness.pay(input);
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return transaction;
}

afterEach(() => releasePayments(harness.server.app, ACCEPTANCES));

it('keeps a hold after a restore until a person accepts it, because no provider of gift cards tells payments', async () => {
  const { app } = harness.server;
  await paid({ amount: 100, giftCards: [harness.card(100)] });
  await holdPayments(app, { restoredTo: app.clock.now(), paymentsSince: null });

  const refused = await releasePayments(app, []);

  expect(refused).toMatchObject({
    refusals: expect.arrayContaining([expect.objectContaining({ doubt: 'unproven' })]) as unknown,
  });
  expect((await readProgress(app))?.giftCards).toBeGreaterThan(0);
});

describe('a payment by gift cards alone', () => {
  it('redeems at once, calls no payment method, and counts the use of a stored card', async () => {
    const card = harness.card(1500);
    const id = await harness.stored(card);

    const payment = await paid({ intent: 'CAPTURE', giftCards: [{ id, amount: 1000 }] });

    expect(payment).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', amount: 1000, giftCardAmount: 1000, giftCardRedeemedAmount: 1000 },
      ...{ authorizedAmount: 0, capturedAmount: 0, capturable: { amount: 0 }, refundable: { amount: 0 } },
      ...{ method: 'gift-card', instrumentType: null, paymentServiceTransactionId: null, errorCode: null },
      intentOutcome: 'SUCCEEDED',
      giftCardRedemptions: [
        {
          ...{ status: 'SUCCEEDED', amount: 1000, currency: 'USD', refundedAmount: 0, errorCode: null },
          ...{ refundable: { amount: 1000 }, paymentService: { id: harness.giftCardServiceId } },
          ...{ lastFour: card.number.slice(-4), paymentServiceRedemptionId: expect.stringMatching(/^gcr_/) },
          giftCard: { id, usageCount: 1, citUsageCount: 1, balance: 500 },
        },
      ],
    });
    expect(await harness.balance(card)).toBe(500);
    expect(requested()).toEqual(['redeem']);
    expect(requestedMethod()).toEqual([]);
    const names = (await historyOf(harness as unknown as Harness, payment.id)).map(({ name }) => name);
    expect(names).toEqual([
      'gift-card-redemption-succeeded',
      'payment-connector-response-transaction-authorization-succeeded',
    ]);
    expect((await harness.eventNames()).slice(-3)).toEqual([
      'gift-card.created',
      'gift-card.updated',
      'transaction.captured',
    ]);
    expect(await notifiedOf(payment.id)).toEqual({
      ...{
        type: 'transaction',
        id: payment.id,
        status: 'capture_succeeded',
        payment_method: { method: 'gift-card' },
        bank: null,
      },
      ...{ amount: 1000, currency: 'USD', authorized_amount: 0, captured_amount: 0, refunded_amount: 0 },
      splits: null,
      ...{ external_identifier: null, payment_service_transaction_id: null, payment_link_id: null },
      ...{ anti_fraud_decision: null, pending_review: false, has_gift_card_redemptions: true },
      ...{
        error_code: null,
        metadata: null,
        origin: 'requested',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    });
  });

  it('redeems only the needed amount, card by card, and skips cards that are not needed', async () => {
    const [first, second, third] = [harness.card(300), harness.card(5000), harness.card(50)];

    const payment = await paid({ intent: 'CAPTURE', giftCards: [first, second, third] });

    expect(payment.giftCardRedemptions.map(({ status, amount }) => [status, amount])).toEqual([
      ['SUCCEEDED', 300],
      ['SUCCEEDED', 700],
      ['SKIPPED', 0],
    ]);
    expect([
      await harness.balance(first),
      await harness.balance(second),
      await harness.balance(third),
    ]).toEqual([0, 4300, 50]);
    const { prisma } = harness.server.app.db;
    expect(await prisma.redemption.count({ where: { sealedCard: { not: null } } })).toBe(0);
  });

  it('can be authorised first, then captured without another redemption, or voided and reversed', async () => {
    const [kept, released] = [harness.card(1000), harness.card(1000)];
    const first = await paid({ giftCards: [{ ...kept, amount: 1000 }] });
    const second = await paid({ giftCards: [{ ...released, amount: 1000 }] });
    expect([first.status, second.status]).toEqual(['AUTHORIZATION_SUCCEEDED', 'AUTHORIZATION_SUCCEEDED']);

    const captured = await harness.capture(first.id);
    const voided = await harness.void(second.id);

    expect(captured.transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 0 });
    expect(voided.transaction).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    expect([await harness.balance(kept), await harness.balance(released)]).toEqual([0, 1000]);
    expect(statuses(await harness.payment(first.id))).toEqual(['SUCCEEDED']);
    expect(await harness.payment(second.id)).toMatchObject({
      giftCardRedeemedAmount: 0,
      giftCardRedemptions: [{ status: 'REVERSED' }],
    });
    expect(requestedMethod()).toEqual([]);
  });
});

describe('a payment by gift cards and a payment method', () => {
  it('charges the rest to the method, after the gift cards', async () => {
    const card = harness.card(400);

    const payment = await paid({ paymentMethod: METHOD, giftCards: [{ ...card, amount: 400 }] });

    expect(payment).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', amount: 1000, giftCardAmount: 400, authorizedAmount: 600 },
      ...{ method: 'card', instrumentType: 'PAN', capturable: { amount: 600 } },
    });
    expect(harness.provider.calls.at(-1)).toMatchObject({ operation: 'authorize', amount: 600 });
    expect(await harness.ledger()).toEqual(expect.arrayContaining([{ kind: 'redeem', amount: 400 }]));
    const { transaction } = await harness.capture(payment.id);
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 600 });
  });

  it('hands no cart to the method, because the cart makes another amount', async () => {
    const cartItems = [{ name: 'Socks', quantity: 1, unitAmount: 1000 }];
    const giftCards = [{ ...harness.card(400), amount: 400 }];

    await paid({ paymentMethod: METHOD, giftCards, cartItems, purchaseOrderNumber: 'PO 7' });

    const order = harness.provider.calls.at(-1)?.order;
    expect(order).toMatchObject({ lines: [], numbers: { purchase_order: 'PO 7' } });
    expect(order).not.toHaveProperty('totals');
  });

  it('reverses its redemptions when a later gift card is declined, and never calls the method', async () => {
    const [good, poor, spare] = [harness.card(400), harness.card(100), harness.card(400)];
    const giftCards = [good, poor, spare].map((card) => ({ ...card, amount: 200 }));

    const payment = await paid({ paymentMethod: METHOD, giftCards });

    expect(payment).toMatchObject({ status: 'AUTHORIZATION_DECLINED', errorCode: 'insufficient_funds' });
    expect(payment.giftCardRedemptions).toMatchObject([
      { status: 'REVERSED', errorCode: null },
      { status: 'FAILED', errorCode: 'insufficient_funds', rawErrorCode: 'insufficient_funds' },
      { status: 'SKIPPED' },
    ]);
    expect(requested()).toEqual(['redeem', 'redeem', 'unredeem']);
    expect(requestedMethod()).toEqual([]);
    expect(await harness.balance(good)).toBe(400);
    const names = (await historyOf(harness as unknown as Harness, payment.id)).map(({ name }) => name);
    expect(names).toEqual([
      'gift-card-redemption-succeeded',
      'gift-card-redemption-failed',
      'payment-connector-response-transaction-declined',
      'gift-card-reversal-succeeded',
    ]);
    const { prisma } = harness.server.app.db;
    expect(await prisma.redemption.count({ where: { sealedCard: { not: null } } })).toBe(0);
  });

  it('reverses its redemptions when the method declines', async () => {
    const card = harness.card(400);
    const id = await harness.stored(card);

    const payment = await paid({
      amount: 200411,
      paymentMethod: METHOD,
      giftCards: [{ id, amount: 400 }],
    });

    expect(payment).toMatchObject({
      ...{ status: 'AUTHORIZATION_DECLINED', errorCode: 'insufficient_funds', giftCardRedeemedAmount: 0 },
      giftCardRedemptions: [{ status: 'REVERSED', giftCard: { usageCount: 1, balance: 400 } }],
    });
    expect(await harness.balance(card)).toBe(400);
    expect((await harness.ledger()).slice(-2)).toEqual([
      { kind: 'redeem', amount: 400 },
      { kind: 'unredeem', amount: 400 },
    ]);
  });

  it('is increased at the method, captured in full, and refunded to every payer', async () => {
    const card = harness.card(400);
    const payment = await paid({ paymentMethod: METHOD, giftCards: [{ ...card, amount: 400 }] });

    expect((await harness.increase(payment.id, { amount: 700 })).transaction).toMatchObject({
      ...{ authorizedAmount: 1300, increasePendingAmount: 0, capturable: { amount: 1300 } },
    });
    expect(harness.provider.calls.at(-1)).toMatchObject({ amount: 700, total_amount: 1300 });
    const { transaction } = await harness.capture(payment.id);
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', amount: 1000, capturedAmount: 1300 });
    const { refunds } = await harness.refund(payment.id, { target: 'ALL' });

    expect(refunds?.map(({ amount, status }) => [amount, status])).toEqual([
      [1300, 'SUCCEEDED'],
      [400, 'SUCCEEDED'],
    ]);
    expect(await harness.payment(payment.id)).toMatchObject({ refundedAmount: 1300 });
    expect(await harness.balance(card)).toBe(400);
    expect(requested()).toEqual(['redeem', 'refund']);
  });

  it('stays as it was after a declined increase, and after a larger one is voided and reversed', async () => {
    const card = harness.card(400);
    const payment = await paid({ paymentMethod: METHOD, giftCards: [{ ...card, amount: 400 }] });

    expect((await harness.increase(payment.id, { amount: 530_002 })).transaction).toMatchObject({
      ...{ authorizedAmount: 600, capturable: { amount: 600 } },
    });
    await harness.increase(payment.id, { amount: 50 });
    expect((await harness.increase(payment.id, { amount: 99_999_350 })).userErrors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'amount'] },
    ]);
    await harness.void(payment.id);

    expect(await harness.payment(payment.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_VOIDED', authorizedAmount: 650 },
      giftCardRedemptions: [{ status: 'REVERSED' }],
    });
    expect(await harness.balance(card)).toBe(400);
    expect((await harness.ledger()).slice(-3)).toEqual([
      { kind: 'increase', amount: 50 },
      { kind: 'void', amount: 650 },
      { kind: 'unredeem', amount: 400 },
    ]);
  });

  it('is voided at the method first, then reversed', async () => {
    const card = harness.card(400);
    const payment = await paid({ paymentMethod: METHOD, giftCards: [{ ...card, amount: 400 }] });

    await harness.void(payment.id);

    expect(statuses(await harness.payment(payment.id))).toEqual(['REVERSED']);
    expect(await harness.balance(card)).toBe(400);
    expect(requestedMethod()).toEqual(['authorize', 'void']);
  });

  it('is cancelled while a redemption has an unknown outcome, and is reversed once the outcome is known', async () => {
    const card = harness.card(400);
    harness.giftCards.failNext('lose_answer');
    const payment = await paid({ paymentMethod: METHOD, giftCards: [{ ...card, amount: 400 }] });
    expect(payment).toMatchObject({ status: 'PROCESSING', giftCardRedemptions: [{ status: 'PENDING' }] });

    const { transaction } = await harness.cancel(payment.id);
    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' });
    await reconcileAfter(harness as unknown as Harness, 2_000);

    expect(statuses(await harness.payment(payment.id))).toEqual(['REVERSED']);
    expect(await harness.balance(card)).toBe(400);
    expect(requestedMethod()).toEqual(['cancel']);
  });
});

describe('the input of gift cards', () => {
  const refusals: readonly [string, () => Readonly<Record<string, unknown>>, string][] = [
    ['no payer', () => ({}), 'input.paymentMethod'],
    [
      'a rest that nobody pays',
      () => ({ giftCards: [{ ...harness.card(900), amount: 900 }] }),
      'input.paymentMethod',
    ],
    ['a rest that shows by the balance', () => ({ giftCards: [harness.card(900)] }), 'input.paymentMethod'],
    [
      'more than the amount',
      () => ({ giftCards: [{ ...harness.card(9000), amount: 1001 }] }),
      'input.giftCards',
    ],
    ['no list', () => ({ giftCards: [] }), 'input.giftCards'],
    ['eleven', () => ({ giftCards: Array.from({ length: 11 }, () => harness.card(1)) }), 'input.giftCards'],
    [
      'nothing to take',
      () => ({ amount: 0, paymentMethod: METHOD, giftCards: [harness.card(1)] }),
      'input.giftCards',
    ],
    [
      'an amount of 0',
      () => ({ giftCards: [{ ...harness.card(1), amount: 0 }] }),
      'input.giftCards.0.amount',
    ],
    ['a number without a PIN', () => ({ giftCards: [{ number: '9'.repeat(16) }] }), 'input.giftCards.0'],
    [
      'an unknown id',
      () => ({ giftCards: [{ id: '019b0000-0000-7000-8000-000000000000' }] }),
      'input.giftCards.0.id',
    ],
    [
      'a card given twice',
      () => {
        const card = harness.card(1000);
        return {
          giftCards: [
            { ...card, amount: 500 },
            { ...card, amount: 500 },
          ],
        };
      },
      'input.giftCards.1',
    ],
    ['to store what is not asked', () => ({ store: true, giftCards: [harness.card(1000)] }), 'input.store'],
    [
      'a card that its provider does not know',
      () => ({ giftCards: [{ ...harness.card(1), pin: '10000' }] }),
      'input.giftCards.0',
    ],
  ];

  it.each(refusals)('is refused for %s, and nothing happens', async (_, input, path) => {
    const { prisma } = harness.server.app.db;
    const before = await prisma.transaction.count();

    const { transaction, userErrors } = await harness.pay(input());

    expect(transaction).toBeNull();
    expect(userErrors.map((error) => error.path.join('.'))).toEqual([path]);
    expect(await prisma.transaction.count()).toBe(before);
    expect(requested()).toEqual([]);
  });
});

describe('an idempotency key', () => {
  it('answers a repeat from its record, even with an empty card, and distinguishes other cards and amounts', async () => {
    const card = harness.card(1000);
    const first = await harness.pay({ giftCards: [card] }, 'once');

    const again = await harness.pay({ giftCards: [card] }, 'once');
    const other = await harness.pay({ giftCards: [harness.card(1000)] }, 'once');
    const less = await harness.pay({ paymentMethod: METHOD, giftCards: [{ ...card, amount: 5 }] }, 'once');

    expect(again).toEqual({ ...first, replayed: true });
    expect(requested()).toEqual(['redeem']);
    for (const refused of [other, less])
      expect(refused.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    const { prisma } = harness.server.app.db;
    const rows = await prisma.idempotencyKey.findMany();
    const history = await prisma.historyEntry.findMany();
    expect(JSON.stringify([rows, history])).not.toContain(card.number);
  });
});
