import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCEPTANCES, holdPayments, releasePayments } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { unresolvedOn, reconcileAfter, resolve } from './unresolved.ts';
import { startGiftCardPayments, type GiftCardPayments } from './gift-card-payments.ts';
import { expectTruth, payWithCards } from './gift-card-plays.ts';
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

      const { transaction } = await payWithCards(giftCards, cards, 1000, fault);
      expect(transaction).toMatchObject({ status: 'PROCESSING', giftCardRedeemedAmount: 0 });
      expect(transaction?.giftCardRedemptions.map(({ status }) => status)).toEqual(['PENDING', 'CREATED']);
      expect(await unresolvedOn(harness, transaction?.id ?? '')).toMatchObject({ kind: 'REDEEM' });
      await reconcileBoth();

      await expectTruth(giftCards, fault, cards, {
        amount: 1000,
        second: 500,
        status: 'AUTHORIZATION_SUCCEEDED',
      });
    },
  );

  it('waits for the end of a hold after a restore, and then goes on by itself', async () => {
    const { app } = harness.server;
    const cards = [giftCards.card(500), giftCards.card(500)];
    giftCards.giftCards.failNext('lose_request');
    await payWithCards(giftCards, cards, 1000, 'held');
    await holdPayments(app, { restoredTo: app.clock.now(), paymentsSince: null });
    await reconcileBoth();
    await releasePayments(app, ACCEPTANCES);
    await reconcileBoth();
    await reconcileBoth();

    await expectTruth(giftCards, 'held', cards, {
      amount: 1000,
      second: 500,
      status: 'AUTHORIZATION_SUCCEEDED',
    });
  });

  it('is reversed when a look-up finds a decline', async () => {
    const cards = [giftCards.card(500), giftCards.card(100)];
    const hold = setFailpoint('redeem.settled', () => {
      hold();
      giftCards.giftCards.failNext('lose_answer');
    });
    const { transaction } = await payWithCards(giftCards, cards, 1000, 'refused later');
    expect(transaction?.giftCardRedemptions.map(({ status }) => status)).toEqual(['SUCCEEDED', 'PENDING']);

    await reconcileBoth();

    await expectTruth(giftCards, 'refused later', cards, {
      ...{ amount: 1000, second: 100, status: 'AUTHORIZATION_DECLINED' },
    });
  });

  it('continues with the outcome that a person has resolved', async () => {
    const cards = [giftCards.card(500), giftCards.card(500)];
    giftCards.giftCards.failNext('lose_request');
    const { transaction } = await payWithCards(giftCards, cards, 1000, 'by hand');
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

    const { transaction } = await payWithCards(giftCards, cards, 1000, 'lost reversal');
    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_DECLINED', giftCardRedeemedAmount: 200 });
    expect(transaction?.giftCardRedemptions.map(({ status }) => status)).toEqual(['REVERSING', 'FAILED']);
    await reconcileBoth();

    await expectTruth(giftCards, 'lost reversal', cards, {
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

    const { transaction } = await payWithCards(giftCards, cards, 1000, 'refused reversal');
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
