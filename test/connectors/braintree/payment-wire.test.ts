import { describe, expect, it } from '@jest/globals';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import { namesIn, orderIdOf } from '../../../src/connectors/braintree/names.ts';
import { paymentToWire } from '../../../src/connectors/braintree/payments/payment-wire.ts';
import { authorization } from '../contract-calls.ts';

const USD = { amount: 1299, currency: 'USD' };

const wired = (changes: Partial<AuthorizeRequest> = {}) => {
  const request = authorization(USD, changes);
  const given = { paymentMethodId: 'tokencc_1', amount: '12.99', merchantAccountId: 'acme_usd' };
  return { key: request.key, body: paymentToWire(request, given) };
};

const SERIES = {
  store: false,
  tokenizes: false,
  source: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  schemeTransactionId: null,
} as const;

const LATER = { ...SERIES, merchantInitiated: true, isSubsequentPayment: true } as const;

const ADDRESS = {
  ...{ line1: '1 Main St', line2: null, houseNumberOrName: null, city: 'Reno', postalCode: '89501' },
  ...{ state: 'NV', stateCode: 'US-NV', country: 'US', organization: null },
};

describe('a payment', () => {
  it('of a buyer alone has the money, the merchant account and our key', () => {
    const { key, body } = wired();
    expect(body).toEqual({
      paymentMethodId: 'tokencc_1',
      transaction: { amount: '12.99', merchantAccountId: 'acme_usd', orderId: key },
    });
  });

  it('has the details of its buyer', () => {
    const buyer = {
      ...{ reference: null, firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', phone: null },
      ...{ billingAddress: ADDRESS, taxId: null },
      shipping: { firstName: 'Bob', lastName: null, address: ADDRESS },
    };
    expect(wired({ buyer, ipAddress: '192.0.2.1' }).body).toMatchObject({
      transaction: {
        customerDetails: { email: 'ann@example.com' },
        riskData: { customerIp: '192.0.2.1' },
        shipping: { shippingAddress: { firstName: 'Bob', addressLine1: '1 Main St', adminArea1: 'NV' } },
      },
      options: {
        billingAddress: {
          ...{ firstName: 'Ann', lastName: 'Lee', addressLine1: '1 Main St', adminArea2: 'Reno' },
          ...{ adminArea1: 'NV', postalCode: '89501', countryCode: 'US' },
        },
      },
    });
  });

  it.each([
    ['by mail', { ...SERIES, source: 'moto' }, 'MOTO'],
    ['first of a subscription', { ...SERIES, source: 'recurring' }, 'RECURRING_FIRST'],
    ['of a subscription', { ...LATER, source: 'recurring' }, 'RECURRING'],
    ['first of instalments', { ...SERIES, source: 'installment' }, 'INSTALLMENT_FIRST'],
    ['of instalments', { ...LATER, source: 'installment' }, 'INSTALLMENT'],
    ['without the buyer', { ...LATER, source: 'card_on_file' }, 'UNSCHEDULED'],
    [
      'of a buyer who comes again',
      { ...SERIES, source: 'card_on_file', isSubsequentPayment: true },
      undefined,
    ],
  ] as const)('says who initiated it: %s', (_, series, paymentInitiator) => {
    const { transaction } = wired({ series, token: 'stored' }).body as { transaction: object };
    expect('paymentInitiator' in transaction ? transaction.paymentInitiator : undefined).toBe(
      paymentInitiator,
    );
  });

  it.each([
    ['that we store', { ...SERIES, store: true }, { status: 'WILL_VAULT' }],
    ['that Braintree stores', { ...SERIES, store: true, tokenizes: true }, undefined],
    [
      'that we stored',
      { ...LATER, schemeTransactionId: '0200' },
      { status: 'VAULTED', verifyingNetworkTransactionId: '0200' },
    ],
    [
      'that we stored, with the buyer',
      { ...SERIES, isSubsequentPayment: true, schemeTransactionId: '0200' },
      { status: 'VAULTED' },
    ],
  ] as const)('tells a card %s', (_, series, externalVault) => {
    const { options } = wired({ series }).body as { options?: { externalVault?: object } };
    expect(options?.externalVault).toEqual(externalVault);
  });

  it('has the result of an authentication', () => {
    const threeDSecure = {
      ...{ version: '2.2.0', eci: '5', cavv: 'AAAB', directoryResponse: 'Y', authenticationResponse: null },
      ...{ directoryTransactionId: 'ds-1', xid: null, cavvAlgorithm: null, scheme: 'visa' },
    };
    expect(wired({ threeDSecure }).body).toMatchObject({
      options: {
        threeDSecureAuthentication: {
          passThrough: {
            ...{ eciFlag: '05', cavv: 'AAAB', version: '2.2.0' },
            ...{ directoryServerResponse: 'Y', directoryServerTransactionId: 'ds-1' },
          },
        },
      },
    });
    expect(wired({ threeDSecure: { ...threeDSecure, eci: null } }).body).not.toHaveProperty('options');
  });
});

describe('an order id', () => {
  const KEY = '01b8dac4-c9a0-7000-8000-00c76ff085df';
  const OTHER = '01b8dac4-c9a0-7000-8000-00c76ff085de';

  it.each([
    [false, false, KEY],
    [true, false, `${KEY}.s`],
    [false, true, `${KEY}.v`],
    [true, true, `${KEY}.sv`],
  ])('names the key, a sale (%s) and a stored card (%s)', (isSale, vaults, text) => {
    expect(orderIdOf({ key: KEY, isSale, vaults })).toBe(text);
    expect(namesIn(text)).toEqual({ key: KEY, isSale, vaults, captureKey: null });
    expect(namesIn(`${text}.${OTHER}`)).toEqual({ key: KEY, isSale, vaults, captureKey: OTHER });
  });

  it.each([null, '', 'order-7', `${KEY}.x`, `${KEY}.s.x`, 'a.b.c', KEY.slice(1)])(
    'of somebody else names nothing: %s',
    (text) => {
      expect(namesIn(text)).toEqual({ key: null, isSale: false, vaults: false, captureKey: null });
    },
  );

  it('of somebody else may have our capture', () => {
    expect(namesIn(`order-7.${OTHER}`)).toMatchObject({ key: null, captureKey: OTHER });
    expect(namesIn(`.${OTHER}`)).toMatchObject({ key: null, captureKey: OTHER });
  });
});
