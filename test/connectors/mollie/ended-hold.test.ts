import { describe, expect, it } from '@jest/globals';
import { applyAfter } from '../../transactions/inbox.ts';
import { openShop } from '../kit/shop.ts';
import { startMollie } from './start.ts';

// Mollie may leave out when a payment that ended was authorised. The record of the payment knows.

const shop = await openShop((now) => startMollie({ now }, 'mollie-card'));
const { double, harness, prisma, service } = shop;
double.hands.hideAuthorizedAt(true);

const PAGE = { paymentMethod: { redirect: { method: 'card' } }, redirectUrl: 'https://shop.example/back' };

/** Posts the webhook of a payment. Returns after the look-up. */
async function knock(payment: string): Promise<void> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(service.webhookUrl, { method: 'POST', headers, body: `id=${payment}` });
  expect(answer.status).toBe(200);
  await harness.server.http.webhooksApplied();
  // Everything that waits has its turn, and the budget of the payment is whole again.
  await applyAfter(harness, 2 * 3_600_000);
}

const begun = () => shop.paid({ intent: 'AUTHORIZE', ...PAGE });

async function held() {
  const made = await begun();
  double.hands.decide(made.payment, 'approve');
  await knock(made.payment);
  expect(await shop.money(made.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
  return made;
}

async function expectNothingOpen(transactionId: string): Promise<void> {
  expect(await prisma.difference.findMany({ where: { transactionId } })).toEqual([]);
  expect(await prisma.inboundWebhook.count({ where: { state: 'parked' } })).toBe(0);
}

describe('a hold that ended', () => {
  it.each(['fail', 'expire'] as const)('has expired when Mollie shows its end alone: %s', async (end) => {
    const { id, payment } = await held();

    double.hands[end](payment);
    await knock(payment);

    expect(await shop.money(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_VOIDED', errorCode: 'expired_authorization', capturable: { amount: 0 } },
    });
    await expectNothingOpen(id);
  });

  it('is voided when a person released the hold', async () => {
    const { id, payment } = await held();

    double.hands.release(payment);
    await knock(payment);

    expect(await shop.money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED', errorCode: null });
    await expectNothingOpen(id);
  });
});

describe('a payment that nobody approved', () => {
  it.each([
    ['refuse', 'AUTHORIZATION_FAILED', 'cancelled_buyer_approval'],
    ['expire', 'AUTHORIZATION_FAILED', 'incomplete_buyer_approval'],
    ['fail', 'AUTHORIZATION_DECLINED', 'other_decline'],
  ] as const)('has failed, and was never held: %s', async (what, status, errorCode) => {
    const { id, payment } = await begun();
    if (what === 'refuse') double.hands.decide(payment, 'refuse');
    else double.hands[what](payment);

    await knock(payment);
    await knock(payment);

    expect(await shop.money(id)).toMatchObject({ status, errorCode });
    await expectNothingOpen(id);
  });
});

describe('a refund that a person made and canceled', () => {
  it('moved no money, and lists no difference', async () => {
    const { id, payment } = await shop.paid({ intent: 'CAPTURE', ...PAGE });
    double.hands.decide(payment, 'approve');
    await knock(payment);
    double.hands.endNext('canceled');
    double.hands.refund(payment, 99);

    await knock(payment);

    expect(await shop.money(id)).toMatchObject({ capturedAmount: 1299, refundedAmount: 0, refunds: [] });
    await expectNothingOpen(id);
  });
});
