import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { adyenDefinitions } from '../../../src/connectors/adyen/definitions.ts';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import { noticeWith } from '../kit/notices.ts';
import { lineOf, orderOf, orderWith, totalsWith } from '../kit/orders.ts';
import { buyerIn } from '../kit/whole-buyer.ts';
import { clientOf, payment } from './double-client.ts';
import { startDesk } from './double-desk.ts';
import { TEST_ACCOUNT } from './double.ts';
import { paymentOf } from './samples.ts';

const desk = await startDesk();
const { double } = desk;
const { post } = clientOf(double);
afterAll(() => desk.close());

const EUR = (amount: number) => ({ amount, currency: 'EUR' });

const definitionOf = (id: string) => {
  const found = adyenDefinitions.find((each) => each.id === id);
  if (!found) throw new Error(`Adyen has no ${id}.`);
  return found;
};
const klarna = definitionOf('adyen-klarna');

/** Two kinds of goods, a discount of a voucher and the shipping: 100.00 EUR. */
const ORDER = orderWith({
  lines: [
    lineOf({ name: 'Shoes', quantity: 1, unitAmount: 7000, sku: 'S-1' }),
    lineOf({ name: 'Socks', quantity: 2, unitAmount: 1500 }),
    lineOf({ name: 'Voucher', quantity: 1, unitAmount: 500, productType: 'discount' }),
  ],
  totals: totalsWith({ itemAmount: 10_000, discountAmount: 500, shippingAmount: 500 }),
});

const requestWith = (changes: Partial<AuthorizeRequest> = {}) =>
  ({
    ...paymentOf({ key: randomUUID(), country: 'DE', buyer: buyerIn('DE') }),
    ...{ money: EUR(10_000), order: ORDER, ...changes },
    verb: 'authorize',
  }) as const;

/** Returns the body of the last request to a path. */
const sent = (end: string): Readonly<Record<string, unknown>> =>
  JSON.parse(double.calls.findLast(({ path }) => path.endsWith(end))?.body ?? '{}') as Readonly<
    Record<string, unknown>
  >;

type Sent = { readonly description: string; readonly quantity: number; readonly amountIncludingTax: number };

const linesSent = (end: string) =>
  (sent(end)['lineItems'] as readonly Sent[] | undefined)?.map(
    ({ description, quantity, amountIncludingTax }) => [description, quantity, amountIncludingTax],
  );

const WHOLE = [
  ...[
    ['Shoes', 1, 7000],
    ['Socks', 2, 1500],
  ],
  ...[
    ['Discount', 1, -500],
    ['Shipping', 1, 500],
  ],
];

/** Authorises a payment whose buyer approves. Returns Adyen's id. */
async function authorized(changes: Partial<AuthorizeRequest> = {}) {
  const requested = requestWith(changes);
  const { key, money, capture } = requested;
  const begun = await desk.call(klarna, requested);
  if (begun.kind !== 'accepted') throw new Error(JSON.stringify(begun));
  const returned = double.comeBack(key, 'approve');
  const { reference } = begun;
  expect(await desk.resume(klarna, { key, money, capture, reference, returned })).toMatchObject({
    kind: 'succeeded',
  });
  desk.told(klarna);
  return { key, reference: double.book(key).pspReference, book: () => double.book(key) };
}

describe('a payment that pays later', () => {
  it('hands the lines over, and names the shopper', async () => {
    const buyer = { ...buyerIn('DE'), reference: 'buyer-7' };
    const { key } = await authorized({ buyer });

    expect(linesSent('/payments')).toEqual(WHOLE);
    expect(sent('/payments')).toMatchObject({ shopperReference: 'buyer-7', countryCode: 'DE' });
    await authorized();
    expect(sent('/payments')['shopperReference']).not.toBe('buyer-7');
    expect(double.book(key)).toMatchObject({ status: 'authorised', captured: 0 });
  });

  it.each<[string, Partial<AuthorizeRequest>]>([
    ['no order', { order: null }],
    ['totals alone', { order: { ...ORDER, lines: [] } }],
    ['lines that do not make the amount', { order: { ...ORDER, totals: null } }],
  ])('is not sent with %s', async (_, changes) => {
    const before = double.calls.length;
    expect(await desk.call(klarna, requestWith(changes))).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_request_parameters' },
      rawResponseDescription: expect.stringContaining('cartItems'),
    });
    expect(double.calls.length).toBe(before);
  });

  it('goes without lines where the method does not need them', async () => {
    const changes = {
      order: null,
      money: { amount: 10_000, currency: 'AUD' },
      country: 'AU',
      buyer: buyerIn('AU'),
    };
    const asked = requestWith({ ...changes, capture: true });
    expect(await desk.call(definitionOf('adyen-zippay'), asked)).toMatchObject({ kind: 'accepted' });
    expect(linesSent('/payments')).toBeUndefined();
  });
});

