import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from './unresolved.ts';
import { buyerOf, openFraudHarness, withSaleOnly, type FraudHarness } from './fraud-harness.ts';
import { METHOD, startGiftCardPayments, type Card, type GiftCardPayments } from './gift-card-payments.ts';
import { createService, startHarness, type Harness } from './harness.ts';
import {
  cardOf,
  CHALLENGED,
  FRICTIONLESS,
  startThreeDSHarness,
  type ThreeDSHarness,
} from './three-ds-harness.ts';

const HOUR = 3_600_000;

describe('a payment partly paid by gift cards', () => {
  let harness: GiftCardPayments;
  let fraud: FraudHarness;
  beforeAll(async () => {
    harness = await startGiftCardPayments({ connectors: withSaleOnly });
    fraud = await openFraudHarness(harness);
  });
  afterAll(async () => {
    await fraud.close();
    await harness.stop();
  });

  const pay = (decision: string, card: Card, more: object = { paymentMethod: METHOD }) =>
    harness.pay({ ...buyerOf(decision), intent: 'CAPTURE', giftCards: [{ ...card, amount: 400 }], ...more });
  const idOf = ({ transaction }: Awaited<ReturnType<typeof pay>>): string => transaction?.id ?? '';
  const redemptionsOf = async (id: string) =>
    (await harness.payment(id)).giftCardRedemptions.map(({ status }) => status);

  it('is checked as a whole before any redemption: a rejection redeems nothing', async () => {
    const card = harness.card(500);
    const [requested, since] = [harness.requested().length, await harness.since()];

    const id = idOf(await pay('reject', card));

    expect(await fraud.show(id)).toMatchObject({
      status: 'AUTHORIZATION_DECLINED',
      errorCode: 'suspected_fraud',
    });
    expect(fraud.thirdParty.calls.at(-1)?.body).toMatchObject({ amount: 1000 });
    expect([harness.requested().length - requested, since.calls(), await harness.balance(card)]).toEqual([
      0,
      [],
      500,
    ]);
    expect(await redemptionsOf(id)).toEqual(['SKIPPED']);
  });

  it('is held with its gift cards redeemed, and a rejection returns the money to them', async () => {
    const card = harness.card(500);
    const id = idOf(await pay('review', card));
    expect(await fraud.show(id)).toMatchObject({
      pendingReview: true,
      authorizedAmount: 600,
      capturedAmount: 0,
    });
    expect([await redemptionsOf(id), await harness.balance(card)]).toEqual([['SUCCEEDED'], 100]);

    const { transaction } = await fraud.resolve(id, { decision: 'REJECT' });

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    expect([await redemptionsOf(id), await harness.balance(card)]).toEqual([['REVERSED'], 500]);
  });

  it('keeps the redemptions when the review accepts the payment', async () => {
    const card = harness.card(500);
    const id = idOf(await pay('review', card));

    const { transaction } = await fraud.resolve(id, { decision: 'ACCEPT' });

    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 600 });
    expect([await redemptionsOf(id), await harness.balance(card)]).toEqual([['SUCCEEDED'], 100]);
  });

  it.each([
    ['ACCEPT', 'CAPTURE_SUCCEEDED', 'SUCCEEDED', 100],
    ['REJECT', 'AUTHORIZATION_VOIDED', 'REVERSED', 500],
  ] as const)(
    'behaves the same when gift cards pay everything (%s)',
    async (decision, status, redemption, balance) => {
      const card = harness.card(500);
      const since = await harness.since();
      const id = idOf(await pay('review', card, { amount: 400 }));
      expect(await fraud.show(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', pendingReview: true });

      const { transaction } = await fraud.resolve(id, { decision });

      expect(transaction).toMatchObject({ status, pendingReview: false });
      expect([await redemptionsOf(id), await harness.balance(card)]).toEqual([[redemption], balance]);
      expect(since.calls()).toEqual([]);
    },
  );

  it('is redeemed once when the first service cannot hold the payment and the next one can', async () => {
    const { prisma } = harness.server.app.db;
    await prisma.paymentService.updateMany({ where: { method: 'card' }, data: { active: false } });
    for (const definitionId of ['mock-card', 'mock-acquirer'])
      await createService(harness.server, harness.provider.url, { definitionId });
    const card = harness.card(500);
    const [requested, since] = [harness.requested().length, await harness.since()];

    const id = idOf(await pay('review', card));

    expect(await fraud.show(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', pendingReview: true, authorizedAmount: 600 },
      attempts: [{ errorCode: 'unsupported_transaction' }, { errorCode: null }],
    });
    expect([harness.requested().slice(requested), since.calls()]).toEqual([['redeem'], ['authorize']]);
    expect([await redemptionsOf(id), await harness.balance(card)]).toEqual([['SUCCEEDED'], 100]);
  });

  it('returns the redeemed money when a process dies during a rejection', async () => {
    const card = harness.card(500);
    const id = idOf(await pay('review', card));
    const revive = setFailpoint('void.settled', () => {
      revive();
      throw new Error('The process died.');
    });

    await expect(fraud.resolve(id, { decision: 'REJECT' })).rejects.toThrow('INTERNAL_SERVER_ERROR');
    for (let round = 0; round < 2; round++) await reconcileAfter(harness as unknown as Harness, HOUR);

    expect(await fraud.show(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    expect([await redemptionsOf(id), await harness.balance(card)]).toEqual([['REVERSED'], 500]);
  });
});

describe('a payment with 3-D Secure', () => {
  let harness: ThreeDSHarness;
  let fraud: FraudHarness;
  beforeAll(async () => {
    harness = await startThreeDSHarness();
    fraud = await openFraudHarness(harness);
  });
  afterAll(async () => {
    await fraud.close();
    await harness.stop();
  });

  it('is checked after the buyer passes the challenge, and then held', async () => {
    const requested = fraud.thirdParty.calls.length;
    const since = await harness.since();
    const challenged = await harness.pay({ ...buyerOf('review'), ...cardOf(CHALLENGED), intent: 'CAPTURE' });
    expect(challenged.status).toBe('BUYER_APPROVAL_PENDING');
    expect(await fraud.show(challenged.id)).toMatchObject({ antiFraudDecision: 'PENDING' });
    expect(fraud.thirdParty.calls).toHaveLength(requested);

    await harness.say(challenged, 'approved');

    expect(await fraud.show(challenged.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', antiFraudDecision: 'REVIEW', pendingReview: true },
    });
    expect(fraud.thirdParty.calls).toHaveLength(requested + 1);
    expect(since.calls()).toEqual(['authorize']);
    const { transaction } = await fraud.resolve(challenged.id, { decision: 'ACCEPT' });
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('is not checked when the buyer fails the challenge', async () => {
    const requested = fraud.thirdParty.calls.length;
    const challenged = await harness.pay({ ...buyerOf('accept'), ...cardOf(CHALLENGED) });

    await harness.say(challenged, 'refused');

    expect(await fraud.show(challenged.id)).toMatchObject({
      ...{
        status: 'AUTHORIZATION_DECLINED',
        errorCode: 'failed_buyer_approval',
        antiFraudDecision: 'PENDING',
      },
    });
    expect(fraud.thirdParty.calls).toHaveLength(requested);
  });

  it('is checked at once when no challenge is needed', async () => {
    const since = await harness.since();

    const payment = await fraud.pay('reject', cardOf(FRICTIONLESS));

    expect(payment).toMatchObject({ status: 'AUTHORIZATION_DECLINED', antiFraudDecision: 'REJECT' });
    expect(since.calls()).toEqual([]);
  });

  it('continues after a challenge even when a process dies before the check', async () => {
    const challenged = await harness.pay({ ...buyerOf('review'), ...cardOf(CHALLENGED), intent: 'CAPTURE' });
    const revive = setFailpoint('anti_fraud_check.called', () => {
      revive();
      throw new Error('The process died.');
    });

    await harness.say(challenged, 'approved');
    await reconcileAfter(harness, HOUR);

    expect(await fraud.show(challenged.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', antiFraudDecision: 'REVIEW', pendingReview: true },
    });
  });
});

describe('a payment with approval by the buyer', () => {
  let harness: Harness;
  let fraud: FraudHarness;
  beforeAll(async () => {
    harness = await startHarness('mock-paypal');
    fraud = await openFraudHarness(harness);
  });
  afterAll(async () => {
    await fraud.close();
    await harness.stop();
  });

  const pay = (decision: string) =>
    fraud.pay(decision, {
      intent: 'CAPTURE',
      paymentMethod: { redirect: { method: 'paypal' } },
      redirectUrl: 'https://shop.example/back',
    });

  it('is checked before the redirect, and held once the buyer has approved', async () => {
    const waiting = await pay('review');
    expect(waiting).toMatchObject({ status: 'BUYER_APPROVAL_PENDING', antiFraudDecision: 'REVIEW' });
    expect((await fraud.resolve(waiting.id, { decision: 'ACCEPT' })).userErrors).toMatchObject([
      { __typename: 'ReviewNotPending' },
    ]);

    const body = new URLSearchParams({ decision: 'approved' });
    await fetch(String(waiting['approvalUrl']), { method: 'POST', body, redirect: 'manual' });

    expect(await fraud.show(waiting.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_SUCCEEDED', pendingReview: true, capturedAmount: 0 },
    });
    const { transaction } = await fraud.resolve(waiting.id, { decision: 'ACCEPT' });
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('is declined at once after a rejection', async () => {
    const since = await harness.since();

    expect(await pay('reject')).toMatchObject({ status: 'AUTHORIZATION_DECLINED', approvalUrl: null });
    expect(since.calls()).toEqual([]);
  });
});
