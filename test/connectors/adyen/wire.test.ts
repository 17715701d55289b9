import { describe, expect, it } from '@jest/globals';
import { requestFaults } from './description.ts';
import { orderOf } from '../kit/orders.ts';
import { KEY, MERCHANT_ACCOUNT } from './samples.ts';
import {
  cancelToWire,
  captureToWire,
  detailsToWire,
  increaseToWire,
  refundToWire,
  voidToWire,
} from '../../../src/connectors/adyen/payments/wire.ts';
import { IMPOSSIBLE } from '../../../src/connectors/adyen/impossible.ts';
import { isOfLeave, keyOf, referenceOf, referenceOfLeave } from '../../../src/connectors/adyen/references.ts';

const MONEY = { amount: 1299, currency: 'EUR' };
const AUTHORIZATION = '019af2b4-0000-7000-8000-00000000000a';
const FOLLOW_UP = { key: KEY, reference: 'NC6HT9CRT65ZGN82', money: MONEY };
const AMOUNT = { value: 1299, currency: 'EUR' };
const OF_CARDS = { merchantAccount: MERCHANT_ACCOUNT, definitionId: 'adyen-card' };

const faultsOf = ({ path, body }: { readonly path: string; readonly body: object }) =>
  requestFaults({ method: 'POST', path }, body);

describe('a change of a payment', () => {
  it('captures a part under our reference', () => {
    const posted = captureToWire(FOLLOW_UP, OF_CARDS);
    if (!posted.ok) throw new Error(posted.refusals[0].sentence);
    expect(posted.value).toEqual({
      path: '/payments/NC6HT9CRT65ZGN82/captures',
      body: { merchantAccount: MERCHANT_ACCOUNT, amount: AMOUNT, reference: `${KEY}_capture` },
    });
    expect(faultsOf(posted.value)).toEqual([]);
  });

  it('refunds the payment, not a capture', () => {
    const posted = refundToWire(FOLLOW_UP, OF_CARDS);
    if (!posted.ok) throw new Error(posted.refusals[0].sentence);
    expect(posted.value).toEqual({
      path: '/payments/NC6HT9CRT65ZGN82/refunds',
      body: { merchantAccount: MERCHANT_ACCOUNT, amount: AMOUNT, reference: `${KEY}_refund` },
    });
    expect(faultsOf(posted.value)).toEqual([]);
  });

  it.each([
    ['captures', captureToWire],
    ['refunds', refundToWire],
  ] as const)('%s with the lines of the cart, for a method that pays later', (_, toWire) => {
    const linesOf = (changes: object, definitionId = 'adyen-klarna') => {
      const posted = toWire({ ...FOLLOW_UP, ...changes }, { ...OF_CARDS, definitionId });
      if (!posted.ok) throw new Error(posted.refusals[0].sentence);
      expect(faultsOf(posted.value)).toEqual([]);
      return posted.value.body.lineItems?.map(({ description, quantity, amountIncludingTax: gross }) => [
        ...[description, quantity, gross],
      ]);
    };
    const order = orderOf(MONEY);

    expect(linesOf({ order })).toEqual([['Socks', 1, 1299]]);
    expect(linesOf({ money: { amount: 500, currency: 'EUR' } })).toEqual([['Items of the order', 1, 500]]);
    expect(linesOf({ order }, 'adyen-card')).toBeUndefined();
    expect(linesOf({ order }, 'adyen-paypal')).toBeUndefined();
  });

  it('increases to the new total', () => {
    const posted = increaseToWire({ ...FOLLOW_UP, total: { ...MONEY, amount: 5000 } }, MERCHANT_ACCOUNT);
    if (!posted.ok) throw new Error(posted.refusals[0].sentence);
    expect(posted.value).toEqual({
      path: '/payments/NC6HT9CRT65ZGN82/amountUpdates',
      body: {
        ...{ merchantAccount: MERCHANT_ACCOUNT, reference: `${KEY}_increase` },
        amount: { value: 5000, currency: 'EUR' },
      },
    });
    expect(faultsOf(posted.value)).toEqual([]);
    const money = { amount: 1299, currency: 'IDR' };
    expect(increaseToWire({ ...FOLLOW_UP, money, total: { ...money, amount: 1300 } }, '')).toMatchObject({
      refusals: [IMPOSSIBLE.amount],
    });
  });

  it.each([captureToWire, refundToWire])('is refused for an amount that Adyen cannot express', (toWire) => {
    expect(toWire({ ...FOLLOW_UP, money: { amount: 1299, currency: 'IDR' } }, OF_CARDS)).toEqual({
      ...{ ok: false, refusals: [IMPOSSIBLE.amount] },
    });
  });

  it('voids the payment', () => {
    const posted = voidToWire(FOLLOW_UP, MERCHANT_ACCOUNT);
    expect(posted).toEqual({
      path: '/payments/NC6HT9CRT65ZGN82/cancels',
      body: { merchantAccount: MERCHANT_ACCOUNT, reference: `${KEY}_void` },
    });
    expect(faultsOf(posted)).toEqual([]);
  });

  it.each([null, AUTHORIZATION])(
    'cancels an authorisation without an id of Adyen by our reference',
    (reference) => {
      const posted = cancelToWire(
        {
          key: KEY,
          authorizationKey: AUTHORIZATION,
          reference,
          money: MONEY,
          createdAt: new Date(),
          resuming: false,
        },
        MERCHANT_ACCOUNT,
      );
      expect(posted).toEqual({
        path: '/cancels',
        body: {
          merchantAccount: MERCHANT_ACCOUNT,
          paymentReference: AUTHORIZATION,
          reference: `${KEY}_cancel`,
        },
      });
      expect(faultsOf(posted)).toEqual([]);
    },
  );

  it('cancels an authorisation with an id of Adyen in whatever state it is', () => {
    const posted = cancelToWire(
      { ...FOLLOW_UP, authorizationKey: AUTHORIZATION, createdAt: new Date(), resuming: false },
      MERCHANT_ACCOUNT,
    );
    expect(posted).toEqual({
      path: '/payments/NC6HT9CRT65ZGN82/reversals',
      body: { merchantAccount: MERCHANT_ACCOUNT, reference: `${KEY}_cancel` },
    });
    expect(faultsOf(posted)).toEqual([]);
  });

  it('keeps a reference within its part of the path', () => {
    expect(voidToWire({ ...FOLLOW_UP, reference: '../x?y' }, MERCHANT_ACCOUNT).path).toBe(
      '/payments/..%2Fx%3Fy/cancels',
    );
  });
});

