import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStripe } from '../../../src/connectors/stripe/index.ts';
import { startPayingHarness, type PayingHarness } from '../../payment-methods/paying-harness.ts';
import { createStoringService, type StoringService } from '../../payment-methods/stored-elsewhere.ts';
import { enableSettlements, linesOf, settleAfter } from '../../settlements/settle-after.ts';
import { sandboxConnectors } from '../../support/sandbox-connectors.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import type { DoubleServer } from '../double-server.ts';
import { createStripeDouble, type StripeDouble } from './double.ts';

// A running service whose webhooks are lost, and a person in the Dashboard of Stripe. The balance alone tells.

let harness: PayingHarness;
let double: StripeDouble;
let server: DoubleServer;
let service: StoringService;

const CARD = { number: '4242 4242 4242 4242', expirationDate: '12/40', securityCode: '100' };
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  const clock = createShiftedClock();
  double = createStripeDouble({ now: () => clock.now() });
  server = await double.listen();
  const connectors = [...sandboxConnectors, createStripe({ api: server.url, files: server.url })];
  harness = await startPayingHarness('mock-card', { clock, connectors });
  service = await createStoringService(harness, 'stripe-card', {
    ...{ secret_key: double.secretKey, webhook_secret: double.webhookSecret, raw_card_data: 'true' },
  });
  await enableSettlements(harness, service.id);
  await settleAfter(harness, 0);
});
afterAll(async () => {
  await harness.stop();
  await server.close();
});

/** Pays 12.99 at Stripe. Returns our id of the payment, and Stripe's. */
async function paid(intent: 'AUTHORIZE' | 'CAPTURE') {
  const { id } = await harness.paid({
    ...{ amount: 1299, currency: 'EUR', country: 'US', intent, paymentServiceId: service.id },
    paymentMethod: { card: CARD },
  });
  const { transaction } = await harness.ask<{ transaction: { paymentServiceTransactionId: string } }>(
    'query ($id: ID!) { transaction(id: $id) { paymentServiceTransactionId } }',
    { id },
  );
  double.webhooks();
  return { id, payment: transaction.paymentServiceTransactionId };
}

const money = async (id: string): Promise<unknown> =>
  (
    await harness.ask<{ transaction: unknown }>(
      `query ($id: ID!) { transaction(id: $id) { status capturedAmount refundedAmount
        captures { amount origin } refunds { amount origin paymentServiceRefundId } } }`,
      { id },
    )
  ).transaction;

describe('an operation in the Dashboard whose webhooks are lost', () => {
  it('is a refund of the balance, booked and settled once', async () => {
    const { id, payment } = await paid('CAPTURE');
    const since = await harness.since();
    const refund = double.elsewhere.refund(payment, 400);
    const late = double.webhooks();

    await settleAfter(harness, HOUR_MS);

    expect(await money(id)).toMatchObject({
      refundedAmount: 400,
      refunds: [{ amount: 400, origin: 'PROVIDER', paymentServiceRefundId: refund }],
    });
    expect(await linesOf(harness, id)).toEqual([
      ['CHARGE', 1299, null],
      ['REFUND', -400, null],
    ]);
    expect((await since.eventNames()).filter((name) => name === 'refund.succeeded')).toHaveLength(1);
    await double.postTo(service.webhookUrl, late);
    await applyAfter(harness, 60_000);
    expect(await money(id)).toMatchObject({ refundedAmount: 400, refunds: [{ amount: 400 }] });
  });

  it('is a capture of the balance, which the late webhook does not book again', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    double.elsewhere.capture(payment, 900);
    const late = double.webhooks();

    await settleAfter(harness, HOUR_MS);

    const booked = { capturedAmount: 900, captures: [{ amount: 900, origin: 'PROVIDER' }] };
    expect(await money(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', ...booked });
    expect(await linesOf(harness, id)).toEqual([['CHARGE', 900, null]]);
    await double.postTo(service.webhookUrl, late);
    await applyAfter(harness, 60_000);
    expect(await money(id)).toMatchObject(booked);
  });

  it('is a capture that the webhook told before, settled once', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    double.elsewhere.capture(payment, 900);
    await double.postTo(service.webhookUrl, double.webhooks());
    await applyAfter(harness, 60_000);

    await settleAfter(harness, HOUR_MS);

    expect(await money(id)).toMatchObject({ captures: [{ amount: 900, origin: 'PROVIDER' }] });
    expect(await linesOf(harness, id)).toEqual([['CHARGE', 900, null]]);
  });
});
