import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileAfter } from '../transactions/unresolved.ts';
import { createService } from '../transactions/harness.ts';
import { RECURRING, startPayingHarness, stored, type PayingHarness } from './paying-harness.ts';

let harness: PayingHarness;
beforeAll(async () => {
  harness = await startPayingHarness('mock-paypal');
});
afterAll(() => harness.stop());
beforeEach(() => void harness.requested());

const RETURN = 'https://shop.example/back';
const BY_PAYPAL = { paymentMethod: { redirect: { method: 'paypal' } }, redirectUrl: RETURN };

const decide = (url: unknown, decision: string): Promise<Response> =>
  fetch(String(url), { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });

describe('a method with an approval elsewhere', () => {
  it('is stored with the payment, and pays again at the same page', async () => {
    const first = await harness.paid({ ...BY_PAYPAL, store: true, country: 'US' });
    const id = first.paymentMethod?.id ?? '';
    expect([first.status, first.paymentMethod?.status]).toEqual(['BUYER_APPROVAL_PENDING', 'PROCESSING']);
    await decide(first['approvalUrl'], 'approved');
    expect(await harness.method(id)).toMatchObject({
      status: 'SUCCEEDED',
      instrumentType: 'REDIRECT',
      method: 'paypal',
      country: 'US',
      currency: 'USD',
      usageCount: 1,
      schemeTransactionId: null,
    });

    const second = await harness.paid(stored(id));
    expect(second).toMatchObject({
      status: 'BUYER_APPROVAL_PENDING',
      instrumentType: 'REDIRECT',
      method: 'paypal',
      country: 'US',
      redirectUrl: RETURN,
    });
    await decide(second['approvalUrl'], 'refused');
    expect(await harness.method(id)).toMatchObject({ status: 'SUCCEEDED', usageCount: 1 });
    const { userErrors } = await harness.pay({ ...stored(id), country: 'DE' });
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'country'] }]);
  });

  it('has failed when the buyer refuses, and when the payment is cancelled', async () => {
    const refused = await harness.paid({ ...BY_PAYPAL, store: true });
    await decide(refused['approvalUrl'], 'refused');
    const cancelled = await harness.paid({ ...BY_PAYPAL, store: true });
    await harness.cancel(cancelled.id);

    for (const { paymentMethod } of [refused, cancelled]) {
      expect(await harness.method(paymentMethod?.id ?? '')).toMatchObject({
        status: 'FAILED',
        usageCount: 0,
      });
      expect(await harness.notified(paymentMethod?.id ?? '')).toEqual([
        'payment-method.created',
        'payment-method.updated',
      ]);
    }
  });
});

describe('a mandate', () => {
  const pounds = { currencies: ['GBP'], definitionId: 'mock-instant-bank' };

  it('pays at its own service, and at no other', async () => {
    const { server, provider } = harness;
    const other = await createService(server, provider.url, pounds);
    const keeper = await createService(server, provider.url, pounds);
    const where = { method: 'paybybank', paymentServiceId: keeper, country: 'DE', currency: 'GBP' };
    const { id } = await harness.store({
      instrument: { instantBankMandate: { ...where, mandate: 'mandate_1' } },
    });
    const input = { ...stored(id), ...RECURRING, currency: 'GBP' };

    provider.failNext('lose_answer');
    const paid = await harness.paid(input);
    await reconcileAfter(harness, 60_000);

    expect(await harness.show(paid.id)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      instrumentType: 'REDIRECT_TOKEN',
      method: 'paybybank',
      card: null,
      paymentService: { id: keeper },
    });
    const calls = harness.requested();
    expect(calls).toMatchObject([{ token: 'mandate_1' }, { token: 'mandate_1' }]);
    const elsewhere = await harness.pay({ ...input, paymentServiceId: other });
    expect(elsewhere.userErrors).toMatchObject([
      {
        code: 'NO_PAYMENT_SERVICE',
        passedOver: expect.arrayContaining([
          { paymentService: { id: other }, codes: ['PAYMENT_METHOD'] },
          { paymentService: { id: keeper }, codes: ['NOT_REQUESTED'] },
        ]),
      },
    ]);
    expect(await harness.method(id)).toMatchObject({ status: 'SUCCEEDED', usageCount: 1, citUsageCount: 0 });
  });
});