describe('a change of a payment that pays later', () => {
  const changeOf = (reference: string, amount: number) => ({
    ...{ key: randomUUID(), money: EUR(amount), reference, ...(amount === 10_000 && { order: ORDER }) },
  });
  const capture = (reference: string, amount: number) =>
    desk.call(klarna, { verb: 'capture', ...changeOf(reference, amount), final: true, rest: 0 });
  const refund = (payment: { readonly reference: string }, amount: number) => {
    const captures = [{ key: randomUUID(), reference: payment.reference, amount }];
    return desk.call(klarna, { verb: 'refund', ...changeOf(payment.reference, amount), captures });
  };

  it('hands all lines over for all of the amount', async () => {
    const payment = await authorized();
    expect(await capture(payment.reference, 10_000)).toMatchObject({ kind: 'accepted' });
    expect(linesSent('/captures')).toEqual(WHOLE);
    desk.told(klarna);
    expect(await refund(payment, 10_000)).toMatchObject({ kind: 'accepted' });
    expect(linesSent('/refunds')).toEqual(WHOLE);
    desk.told(klarna);
    expect(payment.book()).toMatchObject({ captured: 10_000, refunded: 10_000 });
  });

  it('hands one line over for a part, and Adyen releases the rest', async () => {
    const payment = await authorized();
    expect(await capture(payment.reference, 7000)).toMatchObject({ kind: 'accepted' });
    expect(linesSent('/captures')).toEqual([['Items of the order', 1, 7000]]);
    expect(desk.told(klarna)).toContainEqual(
      noticeWith({ verb: 'capture', outcome: { kind: 'succeeded', money: EUR(7000) } }),
    );
    expect(await refund(payment, 2500)).toMatchObject({ kind: 'accepted' });
    expect(linesSent('/refunds')).toEqual([['Items of the order', 1, 2500]]);
    desk.told(klarna);
    expect(payment.book()).toMatchObject({ captured: 7000, cancelled: 3000, refunded: 2500 });
  });

  it('beyond the amount is refused, and moves nothing', async () => {
    const payment = await authorized();
    await capture(payment.reference, 10_001);
    expect(desk.told(klarna)).toContainEqual(noticeWith({ verb: 'capture', outcome: { kind: 'failed' } }));
    expect(payment.book()).toMatchObject({ captured: 0, cancelled: 0 });
  });

  it('is the same request on a repeat after a lost answer, and is done once', async () => {
    const payment = await authorized();
    const captured = { verb: 'capture', ...changeOf(payment.reference, 4000), final: true, rest: 0 } as const;
    double.failNext('lose_answer');
    expect(await desk.call(klarna, captured)).toMatchObject({ kind: 'unknown' });
    expect(await desk.call(klarna, captured)).toMatchObject({ kind: 'accepted' });
    desk.told(klarna);

    const bodies = double.calls.flatMap(({ path, body }) =>
      path.includes(payment.reference) && path.endsWith('/captures') ? [body] : [],
    );
    expect(bodies).toEqual([bodies[0], bodies[0]]);
    expect(payment.book()).toMatchObject({ captured: 4000 });
  });
});

describe('the double of Adyen', () => {
  const line = (amount: number) => ({
    ...{ description: 'Shoes', quantity: 1, amountIncludingTax: amount, amountExcludingTax: amount },
    ...{ taxAmount: 0, taxPercentage: 0 },
  });
  const OF_KLARNA = {
    ...{ countryCode: 'DE', shopperReference: 'buyer-7', shopperEmail: 'ada@example.com' },
    shopperName: { firstName: 'Ada', lastName: 'Lovelace' },
    billingAddress: {
      ...{ street: 'High Street', houseNumberOrName: '5', city: 'Berlin', postalCode: '10115' },
      country: 'DE',
    },
  };
  const change = (reference: string, verb: string, value: number, more: object = {}) =>
    post(`/payments/${reference}/${verb}`, {
      merchantAccount: TEST_ACCOUNT.merchantAccount,
      reference: randomUUID(),
      ...{ amount: { value, currency: 'EUR' }, ...more },
    });

  it.each(['klarna', 'klarna_account', 'klarna_paynow'])('takes no %s without its lines', (type) => {
    const pay = (more: object) =>
      post('/payments', payment(randomUUID(), { ...OF_KLARNA, paymentMethod: { type }, ...more }));

    expect(pay({})).toMatchObject({
      ...{ status: 422, body: { errorCode: '14_002', message: expect.stringContaining('lineItems') } },
    });
    expect(pay({ lineItems: [line(1298)] })).toMatchObject({ status: 422, body: { errorCode: '702' } });
    expect(pay({ lineItems: [line(1299)] })).toMatchObject({ body: { resultCode: 'RedirectShopper' } });
  });

  it.each(['captures', 'refunds'])('takes no %s of a part without lines of the amount', async (verb) => {
    const { reference, book } = await authorized({ order: orderOf(EUR(10_000)) });
    const [without, other] = [
      change(reference, verb, 4000),
      change(reference, verb, 4000, { lineItems: [line(3999)] }),
    ];
    expect(without).toMatchObject({ status: 422, body: { errorCode: '14_002' } });
    expect(other).toMatchObject({ status: 422, body: { errorCode: '702' } });
    expect(change(reference, verb, 4000, { lineItems: [line(4000)] })).toMatchObject({ status: 201 });
    expect(book().modifications).toHaveLength(1);
  });
});