it('a return of the buyer gives the result of the page to Adyen', () => {
  const posted = detailsToWire({ redirectResult: 'X6XtfGC3!Y', other: 'x' });
  expect(posted).toEqual({
    ...{ path: '/payments/details', body: { details: { redirectResult: 'X6XtfGC3!Y' } } },
    ...{ isNative: false, result: 'X6XtfGC3!Y' },
  });
  expect(posted && faultsOf(posted)).toEqual([]);
  expect(detailsToWire({ other: 'x' })).toBeNull();
});

describe('our reference', () => {
  it.each(['capture', 'refund', 'void', 'cancel'] as const)('of a %s is read again', (verb) => {
    expect(referenceOf(verb, KEY).length).toBeLessThanOrEqual(80);
    expect(keyOf(referenceOf(verb, KEY))).toEqual({ key: KEY, verb });
  });

  it('of a payment that nobody completes is that of no operation', () => {
    expect(keyOf(referenceOfLeave(KEY))).toBeNull();
    const others = [KEY, referenceOf('cancel', KEY), 'order-7_leave', `${KEY}_leave_1`, ''];
    expect([referenceOfLeave(KEY).toUpperCase(), ...others].map(isOfLeave)).toEqual([
      true,
      ...others.map(() => false),
    ]);
  });

  it('of an authorisation is the key alone', () => {
    expect(keyOf(KEY.toUpperCase())).toEqual({ key: KEY, verb: null });
  });

  it.each(['', 'order-7', `${KEY}_payout`, `${KEY}_`, `${KEY}_void_1`, '_void'])(
    'is not the text %j',
    (text) => {
      expect(keyOf(text)).toBeNull();
    },
  );
});
