import { describe, expect, it } from '@jest/globals';
import { adyenDefinitions } from '../../../src/connectors/adyen/definitions.ts';
import { storedMethodAnswer } from '../../../src/connectors/adyen/stored-method.ts';
import { isSignedBody } from '../../../src/connectors/adyen/webhooks/token-webhook.ts';
import { adyenWebhooks } from '../../../src/connectors/adyen/webhooks/webhook.ts';
import { readNotices } from '../read-notices.ts';
import { TEST_TOKEN_HMAC_KEY } from './double.ts';
import { CREDENTIALS, HMAC_KEY } from './samples.ts';
import { signTokenEvent } from './token-events.ts';

const [definition] = adyenDefinitions;

/** An event as Adyen's documentation shows it. */
const EVENT = {
  createdAt: '2025-06-30T16:40:23+02:00',
  eventId: 'QBQQ9DLNRHHKGK38',
  environment: 'test',
  data: {
    merchantAccount: CREDENTIALS.merchant_account,
    storedPaymentMethodId: 'M5N7TQ4TG5PFWR50',
    type: 'visastandarddebit',
    shopperReference: 'YOUR_SHOPPER_REFERENCE',
  },
  type: 'recurring.token.updated',
};

function read(event: object, { headers, body } = signTokenEvent(event, TEST_TOKEN_HMAC_KEY)) {
  if (!definition) throw new Error('No definition');
  return readNotices(adyenWebhooks, {
    ...{ headers, rawBody: Buffer.from(body), definition, environment: 'sandbox' },
    credentials: { ...CREDENTIALS, hmac_key: `${HMAC_KEY} ${TEST_TOKEN_HMAC_KEY}` },
    now: new Date('2026-11-21T12:00:00Z'),
  });
}

const TOKEN = 'YOUR_SHOPPER_REFERENCE/M5N7TQ4TG5PFWR50';
const KNOWN = {
  eventKey: expect.stringMatching(/^recurring\.token\.updated:QBQQ9DLNRHHKGK38:[\w-]{43}$/),
  occurredAt: new Date('2025-06-30T14:40:23Z'),
};

