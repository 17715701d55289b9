import { afterEach, describe, expect, it } from '@jest/globals';
import type { DoubleServer } from '../double-server.ts';
import { CARD, openDouble, payment } from './double-client.ts';
import { TEST_ACCOUNT } from './double.ts';

const { merchantAccount, apiKey } = TEST_ACCOUNT;

describe('a payment by card', () => {
  it('is authorised, with the results of the checks', () => {
    const { double, post } = openDouble();

    const { status, body } = post('/payments', payment('order-1'));

    expect([status, body]).toEqual([
      200,
      {
        resultCode: 'Authorised',
        pspReference: 'PSP0000000000001',
        merchantReference: 'order-1',
        amount: { value: 1299, currency: 'EUR' },
        paymentMethod: { brand: 'visa', type: 'scheme' },
        additionalData: {
          avsResult: '4 AVS not supported for this card type',
          cvcResult: '1 Matches',
          threeDAuthenticated: 'false',
          authCode: '044925',
          networkTxReference: '7PSP0000000000001',
          refusalReasonRaw: 'AUTHORISED',
          paymentMethod: 'visa',
          cardSummary: '1111',
          expiryDate: '3/2030',
        },
      },
    ]);
    expect(double.book('order-1')).toMatchObject({ status: 'authorised', authorised: 1299, captured: 0 });
  });

  it.each([
    [200_002, 'Refused', '2', 'Refused'],
    [200_012, 'Refused', '12', 'Not enough balance'],
    [200_008, 'Error', '8', 'Invalid Card Number'],
    [200_004, 'Error', '4', 'Acquirer Error'],
    [200_015, 'Cancelled', '15', 'Cancelled'],
  ])('of %d is answered with %s by code %s', (value, resultCode, refusalReasonCode, refusalReason) => {
    const { double, post } = openDouble();

    const { body } = post('/payments', payment('order-1', { amount: { value, currency: 'EUR' } }));

    expect(body).toMatchObject({ resultCode, refusalReasonCode, refusalReason });
    expect(double.book('order-1')).toMatchObject({ authorised: 0, captured: 0 });
  });

  it.each([
    [{ paymentMethod: { ...CARD, holderName: 'NOT_ENOUGH_BALANCE' } }, '12', '05 : Do not honor'],
    [{ paymentMethod: { ...CARD, holderName: 'REFUSED : 51' } }, '2', '51 : Insufficient funds'],
    [{ paymentMethod: { ...CARD, expiryMonth: '10', expiryYear: '2026' } }, '6', '54 : Expired card'],
    [{ additionalData: { RequestedTestAcquirerResponseCode: '6' } }, '6', '05 : Do not honor'],
  ])('is refused as a test asks: %j', (changes, refusalReasonCode, refusalReasonRaw) => {
    const { post } = openDouble();

    expect(post('/payments', payment('order-1', changes)).body).toMatchObject({
      resultCode: 'Refused',
      refusalReasonCode,
      additionalData: { refusalReasonRaw },
    });
  });

  it.each([
    [{ captureDelayHours: 0, additionalData: {} }, 1299],
    [{ additionalData: {} }, 1299],
    [{ additionalData: { manualCapture: 'true' } }, 0],
  ])('is captured at once or later: %j', (changes, captured) => {
    const { double, authorise } = openDouble();

    authorise('order-1', changes);

    expect(double.book('order-1').captured).toBe(captured);
  });

  it('is authorised in part, or decided later', () => {
    const { double, post } = openDouble();
    const of = (reference: string, value: number) =>
      post('/payments', payment(reference, { amount: { value, currency: 'EUR' } })).body;

    expect(of('part', 600_004)).toMatchObject({
      resultCode: 'PartiallyAuthorised',
      amount: { value: 500_004 },
    });
    expect([of('yes', 600_001), of('no', 600_002)]).toMatchObject([
      { resultCode: 'Pending' },
      { resultCode: 'Pending' },
    ]);
    expect([double.book('yes').status, double.book('no').status]).toEqual(['pending', 'pending']);
    double.webhooks();
    expect([double.book('yes').status, double.book('no').status]).toEqual(['authorised', 'refused']);
  });

  it('takes encrypted fields', () => {
    const { post } = openDouble({ rawCards: false });
    const encrypted = {
      type: 'scheme',
      encryptedCardNumber: 'test_4111111111111111',
      encryptedExpiryMonth: 'test_03',
      encryptedExpiryYear: 'test_2030',
      encryptedSecurityCode: 'test_737',
    };
    const pay = (paymentMethod: object) => post('/payments', payment('order-1', { paymentMethod }));

    expect(pay(encrypted).body).toMatchObject({ resultCode: 'Authorised' });
    expect(pay({ ...encrypted, encryptedCardNumber: 'adyenjs_old' })).toMatchObject({
      status: 422,
      body: { errorCode: '174' },
    });
    expect(pay(CARD)).toMatchObject({ status: 403, body: { errorCode: '010' } });
  });
});

