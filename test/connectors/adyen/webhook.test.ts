import { describe, expect, it } from '@jest/globals';
import { bodyOf, CREDENTIALS, HMAC_KEY, itemOf, KEY, OTHER_HMAC_KEY } from './samples.ts';
import { adyenDefinitions } from '../../../src/connectors/adyen/definitions.ts';
import { hmacKeysOf, isSigned, itemsOf } from '../../../src/connectors/adyen/webhooks/notification.ts';
import { adyenWebhooks } from '../../../src/connectors/adyen/webhooks/webhook.ts';
import { readNotices } from '../read-notices.ts';
import type { WebhookNotice, WebhookRequest } from '../../../src/connectors/notices/webhook.ts';

const PSP = 'QFQTPCQ8HXSKGK82';
const PAYMENT = '9913140798220028';

const [definition] = adyenDefinitions;

const receiver = (credentials: Readonly<Record<string, string>> = CREDENTIALS) => {
  if (!definition) throw new Error('No definition');
  return { credentials, definition, environment: 'sandbox' } as const;
};

const requestOf = (rawBody: Buffer, credentials?: WebhookRequest['credentials']): WebhookRequest => ({
  ...{ headers: {}, rawBody, ...receiver(credentials) },
  now: new Date('2026-11-21T12:00:00Z'),
});

const readBody = (rawBody: Buffer, credentials: Readonly<Record<string, string>> = CREDENTIALS) =>
  readNotices(adyenWebhooks, requestOf(rawBody, credentials));

const verified = (rawBody: Buffer) => adyenWebhooks.verify(requestOf(rawBody));

function noticesOf(...items: readonly Parameters<typeof itemOf>[0][]): readonly WebhookNotice[] {
  const read = readBody(bodyOf(items.map((item) => itemOf(item))));
  if (!read.ok) throw new Error(read.refusals[0]);
  return read.value;
}

const REFUSED = { ok: false, refusals: ['bad_signature'] };

