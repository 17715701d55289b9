import { describe, expect, it } from '@jest/globals';
import { openDouble, payment } from '../adyen/double-client.ts';
import { issueOf, openBench as openPayPal, ORDER } from '../paypal/double-client.ts';
import { CARD_PAYMENT, openBench as openStripe, type Given } from '../stripe/double-client.ts';

/** Returns as many entries of metadata. */
const entries = (count: number): Given =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name_${index}`, 'value']));

const CARD: Given = { type: 'card', card: { token: 'tok_visa' } };

describe('the double of Stripe refuses', () => {
  it.each([
    ['an address without a sign', { email: 'no-at-sign' }, 'billing_details[email]'],
    ['an international address', { email: 'zoë@bücher.example' }, 'billing_details[email]'],
    ['a long phone number', { phone: '+'.padEnd(21, '1') }, 'billing_details[phone]'],
    ['a long name', { name: 'x'.repeat(257) }, 'billing_details[name]'],
  ])('%s', async (_, billing_details, param) => {
    const bench = openStripe();
    const error = await bench.error('POST /v1/payment_methods', { ...CARD, billing_details });
    expect(error).toMatchObject({ type: 'invalid_request_error', param });
  });

  it.each([
    ['51 names', entries(51), 'metadata'],
    ['a long name', { ['x'.repeat(41)]: 'value' }, `metadata[${'x'.repeat(41)}]`],
    ['a long value', { name: 'x'.repeat(501) }, 'metadata[name]'],
  ])('metadata with %s', async (_, metadata, param) => {
    const error = await openStripe().error('POST /v1/payment_intents', { ...CARD_PAYMENT, metadata });
    expect(error).toMatchObject({ type: 'invalid_request_error', param });
  });

  it('metadata that has 51 names together with those of the payment', async () => {
    const bench = openStripe();
    const { id } = await bench.pay({ ...CARD_PAYMENT, metadata: entries(50) });
    const call = `POST /v1/payment_intents/${id}`;
    expect((await bench.call(call, { metadata: { name_1: 'other' } })).status).toBe(200);
    expect(await bench.error(call, { metadata: { further: 'value' } })).toMatchObject({ param: 'metadata' });
  });
});

const HONG_KONG = {
  ...{ street: 'Nathan Road', houseNumberOrName: '8', city: 'Kowloon', postalCode: 'N/A', country: 'HK' },
};
const VEGAS = { ...HONG_KONG, country: 'US', postalCode: '89101', stateOrProvince: 'NV' };

describe('the double of Adyen', () => {
  const answerTo = (changes: object) => openDouble().post('/payments', payment('order-1', changes));

  it.each([
    ['no postal code', { ...HONG_KONG, postalCode: undefined }, '14_002'],
    ['nine digits of a ZIP code', { ...VEGAS, postalCode: '89101-1234' }, '131'],
    ['a long postal code', { ...HONG_KONG, postalCode: 'X'.repeat(11) }, '131'],
    ['no state', { ...VEGAS, stateOrProvince: undefined }, '134'],
    ['the name of a state', { ...VEGAS, stateOrProvince: 'Nevada' }, '134'],
    ['the name of a country', { ...HONG_KONG, country: 'Hong Kong' }, '135'],
  ])('refuses an address with %s', (_, address, errorCode) => {
    for (const field of ['billingAddress', 'deliveryAddress'])
      expect(answerTo({ [field]: address })).toMatchObject({ status: 422, body: { errorCode } });
  });

  it.each([
    ['shopperEmail', 'no-at-sign'],
    ['shopperStatement', 'Café'],
  ])('refuses %s %s', (field, value) =>
    expect(answerTo({ [field]: value })).toMatchObject({ status: 422, body: { errorCode: '702' } }),
  );

  it('takes a whole address', () => {
    for (const billingAddress of [HONG_KONG, VEGAS]) expect(answerTo({ billingAddress }).status).toBe(200);
  });
});

describe('the double of PayPal', () => {
  const shippingTo = (address: object) => ({
    shipping: { address: { address_line_1: '12 Main St', admin_area_2: 'Las Vegas', ...address } },
  });
  const answerTo = async (unit: object) => {
    const bench = openPayPal();
    await bench.login();
    const purchase_units = [{ ...ORDER.purchase_units[0], ...unit }];
    return bench.call('POST /v2/checkout/orders', { ...ORDER, purchase_units });
  };

  it.each([
    ['no ZIP code', shippingTo({ country_code: 'US' }), [422, 'POSTAL_CODE_REQUIRED']],
    ['no city', shippingTo({ country_code: 'HK', admin_area_2: undefined }), [422, 'CITY_REQUIRED']],
    [
      'a text for the statement in other letters',
      { soft_descriptor: 'Café' },
      [400, 'INVALID_PARAMETER_SYNTAX'],
    ],
    ['a long text for the statement', { soft_descriptor: 'x'.repeat(23) }, [400, 'INVALID_STRING_LENGTH']],
  ])('refuses an order with %s', async (_, unit, issue) => {
    expect(issueOf(await answerTo(unit))).toEqual(issue);
  });

  it('takes an address without a postal code where a country has none', async () => {
    expect((await answerTo(shippingTo({ country_code: 'HK' }))).status).toBe(200);
  });
});