describe('a request', () => {
  const without = (field: string) => ({ ...payment('order-1'), [field]: undefined });
  const card = (changes: object) => payment('order-1', { paymentMethod: { ...CARD, ...changes } });

  it.each<readonly [string, object, number, string]>([
    ['with an unknown field', payment('order-1', { refrence: 'x' }), 422, '702'],
    ['with an unknown field of the card', card({ cvv: '737' }), 422, '702'],
    ['with a number as the year', card({ expiryYear: 2030 }), 422, '702'],
    ['with a fraction', payment('order-1', { amount: { value: 12.5, currency: 'EUR' } }), 422, '702'],
    [
      'with text as the amount',
      payment('order-1', { amount: { value: '1299', currency: 'EUR' } }),
      422,
      '702',
    ],
    ['with an unknown word', payment('order-1', { shopperInteraction: 'MOTO' }), 422, '702'],
    ['with half a browser', payment('order-1', { browserInfo: { userAgent: 'x' } }), 422, '14_002'],
    ['without an address of return', without('returnUrl'), 422, '14_030'],
    ['without a reference', without('reference'), 422, '130'],
    ['without an amount', without('amount'), 422, '100'],
    ['without a payment method', without('paymentMethod'), 422, '14_004'],
    ['with a negative amount', payment('order-1', { amount: { value: -1, currency: 'EUR' } }), 422, '137'],
    ['in small letters', payment('order-1', { amount: { value: 1, currency: 'eur' } }), 422, '138'],
    ['with a wrong digit', card({ number: '4111111111111112' }), 422, '101'],
    ['with a month too many', card({ expiryMonth: '13' }), 422, '129'],
    ['with a long security code', card({ cvc: '73737' }), 422, '103'],
    ['that stores for nobody', payment('order-1', { storePaymentMethod: true }), 422, '14_002'],
    ['of another account', payment('order-1', { merchantAccount: 'Other' }), 403, '901'],
  ])('%s is refused, and nothing happens', (_, body, status, errorCode) => {
    const { double, post } = openDouble();

    const refused = post('/payments', body);

    expect([refused.status, refused.body.errorCode]).toEqual([status, errorCode]);
    expect([double.books(), double.webhooks()]).toEqual([[], []]);
  });

  it('without JSON, without the API key or to another place is refused', () => {
    const { double, send } = openDouble();
    const body = JSON.stringify(payment('order-1'));

    expect(send('POST', '/payments', '{"amount":')).toMatchObject({
      status: 400,
      body: { errorCode: '702' },
    });
    expect(send('POST', '/payments', body, { 'x-api-key': 'other' })).toMatchObject({
      status: 401,
      body: { errorCode: '000', errorType: 'security' },
    });
    expect(send('POST', '/payment', body)).toMatchObject({ status: 404 });
    expect(double.books()).toEqual([]);
  });

  it('to capture, refund or cancel an unknown payment is refused', () => {
    const { modify } = openDouble();

    expect(modify('PSP0000000000009', 'captures', 'c', 1)).toMatchObject({
      status: 422,
      body: { errorCode: '167' },
    });
  });
});