describe('the signature of a webhook', () => {
  it("is that of Adyen's own example", () => {
    const item = {
      ...{ pspReference: 'pspReference', originalReference: 'originalReference' },
      merchantAccountCode: 'merchantAccount',
      ...{ merchantReference: 'reference', amount: { currency: 'EUR', value: 1000 } },
      eventCode: 'REPORT_AVAILABLE',
      ...{ eventDate: '2019-09-21T11:45:24.637Z', paymentMethod: 'VISA', reason: 'reason', success: 'true' },
      additionalData: { hmacSignature: 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=' },
    };
    const rawBody = Buffer.from(
      JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] }),
    );
    const credentials = {
      ...{ merchant_account: 'merchantAccount' },
      hmac_key: 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00',
    };

    expect(readBody(rawBody, credentials)).toEqual({ ok: true, value: [] });
    const [event] = itemsOf(String(rawBody)) ?? [];
    const isSignedBy = (key: string) => isSigned(event, hmacKeysOf(key) ?? []);
    expect([isSignedBy(credentials.hmac_key), isSignedBy(HMAC_KEY)]).toEqual([true, false]);
  });

  it.each([`${HMAC_KEY} ${OTHER_HMAC_KEY}`, `${OTHER_HMAC_KEY},${HMAC_KEY}`, HMAC_KEY.toLowerCase()])(
    'is made with one of the keys: %s',
    (hmac_key) => {
      const rawBody = bodyOf([itemOf({ eventCode: 'AUTHORISATION' })]);
      expect(readBody(rawBody, { ...CREDENTIALS, hmac_key })).toMatchObject({ ok: true });
    },
  );

  it.each([
    ['of another key', { hmac_key: OTHER_HMAC_KEY }],
    ['without a key', { hmac_key: '' }],
    ['with a key that is not hexadecimal', { hmac_key: 'not hexadecimal' }],
    ['with five keys', { hmac_key: Array.from({ length: 5 }, () => HMAC_KEY).join(' ') }],
  ])('%s is bad', (_name, changes) => {
    const rawBody = bodyOf([itemOf({ eventCode: 'AUTHORISATION' })]);
    expect(readBody(rawBody, { ...CREDENTIALS, ...changes })).toEqual(REFUSED);
  });

  it.each([
    ['the amount', '1299', '1298'],
    ['the result', '"success":"true"', '"success":"false"'],
    ['the reference', KEY, KEY.replace('1', '2')],
    ['the signature', 'hmacSignature', 'noSignature'],
  ])('covers %s', (_name, from, to) => {
    const rawBody = Buffer.from(
      bodyOf([itemOf({ eventCode: 'AUTHORISATION' })])
        .toString()
        .replace(from, to),
    );
    expect(readBody(rawBody)).toEqual(REFUSED);
  });

  it('lets each item pass alone', () => {
    const items = [
      itemOf({ eventCode: 'AUTHORISATION' }),
      itemOf({ eventCode: 'CAPTURE', pspReference: 'C1' }),
    ];
    const body = JSON.parse(bodyOf(items).toString()) as {
      notificationItems: { NotificationRequestItem: Record<string, unknown> }[];
    };
    delete body.notificationItems[1]?.NotificationRequestItem['additionalData'];
    expect(readBody(Buffer.from(JSON.stringify(body)))).toMatchObject({
      ok: true,
      value: [{ verb: 'authorize', key: KEY }],
    });
    delete body.notificationItems[0]?.NotificationRequestItem['additionalData'];
    expect(readBody(Buffer.from(JSON.stringify(body)))).toEqual(REFUSED);
  });

  it('is not needed on an item that concerns no payment, and null is an absent text', () => {
    const items = [
      itemOf({ eventCode: 'CAPTURE', pspReference: 'C1', originalReference: 'P1', merchantReference: '' }),
      itemOf({ eventCode: 'REPORT_AVAILABLE', merchantReference: '' }),
    ];
    const body = JSON.parse(bodyOf(items).toString()) as {
      notificationItems: { NotificationRequestItem: Record<string, unknown> }[];
    };
    const [capture, report] = body.notificationItems.map(({ NotificationRequestItem: each }) => each);
    Object.assign(capture ?? {}, { merchantReference: null });
    Object.assign(report ?? {}, { merchantReference: null, additionalData: null });

    expect(readBody(Buffer.from(JSON.stringify(body)))).toMatchObject({
      ok: true,
      value: [{ verb: 'capture', key: null, reference: 'C1', paymentReference: 'P1' }],
    });
    expect(
      readBody(Buffer.from(JSON.stringify({ notificationItems: body.notificationItems.slice(1) }))),
    ).toEqual({
      ok: true,
      value: [],
    });
  });

  it.each([
    ['REPORT_AVAILABLE', 0],
    ['CAPTURE', 1],
    [7, 1],
  ])(
    'is missed on an item of the kind %s in another form, which is counted %d times',
    (eventCode, unsigned) => {
      const body = JSON.parse(bodyOf([itemOf({ eventCode: 'AUTHORISATION' })]).toString()) as {
        notificationItems: unknown[];
      };
      body.notificationItems.push({ NotificationRequestItem: { eventCode, pspReference: 7 } });
      const rawBody = Buffer.from(JSON.stringify(body));

      expect(readBody(rawBody)).toMatchObject({ ok: true, value: [{ key: KEY }] });
      expect(verified(rawBody)).toMatchObject({ ok: true, value: { unsigned, parts: [expect.any(String)] } });
    },
  );

  it.each([
    [
      'in another form',
      { additionalData: { more: 'x' }, eventDate: 7, success: 'perhaps' },
      'unreadable_item',
    ],
    ['of a new kind that names a payment of ours', { eventCode: 'A_NEW_EVENT' }, 'unknown_kind'],
    [
      'of a new kind about a payment of another system',
      { eventCode: 'A_NEW_EVENT', merchantReference: 'x' },
      null,
    ],
    ['in another form, of no concern', { eventCode: 'REPORT_AVAILABLE', success: 'perhaps' }, null],
    ['in another form, of another account', { merchantAccountCode: 'Another', success: 'perhaps' }, null],
  ])('is that of an item %s, and leaves the others alone', (_name, changes, reason) => {
    const odd = itemOf({ eventCode: 'CAPTURE', ...changes });
    const rawBody = bodyOf([itemOf({ eventCode: 'AUTHORISATION' }), odd]);

    const read = verified(rawBody);

    const parts = read.ok ? read.value.parts : [];
    expect(parts.map((part) => adyenWebhooks.read(part, receiver()))).toMatchObject([
      { ok: true, value: [{ key: KEY }] },
      reason === null ? { ok: true, value: [] } : { ok: false, refusals: [reason] },
    ]);
  });

  it.each(['', 'no JSON', '{}', '[]', 'null', '{"notificationItems":[]}'])(
    'is not looked for in the body %j',
    (text) => {
      expect(readBody(Buffer.from(text))).toEqual({ ok: false, refusals: ['unreadable'] });
    },
  );
});

