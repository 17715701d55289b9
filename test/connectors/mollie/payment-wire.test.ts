import { describe, expect, it } from '@jest/globals';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import { authorization, RETURN_URL } from '../contract-calls.ts';
import { EUR, openStand } from './stand.ts';

const stand = await openStand();
const { connector, contextOf, begin, sent } = stand;

const NOTIFY_URL = 'https://pay.example/webhooks/token';

const ADDRESS = {
  ...{ line1: 'Keizersgracht 126', line2: null, houseNumberOrName: null, city: 'Amsterdam' },
  ...{ postalCode: '1015 CW', state: null, stateCode: null, country: 'NL', organization: null },
};

const PERSON = {
  ...{ taxId: null, reference: null, firstName: 'Piet', lastName: 'Mondriaan', email: 'piet@example.org' },
  ...{ phone: '+31208202070', billingAddress: ADDRESS, shipping: null },
};

const ALONE: AuthorizeRequest['series'] = authorization(EUR).series;

describe('a payment', () => {
  it('has the amount as text, our addresses, and our key as metadata', async () => {
    const { key } = await begin({ notifyUrl: NOTIFY_URL, capture: true }, 'mollie-ideal');

    expect(sent('/v2/payments')).toEqual({
      ...{ amount: { currency: 'EUR', value: '12.99' }, description: 'order-7', method: 'ideal' },
      ...{ redirectUrl: RETURN_URL, webhookUrl: NOTIFY_URL, metadata: { paygraph_operation: key } },
    });
  });

  it.each([
    [true, 'automatic'],
    [false, 'manual'],
  ])('of a card says whether it is captured at once: %s', async (capture, captureMode) => {
    await begin({ capture });

    expect(sent('/v2/payments')).toMatchObject({ method: 'creditcard', captureMode });
  });

  it('has no address for webhooks without a public one', async () => {
    await begin({ notifyUrl: null });

    expect(sent('/v2/payments')).not.toHaveProperty('webhookUrl');
  });

  it('names the buyer and the language of the buyer', async () => {
    const browserInfo = { language: 'nl-BE' } as AuthorizeRequest['browserInfo'];
    const shipping = { firstName: 'A.', lastName: null, address: ADDRESS };
    await begin({ buyer: { ...PERSON, shipping }, browserInfo });

    const street = { streetAndNumber: 'Keizersgracht 126', postalCode: '1015 CW', city: 'Amsterdam' };
    expect(sent('/v2/payments')).toMatchObject({
      locale: 'nl_BE',
      billingAddress: {
        ...{ givenName: 'Piet', familyName: 'Mondriaan', email: 'piet@example.org' },
        ...{ phone: '+31208202070', ...street, country: 'NL' },
      },
      shippingAddress: { givenName: 'A.', ...street, country: 'NL' },
    });
  });

  it.each(['fr-CA', 'uz-UZ', 'nl', 'xx-XX'])(
    'leaves out a language that Mollie lacks: %s',
    async (language) => {
      const { outcome } = await begin({ browserInfo: { language } as AuthorizeRequest['browserInfo'] });

      expect(outcome.kind).toBe('accepted');
      expect(sent('/v2/payments')).not.toHaveProperty('locale');
    },
  );

  it.each(['J', '7', '1234', '12 34'])('leaves out a name that Mollie refuses: %s', async (name) => {
    const { outcome } = await begin({ buyer: { ...PERSON, firstName: name, lastName: 'Ng' } });

    expect(outcome.kind).toBe('accepted');
    expect(sent('/v2/payments')).toMatchObject({ billingAddress: { familyName: 'Ng' } });
    expect(sent('/v2/payments')).not.toHaveProperty('billingAddress.givenName');
  });

  it.each([
    ['a name alone', { ...PERSON, email: null, phone: null, billingAddress: null }],
    ['a street without a city', { ...PERSON, email: null, billingAddress: { ...ADDRESS, city: null } }],
  ])('leaves out an address that Mollie refuses: %s', async (_, buyer) => {
    const { outcome } = await begin({ buyer });

    expect(outcome.kind).toBe('accepted');
    expect(sent('/v2/payments')).not.toHaveProperty('billingAddress');
  });

  it('cuts a long reference, and keeps the characters that people see', async () => {
    const { outcome } = await begin({ merchantReference: '👩‍👩‍👧'.repeat(100) });

    expect(outcome.kind).toBe('accepted');
    expect(sent('/v2/payments')).toMatchObject({ description: '👩‍👩‍👧'.repeat(51) });
  });

  it.each([
    [{ amount: 1299, currency: 'JPY' }, '1299'],
    [{ amount: 129_900, currency: 'HUF' }, '1299.00'],
  ])('has exactly the decimals of the currency: %j', async (money, value) => {
    await begin({ money });

    expect(sent('/v2/payments')).toMatchObject({ amount: { value, currency: money.currency } });
  });
});

describe('a payment that Mollie cannot take', () => {
  it.each<[string, Partial<AuthorizeRequest>, string]>([
    ['nothing', { money: { amount: 0, currency: 'EUR' } }, 'invalid_amount'],
    [
      'a card in clear',
      { card: { number: '4111111111111111', expirationDate: '12/40', securityCode: null } },
      'unsupported_payment_method',
    ],
    ["another provider's token", { token: 'pm_1234' }, 'unknown_payment_method'],
    [
      'no buyer on the page',
      { series: { ...ALONE, merchantInitiated: true } },
      'requires_buyer_authentication',
    ],
  ])('is refused before the call: %s', async (_, changes, errorCode) => {
    const { length } = stand.double.requests;

    const { outcome } = await begin(changes);

    expect(outcome).toMatchObject({ kind: 'failed', errorCode });
    expect(stand.double.requests).toHaveLength(length);
  });

  it('is a card token for another method than cards', async () => {
    const { outcome } = await begin({ token: 'tkn_direct' }, 'mollie-ideal');

    expect(outcome).toMatchObject({ kind: 'failed', errorCode: 'unknown_payment_method' });
  });

  it.each([
    ['test_other', 'production'],
    ['live_other', 'sandbox'],
    ['access_other', 'production'],
    ['access_other', 'sandbox'],
    ['', 'sandbox'],
  ] as const)('is one with the key %s in %s, which leaves nobody', async (apiKey, environment) => {
    const { length } = stand.double.requests;
    const request = authorization(EUR, { card: null, returnUrl: RETURN_URL });
    const context = contextOf('mollie-card', { environment, credentials: { api_key: apiKey } });

    expect(await connector.authorize(context, request)).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', sent: false, refusedAs: 'invalid_service_credentials' },
    });
    expect(stand.double.requests).toHaveLength(length);
  });
});
