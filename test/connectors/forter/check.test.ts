import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { CheckRequest } from '../../../src/connectors/anti-fraud/check-request.ts';
import { forterAntiFraud } from '../../../src/connectors/forter/definition.ts';
import { decisionIn } from '../../../src/connectors/forter/decision.ts';
import { createForter, forter } from '../../../src/connectors/forter/index.ts';
import { FORTER_HOST } from '../../../src/connectors/forter/exchange.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import type { HttpSender } from '../../../src/platform/http/reply.ts';
import { BARE_CHECK, CHECKED_CARD, strangerAt } from '../../support/check-request.ts';
import { API_KEY, SITE_ID, startForter } from './double.ts';

const double = await startForter();
const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
afterEach(() => double.release());
afterAll(async () => {
  http.close();
  await double.close();
});

const NOW = new Date('2026-11-22T09:00:01.234Z');

const check = (given: Partial<CheckRequest>, siteId = SITE_ID, version = '2.1', deadlineMs = 30_000) =>
  createForter(() => double.url).check(
    {
      ...{ definition: forterAntiFraud, interfaceVersion: version, http, deadlineMs, now: NOW },
      credentials: { site_id: siteId, api_key: API_KEY },
    },
    { ...BARE_CHECK, ...given },
  );

/** Returns the order that a check becomes. */
async function orderOf(given: Partial<CheckRequest>) {
  const key = crypto.randomUUID();
  expect(await check({ ...given, key })).toMatchObject({ kind: 'decided' });
  const [order] = double.sent(key);
  return { ...order, orderId: order?.orderId === key };
}

const ADDRESS = {
  ...{ line1: 'Torstraße', line2: 'Hof 2', houseNumberOrName: '1', city: 'Berlin', postalCode: '10119' },
  ...{ state: 'Berlin', stateCode: 'DE-BE', country: 'DE', organization: null },
};
const JANE = {
  ...{ firstName: 'Jane', lastName: 'Doe', emailAddress: 'jane@shop.example', phoneNumber: '+491701234567' },
  address: ADDRESS,
};
const JANE_THERE = {
  personalDetails: { firstName: 'Jane', lastName: 'Doe', email: 'jane@shop.example' },
  address: {
    ...{ address1: 'Torstraße 1', address2: 'Hof 2', zip: '10119', city: 'Berlin', region: 'BE' },
    country: 'DE',
  },
  phone: [{ phone: '+491701234567' }],
};
const item = (productType: string | null, name = 'Socks') => ({
  ...{ name, quantity: 2, unitAmount: 600, discountAmount: 0, taxAmount: 0, productType },
  ...{ externalIdentifier: 'line-1', sku: 'SOCKS-1', productUrl: null, categories: ['Socks', 'Wool'] },
});
const euros = (amountLocalCurrency: string) => ({ amountLocalCurrency, currency: 'EUR' });