describe('an event of a payment', () => {
  it('tells an authorisation', () => {
    expect(noticesOf({ eventCode: 'AUTHORISATION', additionalData: { networkTxReference: 'NTI1' } })).toEqual(
      [
        {
          eventKey: `AUTHORISATION:${PSP}:true`,
          occurredAt: new Date('2026-11-21T11:00:00Z'),
          ...{ verb: 'authorize', key: KEY, reference: PSP, paymentReference: PSP },
          outcome: {
            ...{ kind: 'succeeded', money: { amount: 1299, currency: 'EUR' }, schemeTransactionId: 'NTI1' },
            ...{ rawResponseCode: 'AUTHORISATION', rawResponseDescription: null },
          },
        },
      ],
    );
  });

  it.each([
    ['Refused', {}, 'declined', 'issuer_decline', null],
    ['Refused', { refusalReasonRaw: '51 : Not sufficient funds' }, 'declined', 'insufficient_funds', '51'],
    ['51 : Not sufficient funds', {}, 'declined', 'insufficient_funds', '51'],
    ['CVC Declined', { refusalReasonRaw: 'N7 : CVV2 failure' }, 'declined', 'incorrect_cvv', 'N7'],
    ['3D Not Authenticated', {}, 'failed', 'failed_buyer_approval', null],
    ['FRAUD', {}, 'declined', 'suspected_fraud', null],
    ['A new reason', {}, 'declined', 'other_decline', null],
  ])('tells a refusal: %s %j', (reason, additionalData, kind, errorCode, networkResponseCode) => {
    expect(noticesOf({ eventCode: 'AUTHORISATION', success: 'false', reason, additionalData })).toMatchObject(
      [
        {
          eventKey: `AUTHORISATION:${PSP}:false`,
          outcome: { kind, errorCode, rawResponseDescription: reason, networkResponseCode },
        },
      ],
    );
  });

  it('tells the advice of the scheme with a refusal', () => {
    const additionalData = {
      ...{ refusalReasonRaw: '05 : Do not honor', merchantAdviceCode: '03 : Do not try again' },
    };
    const event = { eventCode: 'AUTHORISATION', success: 'false', reason: 'Refused', additionalData };
    expect(noticesOf(event)).toMatchObject([
      { outcome: { kind: 'declined', networkResponseCode: '05', merchantAdviceCode: '03' } },
    ]);
  });

  it('tells the token beside the authorisation', () => {
    const additionalData = {
      'tokenization.shopperReference': 's-1',
      'tokenization.storedPaymentMethodId': 'M5',
    };
    expect(noticesOf({ eventCode: 'AUTHORISATION', additionalData })).toMatchObject([
      { outcome: { recurringToken: 's-1/M5' } },
    ]);
  });

  it('with an amount that we cannot express decides nothing', () => {
    const amount = { currency: 'ISK', value: 129_950 };
    expect(noticesOf({ eventCode: 'AUTHORISATION', amount })).toMatchObject([
      { outcome: { kind: 'accepted' } },
    ]);
    expect(
      noticesOf({ eventCode: 'AUTHORISATION', amount: { currency: 'ISK', value: 129_900 } }),
    ).toMatchObject([{ outcome: { money: { amount: 1299, currency: 'ISK' } } }]);
  });

  it.each([
    ['PENDING', { verb: 'authorize', key: KEY, reference: PSP, outcome: { kind: 'accepted' } }],
    [
      'OFFER_CLOSED',
      {
        verb: 'authorize',
        key: KEY,
        reference: null,
        outcome: { kind: 'failed', errorCode: 'incomplete_buyer_approval' },
      },
    ],
    ['EXPIRE', { verb: 'authorize', key: KEY, reference: null, outcome: { kind: 'expired' } }],
  ])('is %s', (eventCode, notice) => {
    expect(noticesOf({ eventCode })).toMatchObject([notice]);
  });

  it('brings a token later', () => {
    const additionalData = {
      shopperReference: 's-1',
      'recurring.recurringDetailReference': 'M5N7TQ4TG5PFWR50',
    };
    const event = {
      eventCode: 'RECURRING_CONTRACT',
      originalReference: PAYMENT,
      pspReference: 'M5N7TQ4TG5PFWR50',
      additionalData,
    };
    expect(noticesOf(event)).toMatchObject([
      {
        ...{ verb: 'authorize', key: KEY, reference: PAYMENT, paymentReference: PAYMENT },
        outcome: { kind: 'token_created', recurringToken: 's-1/M5N7TQ4TG5PFWR50' },
      },
    ]);
    expect(noticesOf({ ...event, additionalData: {} })).toEqual([]);
  });

  it.each(['order-7', `${KEY}_refund`, ''])('of another system gives no notice: %j', (merchantReference) => {
    expect(noticesOf({ eventCode: 'AUTHORISATION', merchantReference })).toEqual([]);
  });
});