describe('a webhook about a token', () => {
  it('reports a changed card without the card', () => {
    const storedMethod = { token: TOKEN, change: { kind: 'updated', card: null } };
    expect(read(EVENT)).toEqual({ ok: true, value: [{ ...KNOWN, storedMethod }] });
  });

  it('has a key of its own for each token, and for each time', () => {
    const data = { ...EVENT.data, storedPaymentMethodId: 'M5N7TQ4TG5PFWR51' };
    const events = [EVENT, EVENT, { ...EVENT, data }, { ...EVENT, createdAt: '2025-06-30T16:40:24+02:00' }];
    const keys = events.map((event) => {
      const found = read(event);
      return found.ok ? found.value[0]?.eventKey : null;
    });
    expect([keys[0] === keys[1], new Set(keys).size]).toEqual([true, 3]);
    expect(JSON.stringify(keys)).not.toContain('M5N7TQ4TG5PFWR5');
  });

  it('reports the end of a token', () => {
    const read_ = read({ ...EVENT, type: 'recurring.token.disabled' });
    expect(read_).toMatchObject({
      ok: true,
      value: [{ storedMethod: { token: TOKEN, change: { kind: 'disabled' } } }],
    });
  });

  it.each(['recurring.token.created', 'recurring.token.alreadyExisting'])(
    'reports the token of a payment by the id of the payment: %s',
    (type) => {
      expect(read({ ...EVENT, type })).toMatchObject({
        ok: true,
        value: [
          {
            ...{ verb: 'authorize', key: null, reference: EVENT.eventId, paymentReference: EVENT.eventId },
            outcome: { kind: 'token_created', recurringToken: TOKEN },
          },
        ],
      });
    },
  );

  it.each<[string, object]>([
    ['an unknown change', { ...EVENT, type: 'recurring.token.imported' }],
    ['another merchant account', { ...EVENT, data: { ...EVENT.data, merchantAccount: 'Other' } }],
  ])('tells nothing about %s', (_, event) => {
    expect(read(event)).toEqual({ ok: true, value: [] });
  });

  it('is unreadable without a token', () => {
    const data = { ...EVENT.data, storedPaymentMethodId: undefined };
    expect(read({ ...EVENT, data })).toEqual({ ok: false, refusals: ['unreadable_body'] });
  });

  it.each<[string, Partial<ReturnType<typeof signTokenEvent>>]>([
    ['no signature', { headers: {} }],
    ['the signature of another body', { body: JSON.stringify({ ...EVENT, eventId: 'OTHER' }) }],
    ['the signature of another key', signTokenEvent(EVENT, TEST_TOKEN_HMAC_KEY.replaceAll('7', '8'))],
  ])('is refused with %s', (_, changes) => {
    const signed = { ...signTokenEvent(EVENT, TEST_TOKEN_HMAC_KEY), ...changes };
    expect(read(EVENT, signed)).toEqual({ ok: false, refusals: ['bad_signature'] });
  });

  it("has the signature of Adyen's own example", () => {
    const body =
      '{"data":{"balancePlatform":"Integration_tools_test","accountId":"BA32272223222H5HVKTBK4MLB","sweep":{"id":"SWPC42272223222H5HVKV6H8C64DP5","schedule":{"type":"balance"},"status":"active","targetAmount":{"currency":"EUR","value":0},"triggerAmount":{"currency":"EUR","value":0},"type":"pull","counterparty":{"balanceAccountId":"BA3227C223222H5HVKT3H9WLC"},"currency":"EUR"}},"environment":"test","type":"balancePlatform.balanceAccountSweep.updated"}';
    const keys = [Buffer.from(TEST_TOKEN_HMAC_KEY, 'hex')];
    const signature = '9Qz9S/0xpar1klkniKdshxpAhRKbiSAewPpWoxKefQA=';
    expect(isSignedBody(signature, Buffer.from(body), keys)).toBe(true);
    expect(isSignedBody(signature, Buffer.from(`${body} `), keys)).toBe(false);
  });
});

describe('the list of stored methods', () => {
  const METHOD = {
    ...{ id: 'M5N7TQ4TG5PFWR50', type: 'scheme', brand: 'visa' },
    ...{ expiryMonth: '3', expiryYear: '30', lastFour: '1111' },
  };
  const answered = (methods: unknown, status = 200) =>
    storedMethodAnswer({ status, text: JSON.stringify({ storedPaymentMethods: methods }) }, METHOD.id);
  const card = { scheme: 'visa', bin: null, lastFour: '1111', expirationDate: '03/30' };

  it.each<[string, unknown, unknown]>([
    ['a card', [METHOD], { kind: 'found', card }],
    ['a year of four digits', [{ ...METHOD, expiryYear: '2030' }], { kind: 'found', card }],
    ['a BIN', [{ ...METHOD, cardBin: '411111' }], { kind: 'found', card: { ...card, bin: '411111' } }],
    [
      'a bank account',
      [{ id: METHOD.id, type: 'sepadirectdebit', iban: 'DE89' }],
      { kind: 'found', card: null },
    ],
    ['another method', [{ ...METHOD, id: 'OTHER' }], { kind: 'not_found' }],
    ['no method', [], { kind: 'not_found' }],
    ['another form', 'none', { kind: 'unknown', cause: 'unreadable' }],
  ])('tells %s', (_, methods, expected) => {
    expect(answered(methods)).toEqual(expected);
  });

  it.each([
    [500, 'server_error'],
    [403, 'unreadable'],
  ])('tells nothing with the status %i', (status, cause) => {
    expect(answered([METHOD], status)).toEqual({ kind: 'unknown', cause });
  });
});
