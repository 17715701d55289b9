import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileAfter } from '../transactions/doubt.ts';
import { createService } from '../transactions/harness.ts';
import { RECURRING, startPayingHouse, stored, type PayingHouse } from './paying-house.ts';

let house: PayingHouse;
beforeAll(async () => {
  house = await startPayingHouse('mock-paypal');
});
afterAll(() => house.stop());
beforeEach(() => void house.asked());

const RETURN = 'https://shop.example/back';
const BY_PAYPAL = { paymentMethod: { redirect: { method: 'paypal' } }, redirectUrl: RETURN };

const decide = (url: unknown, said: string): Promise<Response> =>
  fetch(String(url), { method: 'POST', body: new URLSearchParams({ said }), redirect: 'manual' });

describe('a method with an approval elsewhere', () => {
  it('is stored with the payment, and pays again at the same page', async () => {
    const first = await house.paid({ ...BY_PAYPAL, store: true, country: 'US' });
    const id = first.paymentMethod?.id ?? '';
    expect([first.status, first.paymentMethod?.status]).toEqual(['BUYER_APPROVAL_PENDING', 'PROCESSING']);
    await decide(first['approvalUrl'], 'approved');
    expect(await house.method(id)).toMatchObject({
      status: 'SUCCEEDED',
      instrumentType: 'REDIRECT',
      method: 'paypal',
      country: 'US',
      currency: 'USD',
      usageCount: 1,
      schemeTransactionId: null,
    });

    const second = await house.paid(stored(id));
    expect(second).toMatchObject({
      status: 'BUYER_APPROVAL_PENDING',
      instrumentType: 'REDIRECT',
      method: 'paypal',
      country: 'US',
      redirectUrl: RETURN,
    });
    await decide(second['approvalUrl'], 'refused');
    expect(await house.method(id)).toMatchObject({ status: 'SUCCEEDED', usageCount: 1 });
    const { userErrors } = await house.pay({ ...stored(id), country: 'DE' });
    expect(userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'country'] }]);
  });

  it('has failed when the buyer refuses, and when the payment is cancelled', async () => {
    const refused = await house.paid({ ...BY_PAYPAL, store: true });
    await decide(refused['approvalUrl'], 'refused');
    const cancelled = await house.paid({ ...BY_PAYPAL, store: true });
    await house.cancel(cancelled.id);

    for (const { paymentMethod } of [refused, cancelled]) {
      expect(await house.method(paymentMethod?.id ?? '')).toMatchObject({ status: 'FAILED', usageCount: 0 });
      expect(await house.told(paymentMethod?.id ?? '')).toEqual([
        'payment-method.created',
        'payment-method.updated',
      ]);
    }
  });
});

describe('a mandate', () => {
  const pounds = { currencies: ['GBP'], definitionId: 'mock-instant-bank' };

  it('pays at its own service, and at no other', async () => {
    const { server, provider } = house;
    const other = await createService(server, provider.url, pounds);
    const keeper = await createService(server, provider.url, pounds);
    const where = { method: 'paybybank', paymentServiceId: keeper, country: 'DE', currency: 'GBP' };
    const { id } = await house.store({
      instrument: { instantBankMandate: { ...where, mandate: 'mandate_1' } },
    });
    const input = { ...stored(id), ...RECURRING, currency: 'GBP' };

    provider.failNext('lose_answer');
    const paid = await house.paid(input);
    await reconcileAfter(house, 60_000);

    expect(await house.show(paid.id)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      instrumentType: 'REDIRECT_TOKEN',
      method: 'paybybank',
      card: null,
      paymentService: { id: keeper },
    });
    const calls = house.asked();
    expect(calls).toMatchObject([{ token: 'mandate_1' }, { token: 'mandate_1' }]);
    const elsewhere = await house.pay({ ...input, paymentServiceId: other });
    expect(elsewhere.userErrors.map(({ code }) => code)).toEqual(['NO_PAYMENT_SERVICE']);
    expect(await house.method(id)).toMatchObject({ status: 'SUCCEEDED', usageCount: 1, citUsageCount: 0 });
  });
});