describe('an idempotency key', () => {
  it('brings back the first answer, with the key in its header', () => {
    const { double, post } = openDouble();

    const [first, repeat] = [1, 2].map(() => post('/payments', payment('order-1'), 'key-1'));

    expect(repeat?.body).toEqual(first?.body);
    expect([first?.headers['idempotency-key'], repeat?.headers['idempotency-key']]).toEqual([
      undefined,
      'key-1',
    ]);
    expect(double.books()).toHaveLength(1);
  });

  it.each([
    ['first_answer', 200, undefined],
    ['refused', 422, '704'],
    ['refused_otherwise', 422, '702'],
  ] as const)('with another body is answered by %s', (otherBody, status, errorCode) => {
    const { double, post } = openDouble({ otherBody });
    post('/payments', payment('order-1'), 'key-1');

    const other = post('/payments', payment('order-2'), 'key-1');

    expect([other.status, other.body.errorCode]).toEqual([status, errorCode]);
    expect(double.books().map(({ reference }) => reference)).toEqual(['order-1']);
  });

  it('is forgotten after 31 days, and has at most 64 characters', () => {
    const { double, clock, post } = openDouble();
    post('/payments', payment('order-1'), 'key-1');
    clock.now = new Date(clock.now.getTime() + 31 * 86_400_000);

    post('/payments', payment('order-1'), 'key-1');

    expect(double.books()).toHaveLength(2);
    expect(post('/payments', payment('order-2'), 'k'.repeat(65))).toMatchObject({ status: 422 });
    expect(post('/payments', payment('order-3'), 'k'.repeat(64))).toMatchObject({ status: 200 });
  });

  it('repeats a refusal, and works for modifications', () => {
    const { double, post, authorise } = openDouble();
    const psp = authorise('order-1');
    const capture = { merchantAccount, reference: 'c', amount: { value: 1299, currency: 'EUR' } };

    const captures = [1, 2].map(() => post(`/payments/${psp}/captures`, capture, 'key-c'));
    double.webhooks();

    expect(captures.map(({ body }) => body.pspReference)).toEqual(['PSP0000000000002', 'PSP0000000000002']);
    expect(double.book('order-1')).toMatchObject({ captured: 1299, modifications: [{ kind: 'capture' }] });
  });
});

describe('over HTTP', () => {
  let server: DoubleServer | null = null;
  afterEach(() => server?.close());

  const start = async () => {
    const { double } = openDouble();
    server = await double.listen();
    const { url } = server;
    const pay = (key: string) =>
      fetch(`${url}/v71/payments`, {
        method: 'POST',
        headers: { 'X-API-Key': apiKey, 'Idempotency-Key': key },
        body: JSON.stringify(payment(key)),
      });
    return { double, pay };
  };

  it('a request still running is answered with 704, and its answer comes later', async () => {
    const { double, pay } = await start();
    double.failNext('hang');
    const first = pay('key-1');
    while (double.books().length === 0) await new Promise((resolve) => setTimeout(resolve, 2));

    const second = await pay('key-1');
    expect([second.status, await second.json()]).toMatchObject([422, { errorCode: '704' }]);
    double.release();

    expect((await first).status).toBe(200);
    const third = await pay('key-1');
    expect([third.status, third.headers.get('idempotency-key')]).toEqual([200, 'key-1']);
    expect(double.books()).toHaveLength(1);
  });

  it.each([
    ['error_before_work', 0],
    ['error_after_work', 1],
  ] as const)('%s is a passing error, and a repeat gets the payment', async (fault, before) => {
    const { double, pay } = await start();
    double.failNext(fault);

    const first = await pay('key-1');

    expect([first.status, first.headers.get('transient-error')]).toEqual([500, 'true']);
    expect(double.books()).toHaveLength(before);
    expect(await (await pay('key-1')).json()).toMatchObject({ resultCode: 'Authorised' });
    expect(double.books()).toHaveLength(1);
  });

  it.each([
    ['unknown_word', { resultCode: 'Perhaps' }],
    ['other_amount', { amount: { value: 1300, currency: 'EUR' } }],
    ['other_currency', { amount: { value: 1299, currency: 'XTS' } }],
  ] as const)('%s says something else than the books', async (fault, said) => {
    const { double, pay } = await start();
    double.failNext(fault);

    expect(await (await pay('key-1')).json()).toMatchObject(said);
    expect(double.book('key-1')).toMatchObject({ status: 'authorised', authorised: 1299 });
  });
});