describe('the order of a check', () => {
  it('has every known fact of the payment', async () => {
    const order = await orderOf({
      ...{ shipping: JANE, card: CHECKED_CARD, client: 'web', ipAddress: '203.0.113.7' },
      deviceFingerprint: 'token of the page',
      buyer: {
        ...{ displayName: 'J', externalIdentifier: 'customer-7', billingDetails: JANE },
        account: { id: 'ours', createdAt: new Date('2025-01-01T00:00:00Z') },
      },
      cart: [item('physical'), item('digital', 'Song'), item('shipping_fee', 'Parcel')],
      authentication: {
        ...{ version: '2.2.0', eci: '05', cavv: 'the proof', directoryResponse: 'C', scheme: 'visa' },
        ...{ authenticationResponse: 'Y', directoryTransactionId: 'ds', xid: null, cavvAlgorithm: null },
      },
      browser: {
        ...{ userAgent: 'Browser/1', acceptHeader: 'text/html', userDevice: 'desktop', language: 'de' },
        ...{ javascriptEnabled: false, javaEnabled: null, colorDepth: null, screenHeight: null },
        ...{ screenWidth: null, timeZoneOffset: null },
      },
    });

    const goods = { quantity: 2, price: euros('6.00'), productId: 'SOCKS-1', category: 'Socks, Wool' };
    expect(order).toEqual({
      ...{ orderId: true, orderType: 'WEB', authorizationStep: 'PRE_AUTHORIZATION' },
      ...{ timeSentToForter: NOW.getTime(), checkoutTime: 1_795_338_000, totalAmount: euros('12.99') },
      connectionInformation: {
        ...{ customerIP: '203.0.113.7', userAgent: 'Browser/1', forterTokenCookie: 'token of the page' },
      },
      cartItems: [
        { basicItemData: { name: 'Socks', type: 'TANGIBLE', ...goods } },
        { basicItemData: { name: 'Song', type: 'NON_TANGIBLE', ...goods } },
      ],
      primaryDeliveryDetails: { deliveryType: 'HYBRID' },
      primaryRecipient: JANE_THERE,
      accountOwner: {
        ...{ firstName: 'Jane', lastName: 'Doe', email: 'jane@shop.example', accountId: 'customer-7' },
        created: 1_735_689_600,
      },
      payment: [
        {
          ...{ amount: euros('12.99'), billingDetails: JANE_THERE },
          creditCard: {
            ...{ bin: '411111', lastFourDigits: '1111', fingerprint: 'digest-of-the-number' },
            ...{ expirationMonth: '03', expirationYear: '2030', cardBrand: 'VISA' },
            verificationResults: { eciValue: '05', threeDsVersion: '2.2.0', threeDsStatusCode: 'Y' },
          },
        },
      ],
    });
  });

  it('has no made-up facts', async () => {
    expect(await orderOf({})).toEqual({
      ...{ orderId: true, orderType: 'WEB', authorizationStep: 'PRE_AUTHORIZATION' },
      ...{ timeSentToForter: NOW.getTime(), checkoutTime: 1_795_338_000, totalAmount: euros('12.99') },
      ...{ connectionInformation: {}, cartItems: [], primaryDeliveryDetails: {} },
      payment: [{ amount: euros('12.99') }],
    });
  });

  it('has the options of the payment in place of its facts', async () => {
    const mine = { basicItemData: { name: 'Mine', quantity: 1, price: euros('1.00') } };
    const discount = { couponCodeUsed: 'TEN' };
    const order = await orderOf({
      buyer: {
        ...strangerAt('a@shop.example'),
        externalIdentifier: 'customer-7',
        account: null,
      } as CheckRequest['buyer'],
      cart: [item('physical')],
      options: {
        ...{ delivery_type: 'digital', delivery_method: 'by mail', is_guest_buyer: true },
        ...{ cart_items: [mine], total_discount: discount, unknown: 1 },
      },
    });

    expect(order).toMatchObject({
      primaryDeliveryDetails: { deliveryType: 'DIGITAL', deliveryMethod: 'by mail' },
      ...{ cartItems: [mine], totalDiscount: discount, accountOwner: { email: 'a@shop.example' } },
    });
    expect(order.accountOwner).not.toHaveProperty('accountId');
  });

  it('ignores options in another form', async () => {
    const options = { delivery_type: 7, delivery_method: '', is_guest_buyer: 'yes', cart_items: 'all' };

    expect(await orderOf({ options, cart: [item('physical')] })).toMatchObject({
      primaryDeliveryDetails: { deliveryType: 'PHYSICAL' },
      cartItems: [{ basicItemData: { name: 'Socks' } }],
    });
  });

  it.each<[string, Partial<CheckRequest>, object]>([
    [
      'a gift card for a part',
      { giftCardAmount: 300 },
      { payment: [{ amount: euros('9.99') }, gift('3.00')] },
    ],
    ['gift cards alone', { giftCardAmount: 1299, method: 'gift-card' }, { payment: [gift('12.99')] }],
    ['an Apple Pay token', { wallet: 'apple_pay' }, { payment: [{ amount: euros('12.99'), applePay: {} }] }],
    ['Google Pay', { wallet: 'google_pay' }, { payment: [{ amount: euros('12.99'), androidPay: {} }] }],
    [
      'an app',
      { client: 'ios', deviceFingerprint: 'device 1' },
      { orderType: 'IOS', connectionInformation: { forterMobileUID: 'device 1' } },
    ],
    ['a call', { source: 'moto' }, { orderType: 'PHONE' }],
    [
      'a currency without decimals',
      { money: { amount: 1299, currency: 'JPY' } },
      { totalAmount: { amountLocalCurrency: '1299', currency: 'JPY' } },
    ],
    ['a fingerprint that is too long', { deviceFingerprint: 'x'.repeat(129) }, { connectionInformation: {} }],
  ])('knows %s', async (_, given, expected) => {
    expect(await orderOf(given)).toMatchObject(expected);
  });
});

function gift(amount: string) {
  return { amount: euros(amount), giftCard: { value: euros(amount) } };
}

describe('the request', () => {
  it.each(['2.1', '10.2'])('names version %s, the site and its key', async (version) => {
    await check({}, SITE_ID, version);

    expect(double.calls.at(-1)).toMatchObject({
      ...{ method: 'POST', path: `/v2/orders/${BARE_CHECK.key}` },
      headers: {
        ...{ 'api-version': version, 'x-forter-siteid': SITE_ID, 'content-type': 'application/json' },
        authorization: `Basic ${Buffer.from(`${API_KEY}:`).toString('base64')}`,
      },
    });
  });

  it('goes to the address of the site', () => {
    expect(FORTER_HOST('site-1')).toBe('https://site-1.api.forter-secure.com');
  });

  it.each(['evil.example/', 'a.b', '', 'site@evil.example'])(
    'never leaves for the site %s',
    async (siteId) => {
      const sent: string[] = [];
      const recorder: HttpSender = {
        send: ({ url }) => {
          sent.push(url);
          return Promise.reject(new Error('The network was called'));
        },
      };
      const answer = await forter.check(
        {
          ...{
            definition: forterAntiFraud,
            interfaceVersion: '2.1',
            http: recorder,
            deadlineMs: 1_000,
            now: NOW,
          },
          credentials: { site_id: siteId, api_key: API_KEY },
        },
        BARE_CHECK,
      );

      expect(answer).toEqual({ kind: 'unknown', cause: 'server_error' });
      expect(sent).toEqual([]);
    },
  );

  it('is repeated once after an error of the server, and not after a refusal', async () => {
    const key = crypto.randomUUID();
    double.failNextOf('', 'error_before_work');
    expect(await check({ key })).toMatchObject({ kind: 'decided', decision: 'accept' });
    expect(double.sent(key)).toHaveLength(1);

    const before = double.calls.length;
    expect(await check({}, 'another-site')).toEqual({ kind: 'unknown', cause: 'server_error' });
    expect(double.calls).toHaveLength(before + 1);
  });

  it('leaves time for a second try when the first one hangs', async () => {
    const key = crypto.randomUUID();
    double.failNextOf('', 'hang_before_work');

    expect(await check({ key }, SITE_ID, '2.1', 2_000)).toMatchObject({ decision: 'accept' });
  });
});

