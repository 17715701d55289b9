import { describe, expect, it } from '@jest/globals';
import { CARD, CREDENTIALS, HMAC_KEY, KEY, MERCHANT_ACCOUNT, paymentOf } from './samples.ts';
import { openScripted } from './scripted-server.ts';
import { adyenHosts } from '../../../src/connectors/adyen/hosts.ts';
import { createAdyen } from '../../../src/connectors/adyen/index.ts';

const MONEY = { amount: 1299, currency: 'EUR' };
const FOLLOW_UP = { key: KEY, reference: 'NC6HT9CRT65ZGN82', money: MONEY };
const RECEIVED = {
  status: 201,
  body: { status: 'received', pspReference: 'MOD1', merchantAccount: MERCHANT_ACCOUNT },
};
const AUTHORISED = { body: { resultCode: 'Authorised', pspReference: 'A1' } };
const COMPLETED = { body: { ...AUTHORISED.body, merchantReference: KEY } };

const NETWORK_TOKEN = {
  ...{ number: CARD.number, expirationDate: '03/30', cryptogram: null, eci: null },
};

const server = await openScripted();

describe('the connector of Adyen', () => {
  it('authorises under the key of the operation', async () => {
    server.answer(AUTHORISED);
    expect(await server.connector.authorize(server.context(), paymentOf({ card: CARD }))).toMatchObject({
      ...{ kind: 'succeeded', reference: 'A1', money: MONEY },
    });
    expect(server.received).toMatchObject([
      {
        method: 'POST',
        path: '/v71/payments',
        key: KEY,
        apiKey: CREDENTIALS.api_key,
        body: { reference: KEY },
      },
    ]);
  });

  it('sends nothing for an amount that Adyen cannot express', async () => {
    server.answer(AUTHORISED);
    const request = paymentOf({ card: CARD, money: { amount: 1299, currency: 'IDR' } });
    expect(await server.connector.authorize(server.context(), request)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_amount' },
      rawResponseDescription: expect.stringContaining('Adyen cannot take this amount'),
    });
    expect(server.received).toEqual([]);
  });

  it.each([
    ['a repeat without the security code', true, { card: { ...CARD, securityCode: null } }, 'unknown'],
    ['a repeat without the cryptogram', true, { networkToken: NETWORK_TOKEN }, 'unknown'],
    ['a first request without a security code', false, { card: { ...CARD, securityCode: null } }, 'failed'],
    ['a repeat with the same body', true, { token: 'stored/M5' }, 'failed'],
  ] as const)('takes the refusal of %s for what it is', async (_, isRepeat, means, kind) => {
    server.answer({
      status: 422,
      body: { status: 422, errorCode: '702', errorType: 'validation', message: 'No' },
    });
    const request = paymentOf({ isRepeat, card: null, ...means });
    expect(await server.connector.authorize(server.context(), request)).toMatchObject({ kind });
  });

  it('names the shopper of its request in a token', async () => {
    const additionalData = { 'tokenization.storedPaymentMethodId': 'M5' };
    server.answer({ body: { ...AUTHORISED.body, additionalData } });
    const request = paymentOf({ card: CARD });
    const storing = { ...request, series: { ...request.series, store: true, tokenizes: true } };
    expect(await server.connector.authorize(server.context(), storing)).toMatchObject({
      recurringToken: `${KEY}/M5`,
    });
  });

  it.each([
    ['capture', `/v71/payments/NC6HT9CRT65ZGN82/captures`],
    ['refund', `/v71/payments/NC6HT9CRT65ZGN82/refunds`],
    ['void', `/v71/payments/NC6HT9CRT65ZGN82/cancels`],
    ['cancel', '/v71/payments/NC6HT9CRT65ZGN82/reversals'],
  ] as const)('only hands in a %s', async (verb, path) => {
    server.answer(RECEIVED);
    const request = {
      ...FOLLOW_UP,
      final: true,
      captures: [],
      authorizationKey: KEY,
      createdAt: new Date(),
      resuming: false,
    };
    expect(await server.connector[verb](server.context(), request)).toMatchObject({
      kind: 'accepted',
      reference: 'MOD1',
    });
    expect(server.received).toMatchObject([{ path, key: KEY }]);
  });

  it('captures a part before others only where the account is said to allow it', async () => {
    const request = { ...FOLLOW_UP, final: false };
    server.answer(RECEIVED);
    expect(await server.connector.capture(server.context(), request)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'invalid_operation' },
      rawResponseDescription: expect.stringContaining('set its field multiple_captures'),
    });
    expect(server.received).toEqual([]);
    const credentials = { ...CREDENTIALS, multiple_captures: 'true' };
    expect(await server.connector.capture(server.context({ credentials }), request)).toMatchObject({
      kind: 'accepted',
    });
  });

  it('continues after the return of the buyer, under a key of its own', async () => {
    server.answer(COMPLETED);
    const returned = { redirectResult: 'X6XtfGC3!Y' };
    const request = { key: KEY, reference: KEY, money: MONEY, capture: false, returned };
    expect(await server.connector.resume?.(server.context(), request)).toMatchObject({
      kind: 'succeeded',
      reference: 'A1',
    });
    expect(server.received).toMatchObject([{ path: '/v71/payments/details', body: { details: returned } }]);
  });

  it('has one key for each result of a return, within the limit of Adyen', async () => {
    const keyOf = async (redirectResult: string) => {
      server.answer(AUTHORISED);
      const request = {
        key: KEY,
        reference: KEY,
        money: MONEY,
        capture: false,
        returned: { redirectResult },
      };
      await server.connector.resume?.(server.context(), request);
      return server.received[0]?.key ?? '';
    };
    const [first, again, second] = [await keyOf('a'), await keyOf('a'), await keyOf('b')];
    expect(first).toMatch(new RegExp(`^${KEY}:details:[A-Za-z0-9_-]{18}$`));
    expect(first.length).toBeLessThanOrEqual(64);
    expect([again === first, second === first]).toEqual([true, false]);
  });

  it('lets a buyer come back again who returns without a result', async () => {
    server.answer(AUTHORISED);
    const request = { key: KEY, reference: KEY, money: MONEY, capture: false, returned: {} };
    expect(await server.connector.resume?.(server.context(), request)).toMatchObject({
      ...{ kind: 'accepted', reference: KEY, approvalUrl: expect.stringMatching(/^http/) },
    });
    expect(server.received).toEqual([]);
  });

  it('has nothing to look up', async () => {
    server.answer(AUTHORISED);
    const request = {
      key: KEY,
      verb: 'authorize',
      reference: null,
      money: MONEY,
      createdAt: new Date(),
      approval: null,
      resuming: false,
    } as const;
    expect(await server.connector.lookup(server.context(), request)).toBeNull();
    expect(server.received).toEqual([]);
  });

  it('sends nothing live without a live prefix, and says that nothing left', async () => {
    const connector = createAdyen({ hosts: adyenHosts });
    const context = server.context({ environment: 'production' });
    const never = { kind: 'unknown', cause: 'connection', sent: false };
    expect(await connector.authorize(context, paymentOf({ card: CARD }))).toEqual(never);
    expect(await connector.refund(context, { ...FOLLOW_UP, captures: [] })).toEqual(never);
  });
});

