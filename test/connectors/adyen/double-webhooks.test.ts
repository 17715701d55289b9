import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { CARD, openDouble, payment } from './double-client.ts';
import { TEST_ACCOUNT, TEST_HMAC_KEY } from './double.ts';
import { signatureOf } from './notifications.ts';

const { merchantAccount } = TEST_ACCOUNT;

describe('a notification', () => {
  it("is signed as in the vector of Adyen's library", () => {
    const item = {
      pspReference: 'pspReference',
      originalReference: 'originalReference',
      merchantAccountCode: 'merchantAccount',
      merchantReference: 'reference',
      amount: { value: 1000, currency: 'EUR' },
      eventCode: 'REPORT_AVAILABLE',
      eventDate: '2026-11-24T13:00:00+01:00',
      reason: 'reason',
      success: 'true',
    } as const;

    expect(signatureOf(item, TEST_HMAC_KEY)).toBe('ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=');
  });

  it('of an authorisation is owed once', () => {
    const { double, authorise } = openDouble({ basicAuth: 'user:secret' });
    const psp = authorise('order-1');

    const [owed, ...others] = double.webhooks();

    expect(others).toEqual([]);
    expect(owed?.headers).toEqual({
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('user:secret').toString('base64')}`,
    });
    expect(JSON.parse(owed?.body ?? '')).toMatchObject({
      live: 'false',
      notificationItems: [
        {
          NotificationRequestItem: {
            amount: { value: 1299, currency: 'EUR' },
            eventCode: 'AUTHORISATION',
            eventDate: '2026-11-24T13:00:00+01:00',
            merchantAccountCode: merchantAccount,
            merchantReference: 'order-1',
            operations: ['CANCEL', 'CAPTURE', 'REFUND'],
            paymentMethod: 'visa',
            pspReference: psp,
            reason: '044925:1111:03/2030',
            success: 'true',
            additionalData: { cardSummary: '1111', hmacSignature: expect.stringMatching(/^.{43}=$/) },
          },
        },
      ],
    });
    expect(double.webhooks()).toEqual([]);
  });

  it('is posted to an address', async () => {
    const { double, authorise } = openDouble();
    const bodies: string[] = [];
    const receiver = createServer((request, response) => {
      request.on('data', (chunk) => void bodies.push(String(chunk)));
      request.on('end', () => response.writeHead(202).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    authorise('order-1');

    expect(await double.deliver(`http://127.0.0.1:${port}`)).toEqual([202]);

    receiver.close();
    expect(bodies).toEqual([expect.stringContaining('"eventCode":"AUTHORISATION"')]);
  });
});

describe('a modification', () => {
  it('is only received, and decided later', () => {
    const { double, authorise, modify, events } = openDouble();
    const psp = authorise('order-1');

    expect(modify(psp, 'captures', 'capture-1', 1299)).toMatchObject({
      status: 201,
      body: {
        merchantAccount,
        paymentPspReference: psp,
        pspReference: 'PSP0000000000002',
        reference: 'capture-1',
        amount: { value: 1299, currency: 'EUR' },
        status: 'received',
      },
    });
    expect(double.book('order-1').captured).toBe(0);

    const owed = double.webhooks();
    expect(events(owed)).toEqual([
      ['AUTHORISATION', 'true', 'order-1'],
      ['CAPTURE', 'true', 'capture-1'],
    ]);
    expect(owed[1]?.item).toMatchObject({ pspReference: 'PSP0000000000002', originalReference: psp });
    expect(double.book('order-1').captured).toBe(1299);
  });

  it.each([
    ['captures of more than the authorised sum', ['captures 1300'], [['CAPTURE', 'false']], { captured: 0 }],
    [
      'a second capture',
      ['captures 600', 'captures 600'],
      [
        ['CAPTURE', 'true'],
        ['CAPTURE', 'false'],
      ],
      { captured: 600, cancelled: 699 },
    ],
    ['a refund before the capture', ['refunds 100'], [['REFUND', 'false']], { refunded: 0 }],
    [
      'refunds of more than the captured sum',
      ['captures 1299', 'refunds 700', 'refunds 600'],
      [
        ['CAPTURE', 'true'],
        ['REFUND', 'true'],
        ['REFUND', 'false'],
      ],
      { captured: 1299, refunded: 700 },
    ],
    [
      'a cancel after the capture',
      ['captures 1299', 'cancels'],
      [
        ['CAPTURE', 'true'],
        ['CANCELLATION', 'false'],
      ],
      { captured: 1299, cancelled: 0 },
    ],
    [
      'a capture after the cancel',
      ['cancels', 'captures 1299'],
      [
        ['CANCELLATION', 'true'],
        ['CAPTURE', 'false'],
      ],
      { captured: 0, cancelled: 1299 },
    ],
    ['a reversal before the capture', ['reversals'], [['CANCEL_OR_REFUND', 'true']], { cancelled: 1299 }],
    [
      'a reversal after the capture',
      ['captures 1299', 'reversals'],
      [
        ['CAPTURE', 'true'],
        ['CANCEL_OR_REFUND', 'true'],
      ],
      { refunded: 1299 },
    ],
    [
      'an update without a pre-authorisation',
      ['amountUpdates 2000'],
      [['AUTHORISATION_ADJUSTMENT', 'false']],
      { authorised: 1299 },
    ],
  ])('keeps the sums: %s', (_, requests, decided, sums) => {
    const { double, authorise, modify } = openDouble();
    const psp = authorise('order-1');
    double.webhooks();

    for (const [place, request] of requests.entries()) {
      const [verb = '', value] = request.split(' ');
      modify(psp, verb, `m-${place}`, value === undefined ? undefined : Number(value));
    }

    expect(double.webhooks().map(({ item }) => [item.eventCode, item.success])).toEqual(decided);
    expect(double.book('order-1')).toMatchObject(sums);
  });

  it('captures in several parts where the account may, and a cancel releases the rest', () => {
    const { double, authorise, modify, events } = openDouble({ multipleCaptures: true });
    const psp = authorise('order-1');
    double.webhooks();

    modify(psp, 'captures', 'c-1', 600);
    modify(psp, 'captures', 'c-2', 600);
    modify(psp, 'captures', 'c-3', 100);
    modify(psp, 'cancels', 'v-1');

    expect(events(double.webhooks())).toEqual([
      ['CAPTURE', 'true', 'c-1'],
      ['CAPTURE', 'true', 'c-2'],
      ['CAPTURE', 'false', 'c-3'],
      ['CANCELLATION', 'true', 'v-1'],
    ]);
    expect(double.book('order-1')).toMatchObject({ captured: 1200, cancelled: 99, status: 'authorised' });
  });

  it('raises a pre-authorisation', () => {
    const { double, authorise, modify } = openDouble();
    const psp = authorise('order-1', {
      additionalData: { manualCapture: 'true', authorisationType: 'PreAuth' },
    });

    modify(psp, 'amountUpdates', 'u-1', 2000);
    double.webhooks();

    expect(double.book('order-1').authorised).toBe(2000);
  });

  it.each([
    ['capture', 'succeeds_then_fails', ['CAPTURE', 'CAPTURE_FAILED'], { captured: 0 }],
    [
      'refund',
      'succeeds_then_fails',
      ['CAPTURE', 'REFUND', 'REFUND_FAILED'],
      { captured: 1299, refunded: 0 },
    ],
    ['refund', 'is_reversed', ['CAPTURE', 'REFUND', 'REFUNDED_REVERSED'], { captured: 1299, refunded: 0 }],
    ['refund', 'fails', ['CAPTURE', 'REFUND'], { captured: 1299, refunded: 0 }],
    ['refund', 'stays_undecided', ['CAPTURE'], { captured: 1299, refunded: 0 }],
  ] as const)('of kind %s %s', (kind, verdict, codes, sums) => {
    const { double, authorise, modify } = openDouble();
    const psp = authorise('order-1');
    double.webhooks();
    double.decideNext(kind, verdict);

    modify(psp, 'captures', 'c-1', 1299);
    if (kind === 'refund') modify(psp, 'refunds', 'r-1', 1299);

    expect(double.webhooks().map(({ item }) => item.eventCode)).toEqual(codes);
    expect(double.book('order-1')).toMatchObject(sums);
  });

  it('by the reference of the authorisation is reported under that reference', () => {
    const { double, authorise, post } = openDouble();
    const psp = authorise('order-1');
    double.webhooks();

    const answer = post('/cancels', { merchantAccount, paymentReference: 'order-1', reference: 'cancel-1' });

    expect([answer.status, answer.body]).toMatchObject([
      201,
      { paymentReference: 'order-1', status: 'received' },
    ]);
    expect(double.webhooks()).toMatchObject([
      {
        item: {
          eventCode: 'TECHNICAL_CANCEL',
          success: 'true',
          merchantReference: 'order-1',
          originalReference: psp,
          pspReference: answer.body.pspReference,
        },
      },
    ]);
    expect(double.book('order-1')).toMatchObject({ status: 'cancelled', cancelled: 1299 });
  });

  it.each([
    [false, 'Authorised'],
    [true, 'Cancelled'],
  ])(
    'by an unknown reference is received, and stops a later payment: %s',
    (stopsLatePayments, resultCode) => {
      const { double, post } = openDouble({ stopsLatePayments });

      expect(post('/cancels', { merchantAccount, paymentReference: 'order-1' }).status).toBe(201);

      expect(double.webhooks()).toEqual([]);
      expect(post('/payments', payment('order-1')).body).toMatchObject({ resultCode });
    },
  );
});

describe('the buyer elsewhere', () => {
  const WITH_3DS = { ...CARD, number: '4212345678901237' };

  it('comes back with a result that counts once', () => {
    const { double, post, events } = openDouble();
    const started = post('/payments', payment('order-1', { paymentMethod: WITH_3DS })).body;
    expect(started).toMatchObject({
      resultCode: 'RedirectShopper',
      action: { type: 'redirect', method: 'GET' },
    });
    expect(started.pspReference).toBeUndefined();
    const details = double.comeBack('order-1', 'approve');

    const [first, second] = [1, 2].map(() => post('/payments/details', { details }, 'order-1:details'));
    const other = post('/payments/details', { details }, 'another-key');

    expect(first?.body).toMatchObject({ resultCode: 'Authorised', merchantReference: 'order-1' });
    expect(second?.body).toEqual(first?.body);
    expect(other).toMatchObject({ status: 422, body: { errorCode: '702' } });
    expect(events(double.webhooks())).toEqual([['AUTHORISATION', 'true', 'order-1']]);
  });

  it.each([
    ['refuse', 'Refused', '11'],
    ['cancel', 'Cancelled', '16'],
    ['undecided', 'Pending', undefined],
  ] as const)('comes back: %s', (result, resultCode, refusalReasonCode) => {
    const { double, post } = openDouble();
    post('/payments', payment('order-1', { paymentMethod: WITH_3DS }));

    const { body } = post('/payments/details', { details: double.comeBack('order-1', result) });

    expect(body).toMatchObject({ resultCode, ...(refusalReasonCode && { refusalReasonCode }) });
    expect(double.book('order-1').authorised).toBe(0);
  });

  it('pays by iDEAL before the return, and nothing is left to capture', () => {
    const { double, post, events } = openDouble();
    post('/payments', payment('order-1', { countryCode: 'NL', paymentMethod: { type: 'ideal' } }));
    const details = double.comeBack('order-1', 'approve');

    expect(double.book('order-1')).toMatchObject({ status: 'authorised', captured: 1299 });
    expect(events(double.webhooks())).toEqual([['AUTHORISATION', 'true', 'order-1']]);
    expect(post('/payments/details', { details }).body).toMatchObject({ resultCode: 'Authorised' });
  });

  it('never comes back: the offer closes, and a late result finds a cancelled payment', () => {
    const { double, post, events } = openDouble();
    post('/payments', payment('order-1', { countryCode: 'NL', paymentMethod: { type: 'ideal' } }));

    double.closeOffer('order-1');

    expect(events(double.webhooks())).toEqual([['OFFER_CLOSED', 'true', 'order-1']]);
    const details = double.comeBack('order-1', 'approve');
    expect(post('/payments/details', { details }).body).toMatchObject({ resultCode: 'Cancelled' });
  });

  it('is not asked when the proof came with the payment', () => {
    const { post } = openDouble();
    const mpiData = { cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=', eci: '05', authenticationResponse: 'Y' };
    const pay = (changes: object) =>
      post('/payments', payment('order-1', { paymentMethod: WITH_3DS, ...changes }));

    expect(pay({ mpiData }).body).toMatchObject({
      resultCode: 'Authorised',
      additionalData: { threeDAuthenticated: 'true' },
    });
    expect(pay({ mpiData: { ...mpiData, authenticationResponse: 'N' } }).body).toMatchObject({
      refusalReasonCode: '11',
    });
    expect(pay({ authenticationData: { attemptAuthentication: 'never' } }).body).toMatchObject({
      refusalReasonCode: '38',
    });
    expect(pay({ shopperInteraction: 'Moto' }).body).toMatchObject({ resultCode: 'Authorised' });
  });
});

describe('a stored payment method', () => {
  const storing = {
    storePaymentMethod: true,
    shopperReference: 'buyer-1',
    recurringProcessingModel: 'CardOnFile',
    shopperInteraction: 'Ecommerce',
  };
  const again = (storedPaymentMethodId: unknown, shopperReference: string) =>
    payment('order-2', {
      paymentMethod: { type: 'scheme', storedPaymentMethodId },
      ...{ shopperReference, shopperInteraction: 'ContAuth', recurringProcessingModel: 'Subscription' },
    });

  it('pays again for the same shopper, until it is deleted', () => {
    const { post, send } = openDouble();
    const { additionalData } = post('/payments', payment('order-1', storing)).body;
    const { 'tokenization.storedPaymentMethodId': token } = additionalData as Readonly<
      Record<string, string>
    >;

    expect(post('/payments', again(token, 'buyer-1')).body).toMatchObject({ resultCode: 'Authorised' });
    expect(post('/payments', again(token, 'buyer-2')).body).toMatchObject({ errorCode: '800' });
    expect(post('/payments', again('M5N7TQ4TG5PFWR50', 'buyer-1')).body).toMatchObject({ errorCode: '803' });

    const path = `/storedPaymentMethods/${token}?shopperReference=buyer-1&merchantAccount=${merchantAccount}`;
    expect([send('DELETE', path).status, send('DELETE', path).status]).toEqual([204, 422]);
    expect(post('/payments', again(token, 'buyer-1')).body).toMatchObject({ errorCode: '803' });
  });

  it('is named by a webhook where the account says so', () => {
    const { double, post } = openDouble({ tokenIn: 'webhook' });

    const { additionalData } = post('/payments', payment('order-1', storing)).body;

    expect(additionalData).not.toHaveProperty('tokenization.storedPaymentMethodId');
    const [, contract] = double.webhooks();
    expect(contract?.item).toMatchObject({
      eventCode: 'RECURRING_CONTRACT',
      merchantReference: 'order-1',
      additionalData: { shopperReference: 'buyer-1' },
    });
    expect(post('/payments', again(contract?.item.pspReference, 'buyer-1')).body).toMatchObject({
      resultCode: 'Authorised',
    });
  });
});
