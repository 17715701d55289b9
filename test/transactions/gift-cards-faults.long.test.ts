import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from './unresolved.ts';
import { METHOD, startGiftCardPayments, type GiftCardPayments } from './gift-card-payments.ts';
import { expectTruth, payWithCards, type Play } from './gift-card-plays.ts';
import type { Harness } from './harness.ts';

const SECOND = 1_000;
const DEADLINE_MS = 10_000;
const LEASE_MS = DEADLINE_MS + 5 * SECOND;

let giftCards: GiftCardPayments;
let harness: Harness;
beforeAll(async () => {
  giftCards = await startGiftCardPayments({
    settings: { PAYGRAPH_PROVIDER_DEADLINE_MS: String(DEADLINE_MS) },
  });
  harness = giftCards as unknown as Harness;
});
afterAll(() => giftCards.stop());

const PLAYS: Readonly<Record<string, Play>> = {
  succeeds: { amount: 1000, second: 500, status: 'AUTHORIZATION_SUCCEEDED' },
  'is declined by the method': { amount: 200_411, second: 500, status: 'AUTHORIZATION_DECLINED' },
  'is declined by the second card': { amount: 1000, second: 100, status: 'AUTHORIZATION_DECLINED' },
};

/** The failpoints, each with its first and second arrival where the play has two. */
const STEPS: readonly (readonly [play: string, points: Readonly<Record<string, 1 | 2>>])[] = [
  [
    'succeeds',
    {
      'redeem.claimed': 2,
      'redeem.called': 2,
      'redeem.settling': 2,
      'redeem.settled': 2,
      'gift-cards.redeemed': 1,
      'authorize.claimed': 1,
      'authorize.called': 1,
      'authorize.settling': 1,
      'authorize.settled': 1,
    },
  ],
  [
    'is declined by the method',
    {
      'redeem.settled': 2,
      'authorize.called': 1,
      'authorize.settling': 1,
      'authorize.settled': 1,
      'unredeem.claimed': 2,
      'unredeem.called': 2,
      'unredeem.settling': 2,
      'unredeem.settled': 2,
    },
  ],
  [
    'is declined by the second card',
    {
      'redeem.called': 2,
      'redeem.settled': 2,
      'gift-cards.refused': 1,
      'authorize.settling': 1,
      'authorize.settled': 1,
      'unredeem.claimed': 1,
      'unredeem.called': 1,
      'unredeem.settled': 1,
    },
  ],
];

const CRASHES = STEPS.flatMap(([play, points]) =>
  Object.entries(points).flatMap(([point, times]) =>
    Array.from({ length: times }, (_, passed) => [play, point, passed + 1] as const),
  ),
);

/**
 * Kills the process at the given arrival at a failpoint. The returned function tells whether the process has died.
 */
function dieAt(point: string, time: number): () => boolean {
  let passed = 0;
  const remove = setFailpoint(point, () => {
    passed += 1;
    if (passed < time) return;
    remove();
    throw new Error('The process died.');
  });
  return () => passed === time;
}

describe('a process that dies', () => {
  it.each(CRASHES)(
    'in a payment that %s (%s, time %i) leaves a payment that reconciliation completes, once',
    async (name, point, time) => {
      const play = PLAYS[name];
      if (!play) throw new Error('No such play');
      const cards = [giftCards.card(500), giftCards.card(play.second)];
      const key = `${name} ${point} ${time}`;
      const hasDied = dieAt(point, time);

      await expect(payWithCards(giftCards, cards, play.amount, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      expect(hasDied()).toBe(true);
      for (let round = 0; round < 2; round++) await reconcileAfter(harness, LEASE_MS);

      await expectTruth(giftCards, key, cards, play);
      expect(await payWithCards(giftCards, cards, play.amount, key)).toMatchObject({
        replayed: true,
        userErrors: [],
      });
    },
  );
});

describe('64 payments at once with one gift card', () => {
  it('redeem together the amount that the provider gave, never more than the balance', async () => {
    const card = giftCards.card(1000);
    const id = await giftCards.stored(card);

    const answers = await Promise.all(
      Array.from({ length: 64 }, () =>
        giftCards.pay({ amount: 300, paymentMethod: METHOD, giftCards: [{ id, amount: 90 }] }),
      ),
    );
    await reconcileAfter(harness, LEASE_MS);

    const payments = await Promise.all(
      answers.map(({ transaction }) => giftCards.payment(transaction?.id ?? '')),
    );
    const paid = payments.filter(({ status }) => status === 'AUTHORIZATION_SUCCEEDED');
    const declined = payments.filter(({ status }) => status === 'AUTHORIZATION_DECLINED');
    expect([paid.length, declined.length]).toEqual([11, 53]);
    expect(new Set(declined.map(({ errorCode }) => errorCode))).toEqual(new Set(['insufficient_funds']));
    expect(await giftCards.balance(card)).toBe(10);
    const stored = await giftCards.server.app.db.prisma.giftCard.findFirst({ where: { id } });
    expect(stored).toMatchObject({ balance: 10, usageCount: 11 });
  });
});