describe('the addresses of Adyen', () => {
  const addressesOf = (live_prefix: string | undefined, environment: 'production' | 'sandbox') =>
    adyenHosts({ credentials: { ...(live_prefix !== undefined && { live_prefix }) }, environment });

  it('have one host for tests', () => {
    expect(addressesOf('1797a841fbb37ca7-AdyenDemo', 'sandbox')).toEqual({
      checkout: 'https://checkout-test.adyen.com/v71',
      disputes: 'https://ca-test.adyen.com/ca/services/DisputeService/v30',
      reports: 'https://ca-test.adyen.com/reports/download/MerchantAccount',
    });
  });

  it('begin with the prefix of the live account', () => {
    expect(addressesOf('1797a841fbb37ca7-AdyenDemo', 'production')).toEqual({
      checkout: 'https://1797a841fbb37ca7-AdyenDemo-checkout-live.adyenpayments.com/checkout/v71',
      disputes: 'https://ca-live.adyen.com/ca/services/DisputeService/v30',
      reports: 'https://ca-live.adyen.com/reports/download/MerchantAccount',
    });
  });

  it.each([undefined, '', 'evil.example/', 'a.b', 'a@b', '-a', 'a'.repeat(41)])(
    'never begin with %j',
    (prefix) => {
      expect(addressesOf(prefix, 'production')).toBeNull();
    },
  );
});

describe('a check of the credentials', () => {
  const verify = (credentials = {}) =>
    server.connector.verify?.(server.context({ credentials: { ...CREDENTIALS, ...credentials } }));

  it('asks for the methods of the merchant account', async () => {
    server.answer({ body: { paymentMethods: [] } });
    expect(await verify()).toEqual({ kind: 'accepted' });
    expect(server.received).toMatchObject([
      { path: '/v71/paymentMethods', body: { merchantAccount: MERCHANT_ACCOUNT } },
    ]);
  });

  it.each([
    [401, { errorCode: '000', message: 'HTTP Status Response - Unauthorized' }, 'refuses the API key'],
    [403, { errorCode: '010', message: 'Not allowed' }, 'no permission'],
    [422, { errorCode: '901', message: 'Invalid Merchant Account' }, 'refuses the merchant account'],
  ])('is refused with the status %s', async (status, body, reason) => {
    server.answer({ status, body });
    expect(await verify()).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) });
    expect(await verify()).toEqual({ kind: 'refused', reason: expect.stringContaining(body.message) });
  });

  it.each([
    [{ status: 500, body: {} }, 'server_error'],
    [{ status: 422, body: { errorCode: '702' } }, 'unreadable'],
    [{ status: 404, body: '' }, 'unreadable'],
    [{ body: 'nonsense' }, 'unreadable'],
    [null, 'connection'],
  ])('says nothing when Adyen answers %j', async (scripted, cause) => {
    server.answer(scripted);
    expect(await verify()).toMatchObject({ kind: 'unknown', cause });
  });

  it('refuses an HMAC key that cannot be one, without a call', async () => {
    server.answer({ body: {} });
    expect(await verify({ hmac_key: `${HMAC_KEY}0` })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('hmac_key'),
    });
    expect(server.received).toEqual([]);
  });

  it('refuses live credentials without a prefix', async () => {
    const connector = createAdyen({ hosts: adyenHosts });
    expect(await connector.verify?.(server.context({ environment: 'production' }))).toMatchObject({
      ...{ kind: 'refused', reason: expect.stringContaining('live_prefix') },
    });
  });
});
