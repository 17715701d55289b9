import { describe, expect, it } from '@jest/globals';
import { fitBuyer } from '../../../src/connectors/buyer/fit-buyer.ts';
import { paypalBuyer } from '../../../src/connectors/paypal/buyer.ts';
import { orderToWire } from '../../../src/connectors/paypal/payments/order-wire.ts';
import type { AuthorizeRequest, BrowserInfo, Series } from '../../../src/connectors/interface/requests.ts';
import { authorization, RETURN_URL } from '../contract-calls.ts';
import type { Json } from './json.ts';
import { checkBody } from './schemas.ts';

const USD = { amount: 1099, currency: 'USD' };

/** Returns an order that PayPal's description takes. */
function sentOf(changes: Partial<AuthorizeRequest> = {}) {
  const given = authorization(USD, { card: null, returnUrl: RETURN_URL, ...changes });
  const request = { ...given, key: KEY, buyer: fitBuyer(given.buyer, paypalBuyer) };
  const order = orderToWire(request, { currency_code: 'USD', value: '10.99' });
  // As JSON, so that an undefined field would be no field.
  checkBody('POST /v2/checkout/orders', JSON.parse(JSON.stringify(order)) as Json);
  return order;
}

const KEY = '01993c1e-7d4a-7c55-9d3e-2f1b6a0c4d5e';

const UNIT = {
  ...{ reference_id: 'order-7', custom_id: KEY, invoice_id: KEY },
  amount: { currency_code: 'USD', value: '10.99' },
};

const EXPERIENCE = {
  ...{ return_url: RETURN_URL, cancel_url: `${RETURN_URL}?cancelled=true` },
  ...{ user_action: 'PAY_NOW', shipping_preference: 'NO_SHIPPING' },
};

const ALONE: Series = {
  ...{ store: false, tokenizes: false, source: 'ecommerce', merchantInitiated: false },
  ...{ isSubsequentPayment: false, schemeTransactionId: null },
};

const ADDRESS = {
  ...{ line1: 'High Street', line2: 'Floor 2', houseNumberOrName: '5', city: 'Austin' },
  ...{ postalCode: '78701', state: 'Texas', stateCode: 'US-TX', country: 'US', organization: null },
};

const buyerWith = (changes: Partial<AuthorizeRequest['buyer']>): AuthorizeRequest['buyer'] => ({
  ...{ reference: null, firstName: null, lastName: null, email: null, phone: null },
  ...{ billingAddress: null, taxId: null, shipping: null, ...changes },
});

describe('an order', () => {
  it('by redirect names the way back, and our key', () => {
    expect(sentOf()).toEqual({
      intent: 'AUTHORIZE',
      purchase_units: [UNIT],
      payment_source: { paypal: { experience_context: EXPERIENCE } },
    });
    expect(sentOf({ capture: true })).toMatchObject({ intent: 'CAPTURE' });
  });

  it('for the buyer’s client leaves the choice to the client', () => {
    expect(sentOf({ integrationClient: 'web' })).toEqual({ intent: 'AUTHORIZE', purchase_units: [UNIT] });
  });

  it('that stores the method asks for it, also in the buyer’s client', () => {
    const series: Series = { ...ALONE, store: true, tokenizes: true, source: 'recurring' };
    for (const integrationClient of ['web', null] as const)
      expect(sentOf({ series, integrationClient }).payment_source).toEqual({
        paypal: {
          experience_context: EXPERIENCE,
          attributes: {
            vault: {
              ...{ store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' },
              usage_pattern: 'RECURRING_PREPAID',
            },
          },
        },
      });
  });

  it.each([
    [
      { merchantInitiated: true, source: 'recurring' },
      { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT', usage_pattern: 'RECURRING_PREPAID' },
      undefined,
    ],
    [
      { merchantInitiated: true, source: 'card_on_file' },
      { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' },
      undefined,
    ],
    [{ source: 'card_on_file' }, { payment_initiator: 'CUSTOMER', usage: 'SUBSEQUENT' }, EXPERIENCE],
  ] as const)(
    'with a stored method says who started it: %j',
    (changes, stored_credential, experience_context) => {
      expect(sentOf({ token: 'vault-1', series: { ...ALONE, ...changes } }).payment_source).toEqual({
        paypal: { vault_id: 'vault-1', stored_credential, ...(experience_context && { experience_context }) },
      });
    },
  );

  it('has the receiver of the goods, and the text for the statement', () => {
    const buyer = buyerWith({
      email: 'ada@example.com',
      shipping: { firstName: 'Ada', lastName: 'Lovelace', address: ADDRESS },
    });
    const statementDescriptor = {
      ...{ name: 'Café Zoë & Söhne, a long name', description: null, city: null, country: null },
      ...{ phoneNumber: null, url: null, postalCode: null },
    };
    const browserInfo: BrowserInfo = {
      ...{ acceptHeader: null, userAgent: 'Firefox', userDevice: 'desktop', language: 'de-DE' },
      ...{ javascriptEnabled: true, javaEnabled: null, colorDepth: null, screenHeight: null },
      ...{ screenWidth: null, timeZoneOffset: null },
    };
    expect(sentOf({ buyer, statementDescriptor, browserInfo })).toEqual({
      intent: 'AUTHORIZE',
      purchase_units: [
        {
          ...UNIT,
          soft_descriptor: 'Cafe Zoe Sohne a long',
          shipping: {
            name: { full_name: 'Ada Lovelace' },
            address: {
              ...{ address_line_1: '5 High Street', address_line_2: 'Floor 2', admin_area_2: 'Austin' },
              ...{ admin_area_1: 'TX', postal_code: '78701', country_code: 'US' },
            },
          },
        },
      ],
      payment_source: {
        paypal: {
          email_address: 'ada@example.com',
          experience_context: {
            ...{ ...EXPERIENCE, shipping_preference: 'SET_PROVIDED_ADDRESS', locale: 'de-DE' },
          },
        },
      },
    });
  });

  it('leaves out what PayPal would refuse, because no payment should fail for it', () => {
    const buyer = buyerWith({
      email: 'not an address',
      shipping: { firstName: null, lastName: null, address: { ...ADDRESS, city: null } },
    });
    expect(sentOf({ buyer, merchantReference: 'x'.repeat(300) })).toEqual({
      intent: 'AUTHORIZE',
      purchase_units: [{ ...UNIT, reference_id: 'x'.repeat(256) }],
      payment_source: { paypal: { experience_context: EXPERIENCE } },
    });
  });
});
