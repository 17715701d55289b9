import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { unresolvedOn, reconcileAfter, resolve } from './unresolved.ts';
import { METHOD, startGiftCardPayments, type Card, type GiftCardPayments } from './gift-card-payments.ts';
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

/** Two cards hold 500 each, and each pays 200. The method pays 600, or declines 200011. */
type Play = { readonly amount: number; readonly second: number; readonly status: string };

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

const pay = (cards: readonly Card[], amount: number, key: string) =>
  giftCards.pay(
    { amount, paymentMethod: METHOD, giftCards: cards.map((card) => ({ ...card, amount: 200 })) },
    key,
  );

/** Checks the final state after any interruption. */
async function expectTruth(key: string, cards: readonly Card[], play: Play): Promise<void> {
  const { prisma } = giftCards.server.app.db;
  const rows = await prisma.operation.findMany({ where: { idempotencyKey: key } });
  expect(rows).toHaveLength(1);
  const transactionId = rows[0]?.transactionId ?? '';
  const isPaid = play.status === 'AUTHORIZATION_SUCCEEDED';
  const payment = await giftCards.payment(transactionId);
  expect(payment).toMatchObject({
    ...{ status: play.status, authorizedAmount: isPaid ? play.amount - 400 : 0 },
    giftCardRedeemedAmount: isPaid ? 400 : 0,
  });
  const begunWith = [500, play.second];
  const left = await Promise.all(cards.map((card) => giftCards.balance(card)));
  expect(left).toEqual(begunWith.map((balance) => balance - (isPaid ? 200 : 0)));
  expect(await prisma.operation.count({ where: { transactionId, status: 'pending' } })).toBe(0);
  expect(await prisma.redemption.count({ where: { sealedCard: { not: null } } })).toBe(0);
  // The ledger agrees, and the provider did nothing twice.
  const entries = await prisma.ledgerEntry.findMany({ where: { transactionId } });
  const sum = (kind: string): number =>
    entries.filter((entry) => entry.kind === kind).reduce((all, { amount }) => all + amount, 0);
  expect(sum('redeem') - sum('unredeem')).toBe(isPaid ? 400 : 0);
  expect(sum('authorize')).toBe(isPaid ? play.amount - 400 : 0);
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

      await expect(pay(cards, play.amount, key)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      expect(hasDied()).toBe(true);
      for (let round = 0; round < 2; round++) await reconcileAfter(harness, LEASE_MS);

      await expectTruth(key, cards, play);
      expect(await pay(cards, play.amount, key)).toMatchObject({ replayed: true, userErrors: [] });
    },
  );
});

/**
 * Looks up a redemption, then the authorisation that waits for it. Both are due at once, so the authorisation may look too
 * early and wait for its next turn.
 */
async function reconcileBoth(): Promise<void> {
  await reconcileAfter(harness, 2 * SECOND);
  await reconcileAfter(harness, 30 * SECOND);
}

describe('a redemption with an unknown outcome', () => {
  const FAULTS = ['lose_answer', 'error_after_work', 'nonsense', 'other_money', 'lose_request'] as const;

  it.each(FAULTS)(
    '(%s) never counts as failed: a look-up finds the outcome, and the payment continues',
    async (fault) => {
      const cards = [giftCards.card(500), giftCards.card(500)];
      giftCards.giftCards.failNext(fault);

      const { transaction } = await pay(cards, 1000, fault);
      expect(transaction).toMatchObject({ status: 'PROCESSING', giftCardRedeemedAmount: 0 });
      expect(transaction?.giftCardRedemptions.map(({ status }) => status)).toEqual(['PENDING', 'CREATED']);
      expect(await unresolvedOn(harness, transaction?.id ?? '')).toMatchObject({ kind: 'REDEEM' });
      await reconcileBoth();

      await expectTruth(fault, cards, { amount: 1000, second: 500, status: 'AUTHORIZATION_SUCCEEDED' });
    },
  );

  it('is reversed when a look-up finds a decline', async () => {
    const cards = [giftCards.card(500), giftCards.card(100)];
    const hold = setFailpoint('redeem.settled', () => {
      hold();
      giftCards.giftCards.failNext('lose_answer');
    });
    const { transaction } = await pay(cards, 1000, 'refused later');
    expect(transaction?.giftCardRedemptions.map(({ status }) => status)).toEqual(['SUCCEEDED', 'PENDING']);

    await reconcileBoth();

    await expectTruth('refused later', cards, {
      ...{ amount: 1000, second: 100, status: 'AUTHORIZATION_DECLINED' },
    });
  });

  it('continues with the outcome that a person has resolved', async () => {
    const cards = [giftCards.card(500), giftCards.card(500)];
    giftCards.giftCards.failNext('lose_request');
    const { transaction } = await pay(cards, 1000, 'by hand');
    const found = await unresolvedOn(harness, transaction?.id ?? '');

    await resolve(harness, found?.id ?? '', { outcome: 'FAILED', reason: 'Not in their books' });
    await reconcileAfter(harness, LEASE_MS);

    expect(await giftCards.payment(transaction?.id ?? '')).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'resolved_as_failed', giftCardRedeemedAmount: 0 },
      giftCardRedemptions: [{ status: 'FAILED' }, { status: 'SKIPPED' }],
    });
  });
});

describe('a reversal', () => {
  it('with a lost answer is sent again, and done once', async () => {
    const cards = [giftCards.card(500), giftCards.card(100)];
    const remove = setFailpoint('unredeem.claimed', () => {
      remove();
      giftCards.giftCards.failNext('lose_answer');
    });

    const { transaction } = await pay(cards, 1000, 'lost reversal');
    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_DECLINED', giftCardRedeemedAmount: 200 });
    expect(transaction?.giftCardRedemptions.map(({ status }) => status)).toEqual(['REVERSING', 'FAILED']);
    await reconcileBoth();

    await expectTruth('lost reversal', cards, {
      ...{ amount: 1000, second: 100, status: 'AUTHORIZATION_DECLINED' },
    });
  });

  it('that the provider declines stays owed and visible, until a person resolves it', async () => {
    const cards = [giftCards.card(500), giftCards.card(100)];
    const { prisma } = giftCards.server.app.db;
    const remove = setFailpoint('gift-cards.refused', async () => {
      remove();
      // The provider has no redemption with this id.
      await prisma.redemption.updateMany({
        where: { status: 'succeeded', lastFour: cards[0]?.number.slice(-4) ?? '' },
        data: { providerReference: 'gcr_unknown' },
      });
    });

    const { transaction } = await pay(cards, 1000, 'refused reversal');
    await reconcileAfter(harness, 60 * SECOND);
    const found = await unresolvedOn(harness, transaction?.id ?? '');
    expect(found).toMatchObject({ kind: 'REVERSE', status: 'PENDING' });
    const { operation } = await resolve(harness, found?.id ?? '', {
      outcome: 'SUCCEEDED',
      reason: 'Given back by their support',
    });

    expect(operation).toMatchObject({ status: 'SUCCEEDED' });
    expect(await giftCards.payment(transaction?.id ?? '')).toMatchObject({
      giftCardRedemptions: [{ status: 'REVERSED' }, { status: 'FAILED' }],
    });
  });
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
