import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { providerKeysOf } from '../../src/modules/idempotency/index.ts';
import { bookElsewhere } from '../../src/modules/transactions/elsewhere/book.ts';
import type { MadeElsewhere } from '../../src/modules/transactions/elsewhere/made-elsewhere.ts';
import { mutationOf } from '../../src/modules/transactions/model/operation.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { historyOf, reconcileAfter } from './unresolved.ts';
import {
  METHOD,
  startGiftCardPayments,
  type Card,
  type GiftCardPayments,
  type Redemption,
} from './gift-card-payments.ts';
import type { Harness } from './harness.ts';

const LEASE_MS = 15_000;

let payments: GiftCardPayments;
let harness: Harness;
beforeAll(async () => {
  payments = await startGiftCardPayments();
  harness = payments as unknown as Harness;
});
afterAll(() => payments.stop());

type Bought = {
  readonly id: string;
  readonly cards: readonly Card[];
  readonly redemptions: readonly Redemption[];
};

/** Pays 1000: two gift cards pay their whole balances of 200 and 300, and a card pays 500. */
async function bought(intent = 'CAPTURE'): Promise<Bought> {
  const cards = [payments.card(200), payments.card(300)];
  const { transaction } = await payments.pay({ intent, paymentMethod: METHOD, giftCards: cards });
  if (!transaction) throw new Error('Nothing was bought');
  return { id: transaction.id, cards, redemptions: transaction.giftCardRedemptions };
}

const balances = ({ cards }: Bought) => Promise.all(cards.map((card) => payments.balance(card)));
const to = (redemption: Redemption | undefined, amount?: number) => ({
  ...{ target: 'GIFT_CARD_REDEMPTION', redemptionId: redemption?.id },
  ...(amount !== undefined && { amount }),
});

describe('a refund to a gift card', () => {
  it('returns a part, then the rest, and never more than was redeemed', async () => {
    const purchase = await bought();
    const [, second] = purchase.redemptions;

    const part = await payments.refund(purchase.id, to(second, 100));
    const tooMuch = await payments.refund(purchase.id, to(second, 205));
    const rest = await payments.refund(purchase.id, to(second));
    const nothing = await payments.refund(purchase.id, to(second));

    expect(part.refund).toMatchObject({
      ...{ amount: 100, status: 'SUCCEEDED', redemptionId: second?.id },
      redemption: { id: second?.id, refundedAmount: 100 },
    });
    expect(part.refunds).toEqual([part.refund]);
    expect(tooMuch.userErrors).toMatchObject([{ code: 'REFUND_TOO_LARGE', refundable: { amount: 200 } }]);
    expect(rest.refund).toMatchObject({ amount: 200, status: 'SUCCEEDED' });
    expect(nothing.userErrors).toMatchObject([{ code: 'REFUND_TOO_LARGE', refundable: { amount: 0 } }]);
    expect(await balances(purchase)).toEqual([0, 300]);
    expect(await payments.payment(purchase.id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', refundedAmount: 0, refundable: { amount: 500 } },
      giftCardRedemptions: [{ refundedAmount: 0 }, { refundedAmount: 300, refundable: { amount: 0 } }],
    });
    const names = (await historyOf(harness, purchase.id)).map(({ name }) => name);
    expect(names.filter((name) => name === 'gift-card-refund-succeeded')).toHaveLength(2);
    expect((await payments.eventNames()).slice(-2)).toEqual(['refund.succeeded', 'refund.succeeded']);
  });

  it('that the provider declines frees the reserved amount', async () => {
    const purchase = await bought();
    const [, second] = purchase.redemptions;

    // The simulator declines by the last digit.
    const { refund } = await payments.refund(purchase.id, to(second, 101));

    expect(refund).toMatchObject({ status: 'DECLINED' });
    expect(await balances(purchase)).toEqual([0, 0]);
    expect((await payments.payment(purchase.id)).giftCardRedemptions[1]).toMatchObject({
      ...{ refundedAmount: 0, refundable: { amount: 300 } },
    });
    const { name, context } = (await historyOf(harness, purchase.id)).at(-1) ?? {};
    expect(name).toBe('gift-card-refund-failed');
    expect(context).toMatchObject({
      reason: 'invalid_amount',
      gift_card_service_id: payments.giftCardServiceId,
    });
  });

  it('is refused before the payment is captured, for a redemption of another payment, and without one', async () => {
    const [open, other] = [await bought('AUTHORIZE'), await bought()];

    const early = await payments.refund(open.id, to(open.redemptions[0]));
    const foreign = await payments.refund(other.id, to(open.redemptions[0]));
    const nobody = await payments.refund(other.id, { target: 'GIFT_CARD_REDEMPTION' });

    expect(early.userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
    expect(foreign.userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'redemptionId'] }]);
    expect(nobody.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'redemptionId'] }]);
    expect(await balances(open)).toEqual([0, 0]);
  });

  it('is done once, however many requests run at once', async () => {
    const purchase = await bought();
    const [, second] = purchase.redemptions;

    const answers = await Promise.all(
      Array.from({ length: 12 }, () => payments.refund(purchase.id, to(second, 100))),
    );

    const refunded = answers.filter(({ refund }) => refund?.status === 'SUCCEEDED');
    const refused = answers.flatMap(({ userErrors }) => userErrors.map(({ code }) => code));
    expect(refunded).toHaveLength(3);
    expect(new Set(refused)).toEqual(new Set(['REFUND_TOO_LARGE']));
    expect(await balances(purchase)).toEqual([0, 300]);
  });
});