describe('an event of a change', () => {
  const of = (eventCode: string, verb: string, changes = {}) => ({
    ...{ eventCode, originalReference: PAYMENT, merchantReference: `${KEY}_${verb}`, ...changes },
  });

  it.each([
    ['CAPTURE', 'capture', { amount: 1299, currency: 'EUR' }],
    ['REFUND', 'refund', { amount: 1299, currency: 'EUR' }],
    ['REFUND_WITH_DATA', 'refund', { amount: 1299, currency: 'EUR' }],
    ['CANCELLATION', 'void', null],
    ['CANCELLATION', 'cancel', null],
    ['TECHNICAL_CANCEL', 'cancel', null],
    ['CANCEL_OR_REFUND', 'cancel', null],
  ])('%s tells the success of a %s by our reference', (eventCode, verb, money) => {
    expect(noticesOf(of(eventCode, verb))).toMatchObject([
      { verb, key: KEY, reference: PSP, paymentReference: PAYMENT, outcome: { kind: 'succeeded', money } },
    ]);
  });

  it.each([
    ['CAPTURE', 'capture', 'Insufficient balance on payment', 'service_decline'],
    ['REFUND', 'refund', "Transaction hasn't been captured, refund not possible", 'unexpected_state'],
    ['CANCELLATION', 'void', 'Transaction already captured', 'unexpected_state'],
    ['TECHNICAL_CANCEL', 'cancel', 'A new reason', 'service_decline'],
  ])('%s tells the failure of a %s: %s', (eventCode, verb, reason, errorCode) => {
    expect(noticesOf(of(eventCode, verb, { success: 'false', reason }))).toMatchObject([
      { verb, key: KEY, outcome: { kind: 'failed', errorCode, rawResponseDescription: reason } },
    ]);
  });

  it('the success of a release tells of the end of the authorisation, and of no void', () => {
    const [notice, ...others] = noticesOf(of('CANCELLATION', 'release'));
    expect(notice).toMatchObject({
      ...{ verb: 'authorize', key: null, reference: null, paymentReference: PAYMENT },
      outcome: { kind: 'expired', rawResponseCode: 'CANCELLATION' },
    });
    expect(others).toEqual([]);
  });

  it('the failure of a release decides nothing', () => {
    const reason = 'Transaction was captured, cancel not possible';
    expect(noticesOf(of('CANCELLATION', 'release', { success: 'false', reason }))).toMatchObject([
      {
        ...{ verb: 'void', key: null, reference: PSP, paymentReference: PAYMENT },
        outcome: { kind: 'accepted', rawResponseDescription: reason },
      },
    ]);
  });

  it.each([
    ['true', '', { kind: 'succeeded', money: null }],
    ['false', '51 : Not sufficient funds', { kind: 'declined', errorCode: 'insufficient_funds' }],
    ['false', 'Refused', { kind: 'declined', errorCode: 'issuer_decline' }],
    ['false', 'Authorisation expired', { kind: 'failed', errorCode: 'expired_authorization' }],
  ])('AUTHORISATION_ADJUSTMENT tells the end of an increase: %s %s', (success, reason, outcome) => {
    const amount = { value: 5000, currency: 'EUR' };
    const adjusted = of('AUTHORISATION_ADJUSTMENT', 'increase', { success, reason, amount });
    const told = { verb: 'increase', reference: PSP, total: { amount: 5000, currency: 'EUR' }, outcome };
    expect(noticesOf(adjusted)).toMatchObject([{ ...told, key: KEY, paymentReference: PAYMENT }]);
    // A person in the Customer Area may change the amount too, so such an event names no operation of ours.
    expect(noticesOf({ ...adjusted, merchantReference: 'by hand' })).toMatchObject([{ ...told, key: null }]);
    const unreadable = { value: 129_950, currency: 'ISK' };
    expect(() => noticesOf({ ...adjusted, amount: unreadable })).toThrow('unreadable_item');
  });

  it.each([
    ['CAPTURE_FAILED', 'capture'],
    ['REFUND_FAILED', 'refund'],
    ['REFUNDED_REVERSED', 'refund'],
  ])('%s takes a %s back', (eventCode, verb) => {
    expect(noticesOf(of(eventCode, verb, { reason: 'Said' }))).toMatchObject([
      {
        ...{ verb, key: KEY, paymentReference: PAYMENT },
        outcome: {
          kind: 'reversed',
          money: { amount: 1299, currency: 'EUR' },
          errorCode: 'service_decline',
          reversalReference: PSP,
        },
      },
    ]);
    expect(noticesOf(of(eventCode, verb, { success: 'false' }))).toEqual([]);
  });

  it('TECHNICAL_CANCEL with the reference of the authorisation names the authorisation', () => {
    expect(noticesOf({ eventCode: 'TECHNICAL_CANCEL', originalReference: PAYMENT })).toMatchObject([
      { verb: 'cancel', key: null, authorizationKey: KEY, reference: PSP, paymentReference: PAYMENT },
    ]);
  });

  it("CAPTURE with the reference of the authorisation names the capture by Adyen's id", () => {
    for (const eventCode of ['CAPTURE', 'CAPTURE_FAILED'])
      expect(noticesOf({ eventCode, originalReference: PAYMENT })).toMatchObject([
        { verb: 'capture', key: null, reference: PSP, paymentReference: PAYMENT },
      ]);
  });

  it('REFUND of a person in the Customer Area names the payment', () => {
    expect(
      noticesOf({ eventCode: 'REFUND', originalReference: PAYMENT, merchantReference: 'by hand' }),
    ).toMatchObject([{ verb: 'refund', key: null, reference: PSP, paymentReference: PAYMENT }]);
    expect(noticesOf({ eventCode: 'REFUND', merchantReference: 'by hand' })).toEqual([]);
  });
});

it.each(['MANUAL_REVIEW_ACCEPT', 'ORDER_CLOSED', 'REPORT_AVAILABLE', 'ISSUER_COMMENTS'])(
  'the event %s gives no notice, and is no error',
  (eventCode) => {
    expect(noticesOf({ eventCode, originalReference: PAYMENT })).toEqual([]);
  },
);

it('an event of another merchant account gives no notice', () => {
  expect(noticesOf({ eventCode: 'AUTHORISATION', merchantAccountCode: 'Another' })).toEqual([]);
});

it('the end of a payment that nobody completes gives no notice', () => {
  const merchantReference = `${KEY}_leave`;
  expect(noticesOf({ eventCode: 'TECHNICAL_CANCEL', merchantReference, originalReference: PAYMENT })).toEqual(
    [],
  );
});

it('several items give their notices in order', () => {
  const read = noticesOf(
    { eventCode: 'AUTHORISATION' },
    {
      eventCode: 'CAPTURE',
      pspReference: 'C1',
      originalReference: PAYMENT,
      merchantReference: `${KEY}_capture`,
    },
  );
  expect(read.map(({ eventKey }) => eventKey)).toEqual([`AUTHORISATION:${PSP}:true`, 'CAPTURE:C1:true']);
});