const asked = { key: BARE_CHECK.key, version: '2.1' };

describe('an answer', () => {
  it.each<[object, string]>([
    [{ status: 'success', action: 'approve' }, 'accept'],
    [{ status: 'success', action: 'decline' }, 'reject'],
    [{ status: 'success', action: 'not reviewed' }, 'skipped'],
    [{ status: 'success', action: 'pending' }, 'review'],
    [{ forterDecision: 'APPROVE' }, 'accept'],
    [{ forterDecision: 'DECLINE' }, 'reject'],
    [{ forterDecision: 'NOT_REVIEWED' }, 'skipped'],
    [{ forterDecision: 'VERIFICATION_REQUIRED' }, 'review'],
    [{ status: 'failed', action: 'approve' }, 'error'],
    [{ status: 'success', action: 'ponder' }, 'error'],
    [{ status: 'success', action: 'constructor' }, 'error'],
    [{ status: 'success' }, 'error'],
    [{ status: 'error', action: 'approve' }, 'error'],
    [{ status: 'error', action: 'not reviewed' }, 'error'],
    [{ status: 'error', action: 'decline' }, 'reject'],
    [{ status: 'SUCCESS', action: 'approve' }, 'accept'],
    [{ status: 'FAILED', action: 'approve' }, 'error'],
    [{ action: null, forterDecision: 'DECLINE' }, 'reject'],
    [{ action: '', forterDecision: 'DECLINE' }, 'reject'],
    [{ status: '', action: 'approve' }, 'error'],
  ])('%j is %s', (given, decision) => {
    expect(decisionIn(given, asked)).toMatchObject({ kind: 'decided', decision });
  });

  it.each<object>([
    { transaction: '' },
    { transaction: 7 },
    { reasonCode: 12 },
    { decisionReason: false },
    { message: {} },
    { recommendation: ['CALL'] },
    { recommendations: [{ name: 'CALL' }] },
    { recommendations: '' },
    { recommendations: { name: 'CALL' } },
  ])('with %j declines all the same', (words) => {
    for (const version of ['2.1', '10.2'])
      expect(
        decisionIn({ status: 'success', action: 'decline', ...words }, { ...asked, version }),
      ).toMatchObject({ kind: 'decided', decision: 'reject', reference: expect.stringMatching(/./) });
  });

  it('keeps a code that is a number as text', () => {
    expect(decisionIn({ action: 'decline', reasonCode: 12 }, asked)).toMatchObject({
      ...{ rawResponseCode: '12', reference: asked.key },
    });
  });

  it.each([null, 'approve', [], { status: 1 }])('%j is unreadable', (given) => {
    expect(decisionIn(given, asked)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });

  it('keeps the id, the code and the words of Forter', () => {
    const given = {
      status: 'success',
      action: 'decline',
      transaction: 'txn-1',
      reasonCode: 'Fraud',
      message: 'No',
    };

    expect(decisionIn(given, asked)).toMatchObject({
      ...{ reference: 'txn-1', rawResponseCode: 'Fraud', rawResponseDescription: 'No' },
    });
  });

  it('recommends in the newer version alone, and nobody acts on the recommendation', async () => {
    const buyer = strangerAt('challenge@forter.com');
    const older = await check({ buyer });
    const newer = await check({ buyer }, SITE_ID, '10.2');

    expect(older).toMatchObject({ decision: 'reject' });
    expect(JSON.stringify(older)).not.toContain('Recommended');
    expect(newer).toMatchObject({
      decision: 'reject',
      rawResponseDescription: expect.stringMatching(/ Recommended: VERIFICATION_REQUIRED_3DS_CHALLENGE\.$/),
    });
  });

  it('in the older version ignores a recommendation', () => {
    const given = { action: 'approve', recommendations: ['ROUTING_RECOMMENDED'] };

    expect(decisionIn(given, asked)).toMatchObject({ rawResponseDescription: null });
    expect(decisionIn(given, { ...asked, version: '10.2' })).toMatchObject({
      rawResponseDescription: 'Recommended: ROUTING_RECOMMENDED.',
    });
  });
});
