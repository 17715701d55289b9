import { describe, expect, it } from '@jest/globals';
import { comparedPayment } from '../../src/modules/routing-simulations/run/compare.ts';
import type { PastPayment } from '../../src/modules/transactions/index.ts';

type Attempt = NonNullable<PastPayment['attempts']>[number];

/** A captured payment of 10.00 US dollars by card. */
const PAID: PastPayment = {
  ...{ id: '01900000-0000-7000-8000-000000000001', createdAt: new Date('2026-03-01T00:00:00Z') },
  ...{ amount: 1000, currency: 'USD', country: 'US', method: 'card', instrumentType: 'pan' },
  ...{ intent: 'capture', paymentSource: 'ecommerce', merchantInitiated: false, isSubsequentPayment: false },
  ...{ paymentMethodId: null, store: false, paymentLinkId: null, buyerId: null, cardScheme: 'visa' },
  ...{ cardBin: '41111111', cardNetwork: null, giftCardAmount: 0, installmentCount: null },
  ...{ threeDSecureRequest: 'automatic', threeDSecureSource: null, metadata: null, connectionOptions: null },
  ...{
    externalIdentifier: null,
    routing: null,
    hasSplits: false,
    capturedAmount: 1000,
    refundedAmount: 0,
    attempts: null,
  },
};

const attempt = (change: Partial<Attempt>): Attempt => ({
  ...{ paymentServiceId: 'a', status: 'succeeded', errorCode: null, choice: 'first' },
  ...{ wasAsked: true, wasOpen: false },
  ...change,
});

describe('an attempt', () => {
  it.each<readonly [string, Partial<Attempt>, string]>([
    ['that a service authorised', {}, 'authorized'],
    ['whose outcome was unknown, and then a yes', { wasOpen: true }, 'authorized'],
    ['that failed before the service was asked', { status: 'declined', wasAsked: false }, 'open'],
    ['under way', { status: 'pending' }, 'open'],
    ['that a cancel ended', { status: 'failed', errorCode: 'canceled' }, 'open'],
    ['that failed without effect', { status: 'failed', errorCode: 'service_error' }, 'went_on'],
    ['that failed after its outcome was unknown', { status: 'failed', wasOpen: true }, 'refused'],
    ['declined with a retriable code', { status: 'declined', errorCode: 'issuer_decline' }, 'went_on'],
    ['declined for good', { status: 'declined', errorCode: 'stolen_card' }, 'refused'],
    [
      'declined with a retriable code after its outcome was unknown',
      { status: 'declined', errorCode: 'issuer_decline', wasOpen: true },
      'refused',
    ],
  ])('%s', (_, change, end) => {
    expect(comparedPayment({ ...PAID, attempts: [attempt(change)] }, []).attempts).toEqual([
      { paymentServiceId: 'a', end },
    ]);
  });
});

describe('the fee', () => {
  const total = (currency: string, gross: number, fee: number) => ({
    ...{ currency, gross, fee, net: gross - fee },
  });

  it.each<readonly [string, Partial<PastPayment>, ReturnType<typeof total>[], number | null]>([
    ['is a part of the captured amount', {}, [total('USD', 1000, 30)], 0.03],
    ['counts the fees of a refund', { refundedAmount: 1000 }, [total('USD', 0, 40)], 0.04],
    ['in another currency is a part of what was paid out', {}, [total('EUR', 900, 18)], 0.02],
    ['in another currency is not known after a refund', { refundedAmount: 1 }, [total('EUR', 9, 1)], null],
    ['is not known without entries', {}, [], null],
    ['is not known in two currencies', {}, [total('EUR', 900, 18), total('USD', 0, 1)], null],
    ['is not known before a capture', { capturedAmount: 0 }, [total('USD', 0, 1)], null],
  ])('%s', (_, change, totals, rate) => {
    expect(comparedPayment({ ...PAID, ...change }, totals).feeRate).toBe(rate);
  });
});

it('the amount of a payment is what its service was asked for', () => {
  expect(comparedPayment({ ...PAID, giftCardAmount: 400 }, [])).toMatchObject({
    ...{ amount: 600, currency: 'USD', method: 'card', scheme: 'visa', country: 'US' },
  });
});