describe('a refund to all who paid', () => {
  it('goes to the payment method first, then to the gift cards in order', async () => {
    const purchase = await bought();
    const [first, second] = purchase.redemptions;

    const part = await payments.refund(purchase.id, { target: 'ALL', amount: 800 });
    const rest = await payments.refund(purchase.id, { target: 'ALL' });

    expect(part.refunds?.map(({ redemptionId, amount }) => [redemptionId, amount])).toEqual([
      [null, 500],
      [first?.id, 200],
      [second?.id, 100],
    ]);
    expect(part.refund).toEqual(part.refunds?.[0]);
    expect(part.transaction).toMatchObject({ refundedAmount: 500 });
    expect(rest.refunds?.map(({ redemptionId, amount }) => [redemptionId, amount])).toEqual([
      [second?.id, 200],
    ]);
    expect(await balances(purchase)).toEqual([200, 300]);
    const { userErrors } = await payments.refund(purchase.id, { target: 'ALL' });
    expect(userErrors).toMatchObject([{ code: 'REFUND_TOO_LARGE' }]);
  });

  it('answers a repeated key from the record, and refuses the key with another target', async () => {
    const purchase = await bought();
    const first = await payments.refund(purchase.id, { target: 'ALL' }, 'all');
    const calls = payments.giftCards.calls.length;

    const again = await payments.refund(purchase.id, { target: 'ALL' }, 'all');
    const other = await payments.refund(purchase.id, to(purchase.redemptions[0]), 'all');

    expect(again).toEqual({ ...first, replayed: true });
    expect(other.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    expect(payments.giftCards.calls.length).toBe(calls);
  });

  it.each(['refund.claimed', 'refund.called', 'refund.settling', 'refund.settled'])(
    'is completed once by reconciliation when the process dies (%s)',
    async (point) => {
      const purchase = await bought();
      const remove = setFailpoint(point, () => {
        remove();
        throw new Error('The process died.');
      });

      await expect(payments.refund(purchase.id, { target: 'ALL' }, point)).rejects.toThrow(
        'INTERNAL_SERVER_ERROR',
      );
      await reconcileAfter(harness, LEASE_MS);

      expect(await balances(purchase)).toEqual([200, 300]);
      expect(await payments.payment(purchase.id)).toMatchObject({
        refundedAmount: 500,
        giftCardRedemptions: [{ refundedAmount: 200 }, { refundedAmount: 300 }],
      });
      const { refunds, replayed } = await payments.refund(purchase.id, { target: 'ALL' }, point);
      expect([replayed, refunds?.map(({ status }) => status)]).toEqual([
        true,
        ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'],
      ]);
    },
  );
});

describe('a repeated refund to all, whose part of the payment method a restore lost', () => {
  it.each([
    ['the booked part alone', 400, 0],
    ['a whole part and no gift card', 500, 0],
    ['a part of the gift cards too', 600, 100],
  ])('refunds the rest once: %s', async (_, amount, toCards) => {
    const purchase = await bought();
    const key = randomUUID();
    await book(purchase.id, key, Math.min(amount, 500));

    const repeat = await payments.refund(purchase.id, { target: 'ALL', amount }, key);
    const again = await payments.refund(purchase.id, { target: 'ALL', amount }, key);

    expect([repeat.userErrors, again.userErrors, again.replayed]).toEqual([[], [], true]);
    expect(await balances(purchase)).toEqual([toCards, 0]);
    expect(await payments.payment(purchase.id)).toMatchObject({ refundedAmount: Math.min(amount, 500) });
  });

  it('is refused if the booked part is larger', async () => {
    const purchase = await bought();
    const key = randomUUID();
    await book(purchase.id, key, 400);

    const { userErrors } = await payments.refund(purchase.id, { target: 'ALL', amount: 300 }, key);

    expect(userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
  });

  /** Books the refund to the payment method under the key that the lost request had at its provider. */
  async function book(transactionId: string, key: string, amount: number): Promise<void> {
    const { app } = payments.server;
    const { merchantAccountId, paymentServiceId } = await app.db.prisma.operation.findFirstOrThrow({
      where: { transactionId, kind: 'authorize' },
    });
    const of = { merchantAccountId, mutation: mutationOf.refund, key, part: 'payment method' };
    const [lostKey = ''] = await providerKeysOf(app, of);
    const made: MadeElsewhere = {
      kind: 'refund',
      ...{ reference: randomUUID(), money: { amount, currency: 'USD' }, total: null, final: null },
      ...{ captureReference: null, occurredAt: null, lostKey },
      ...{ rawResponseCode: null, rawResponseDescription: null },
    };
    const about = { merchantAccountId, transactionId, paymentServiceId };
    expect(await bookElsewhere(app, about, { made, isLate: true })).toMatchObject({ changed: true });
  }
});
