import { describe, expect, it } from '@jest/globals';
import { orderWith } from '../kit/orders.ts';
import { requestFaults } from './description.ts';
import { ALONE, CARD, KEY, MERCHANT_ACCOUNT, NOBODY, paymentOf, RETURN_URL } from './samples.ts';
import { adyenBuyer } from '../../../src/connectors/adyen/buyer.ts';
import { fitBuyer } from '../../../src/connectors/buyer/fit-buyer.ts';
import { IMPOSSIBLE } from '../../../src/connectors/adyen/impossible.ts';
import { paymentToWire } from '../../../src/connectors/adyen/payments/payment-wire.ts';
import type { AuthorizeRequest, BankDebit, BrowserInfo } from '../../../src/connectors/interface/requests.ts';

const CALL = { method: 'POST', path: '/payments' };

const wireOf = (
  changes: Partial<AuthorizeRequest>,
  id = 'adyen-card',
  method = 'card',
  preAuthorizes = false,
) => {
  const payment = paymentOf(changes);
  return paymentToWire(
    { ...payment, buyer: fitBuyer(payment.buyer, adyenBuyer) },
    { ...{ merchantAccount: MERCHANT_ACCOUNT, preAuthorizes, definition: { id, method } } },
  );
};

/** Returns a request that is as Adyen describes requests. */
function sentOf(changes: Partial<AuthorizeRequest>, id?: string, method?: string) {
  const wire = wireOf(changes, id, method);
  if (!wire.ok) throw new Error(wire.refusals[0].sentence);
  expect(requestFaults(CALL, wire.value)).toEqual([]);
  return wire.value;
}

const NETWORK_TOKEN = {
  number: '4111111111111111',
  expirationDate: '11/31',
  cryptogram: 'AAECAwQFBgcICQoLDA0ODw==',
  eci: '7',
};

const SEPA: BankDebit = {
  ...{ scheme: 'sepa', accountNumber: 'DE89370400440532013000', routingNumber: null, accountType: null },
  accountHolder: { firstName: 'Ada', lastName: 'Lovelace', companyName: null },
  mandate: null,
  requestedOn: '2026-11-24',
};

const BROWSER: BrowserInfo = {
  ...{ acceptHeader: 'text/html', userAgent: 'Mozilla/5.0', userDevice: 'desktop', language: 'nl-NL' },
  ...{ javascriptEnabled: true, javaEnabled: true, colorDepth: 30, screenHeight: 900, screenWidth: 1440 },
  timeZoneOffset: -60,
};

const THREE_D_SECURE = {
  ...{ version: '2.2.0', eci: '5', cavv: 'AAABAWFlmQAAAABjRWWZEEFgFz8=', directoryResponse: 'C' },
  ...{ authenticationResponse: 'Y', directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d' },
  ...{ xid: null, cavvAlgorithm: null, scheme: 'visa' },
};

describe('a payment', () => {
  it('is a pre-authorisation only where authorisations may be raised, and nothing is captured at once', () => {
    const dataOf = (changes: Partial<AuthorizeRequest>) => {
      const wire = wireOf({ card: CARD, ...changes }, 'adyen-card', 'card', true);
      if (!wire.ok) throw new Error(wire.refusals[0].sentence);
      expect(requestFaults(CALL, wire.value)).toEqual([]);
      return wire.value.additionalData;
    };
    expect(dataOf({})).toEqual({ manualCapture: 'true', authorisationType: 'PreAuth' });
    expect(dataOf({ capture: true })).toBeUndefined();
    expect(sentOf({ card: CARD }).additionalData).toEqual({ manualCapture: 'true' });
  });

  it('with a card in clear asks for a manual capture, and for the page of Adyen', () => {
    expect(sentOf({ card: CARD })).toEqual({
      merchantAccount: MERCHANT_ACCOUNT,
      amount: { value: 1299, currency: 'EUR' },
      reference: KEY,
      merchantOrderReference: 'order-7',
      paymentMethod: {
        type: 'scheme',
        number: CARD.number,
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
      },
      returnUrl: RETURN_URL,
      additionalData: { manualCapture: 'true' },
      shopperInteraction: 'Ecommerce',
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
      origin: 'https://paygraph.example',
    });
  });

  it('differs from its repeat in the security code alone', () => {
    const repeat = sentOf({ card: { ...CARD, securityCode: null } });
    const { cvc, ...paymentMethod } = sentOf({ card: CARD }).paymentMethod as Record<string, unknown>;
    expect(cvc).toBe('737');
    expect(repeat).toEqual({ ...sentOf({ card: CARD }), paymentMethod });
  });

  it('that captures at once waits for nothing', () => {
    const sent = sentOf({ card: CARD, capture: true });
    expect(sent.captureDelayHours).toBe(0);
    expect(sent).not.toHaveProperty('additionalData');
  });

  it('of nothing has nothing to capture', () => {
    const sent = sentOf({
      card: CARD,
      money: { amount: 0, currency: 'EUR' },
      series: { ...ALONE, store: true, tokenizes: true },
    });
    expect(sent).toMatchObject({ amount: { value: 0 }, storePaymentMethod: true, shopperReference: KEY });
    expect(sent).not.toHaveProperty('captureDelayHours');
    expect(sent).not.toHaveProperty('additionalData');
  });

  it('has the amount in the decimals of Adyen', () => {
    expect(sentOf({ card: CARD, money: { amount: 500, currency: 'ISK' } }).amount).toEqual({
      value: 50_000,
      currency: 'ISK',
    });
  });

  it.each([
    ['IDR', 1299],
    ['ZZZ', 100],
  ])('in %s that Adyen cannot express is refused', (currency, amount) => {
    expect(wireOf({ card: CARD, money: { amount, currency } })).toEqual({
      ok: false,
      refusals: [IMPOSSIBLE.amount],
    });
  });
});

describe('the means of a payment', () => {
  it('are a network token with its cryptogram', () => {
    expect(sentOf({ networkToken: NETWORK_TOKEN })).toMatchObject({
      paymentMethod: {
        type: 'networkToken',
        number: NETWORK_TOKEN.number,
        expiryMonth: '11',
        expiryYear: '2031',
      },
      mpiData: { tokenAuthenticationVerificationValue: NETWORK_TOKEN.cryptogram, eci: '07' },
    });
  });

  it('are a network token of a later payment, without a cryptogram', () => {
    const series = {
      ...ALONE,
      source: 'recurring',
      merchantInitiated: true,
      isSubsequentPayment: true,
      schemeTransactionId: 'NTI1',
    } as const;
    const sent = sentOf({ networkToken: { ...NETWORK_TOKEN, cryptogram: null }, series });
    expect(sent).toMatchObject({
      paymentMethod: { type: 'networkToken', networkPaymentReference: 'NTI1' },
      ...{ shopperInteraction: 'ContAuth', recurringProcessingModel: 'Subscription' },
    });
    expect(sent).not.toHaveProperty('mpiData');
  });

  it('are an Apple Pay token in base64', () => {
    const token = '{"version":"EC_v1","data":"x"}';
    expect(sentOf({ wallet: { wallet: 'apple_pay', token } }).paymentMethod).toEqual({
      ...{ type: 'applepay', applePayToken: Buffer.from(token).toString('base64') },
    });
  });

  it('are a Google Pay token as it is', () => {
    const token = '{"signature":"x"}';
    expect(sentOf({ wallet: { wallet: 'google_pay', token } }).paymentMethod).toEqual({
      ...{ type: 'googlepay', googlePayToken: token },
    });
  });

  it('are a stored method with its shopper', () => {
    const sent = sentOf({ token: 'team/7/M5N7TQ4TG5PFWR50' });
    expect(sent).toMatchObject({
      paymentMethod: { type: 'scheme', storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' },
      ...{ shopperReference: 'team/7', shopperInteraction: 'ContAuth' },
      recurringProcessingModel: 'CardOnFile',
    });
  });

  it.each([
    {
      type: 'scheme',
      encryptedCardNumber: 'a',
      encryptedExpiryMonth: 'b',
      encryptedExpiryYear: 'c',
      encryptedSecurityCode: 'd',
      holderName: 'Ada',
      brand: 'visa',
    },
    { type: 'applepay', applePayToken: 'a' },
    { type: 'googlepay', googlePayToken: 'a', googlePayCardNetwork: 'VISA' },
  ])('are the object of Adyen in the client: %j', (given) => {
    expect(sentOf({ token: JSON.stringify(given) }).paymentMethod).toEqual(given);
  });

  it.each([
    [
      'a card in clear',
      {
        token: JSON.stringify({ type: 'scheme', number: CARD.number, expiryMonth: '03', expiryYear: '2030' }),
      },
    ],
    [
      'a stored method in an object',
      { token: JSON.stringify({ type: 'scheme', storedPaymentMethodId: 'M5' }) },
    ],
    ['another method', { token: JSON.stringify({ type: 'klarna' }) }],
    ['broken JSON', { token: '{"type":' }],
    ['a token without a shopper', { token: 'M5N7TQ4TG5PFWR50' }],
    ['a token with a path at its end', { token: 'shopper/../payments?x' }],
    ['a wallet that is too large', { wallet: { wallet: 'apple_pay', token: 'x'.repeat(9_000) } }],
  ] as const)('are refused before the call: %s', (_name, changes) => {
    expect(wireOf(changes)).toMatchObject({ refusals: [{ errorCode: 'invalid_payment_method' }] });
  });

  it('are a SEPA account', () => {
    expect(sentOf({ bank: SEPA, capture: true, returnUrl: null }, 'adyen-sepa', 'bank')).toEqual({
      merchantAccount: MERCHANT_ACCOUNT,
      amount: { value: 1299, currency: 'EUR' },
      reference: KEY,
      merchantOrderReference: 'order-7',
      paymentMethod: { type: 'sepadirectdebit', iban: SEPA.accountNumber, ownerName: 'Ada Lovelace' },
      returnUrl: 'https://paygraph.invalid/',
      captureDelayHours: 0,
      shopperInteraction: 'Ecommerce',
    });
  });

  it('are no account of another scheme', () => {
    expect(wireOf({ bank: { ...SEPA, scheme: 'ach' } }, 'adyen-sepa', 'bank')).toEqual({
      ok: false,
      refusals: [IMPOSSIBLE.scheme],
    });
  });

  it.each(['ideal', 'paybybank', 'trustly'])('are the buyer’s choice at the page of %s', (method) => {
    const sent = sentOf({ capture: true }, `adyen-${method}`, method);
    expect(sent).toMatchObject({
      paymentMethod: { type: method },
      returnUrl: RETURN_URL,
      captureDelayHours: 0,
    });
    expect(sent).not.toHaveProperty('authenticationData');
  });

  it('are missing for a card definition', () => {
    expect(wireOf({})).toEqual({ ok: false, refusals: [IMPOSSIBLE.means] });
  });
});

describe('the order of a payment', () => {
  const money = { amount: 1000, currency: 'USD' };
  const level3 = { additionalData: { 'enhancedSchemeData.itemDetailLine1.totalAmount': '1000' } };

  it.each<[string, Partial<AuthorizeRequest>, string, string, object]>([
    ['the data of a card', { card: CARD }, 'adyen-card', 'card', level3],
    ['left out at the page of a bank', {}, 'adyen-trustly', 'trustly', {}],
    ['left out of a debit', { bank: SEPA }, 'adyen-sepa', 'bank', {}],
  ])('is %s', (_, means, id, method, expected) => {
    const sent = sentOf({ ...means, money, country: 'US', order: orderWith(), capture: true }, id, method);
    const { lineItems, additionalData } = sent;
    expect(sent).toMatchObject(expected);
    expect(
      Object.keys({ ...(lineItems && { lineItems }), ...(additionalData && { additionalData }) }),
    ).toEqual(Object.keys(expected));
  });
});

describe('the network that the buyer chose', () => {
  it.each([
    ['carte_bancaire', 'cartebancaire'],
    ['mastercard', 'mc'],
    ['bancontact', 'bcmc'],
    ['uatp', undefined],
    [null, undefined],
  ])('%s is the brand %s of a card and of a stored card', (cardNetwork, brand) => {
    for (const means of [{ card: CARD }, { token: 'stored/M5' }]) {
      const { paymentMethod } = sentOf({ ...means, cardNetwork });
      expect('brand' in paymentMethod ? paymentMethod.brand : undefined).toBe(brand);
    }
  });
});

describe('the series of a payment', () => {
  it.each([
    [{}, 'Ecommerce', undefined, undefined],
    [{ store: true, tokenizes: true }, 'Ecommerce', 'CardOnFile', true],
    [{ store: true, tokenizes: true, source: 'recurring' }, 'Ecommerce', 'Subscription', true],
    [{ store: true }, 'Ecommerce', 'CardOnFile', undefined],
    [{ source: 'moto' }, 'Moto', undefined, undefined],
    [
      { source: 'recurring', merchantInitiated: true, isSubsequentPayment: true },
      'ContAuth',
      'Subscription',
      undefined,
    ],
    [
      { source: 'installment', merchantInitiated: true, isSubsequentPayment: true },
      'ContAuth',
      'Subscription',
      undefined,
    ],
    [
      { source: 'card_on_file', merchantInitiated: true, isSubsequentPayment: true },
      'ContAuth',
      'UnscheduledCardOnFile',
      undefined,
    ],
    [{ source: 'card_on_file', isSubsequentPayment: true }, 'ContAuth', 'CardOnFile', undefined],
  ] as const)('%j is %s, %s', (series, shopperInteraction, recurringProcessingModel, storePaymentMethod) => {
    const sent = sentOf({ card: CARD, series: { ...ALONE, ...series } });
    expect([sent.shopperInteraction, sent.recurringProcessingModel, sent.storePaymentMethod]).toEqual([
      shopperInteraction,
      recurringProcessingModel,
      storePaymentMethod,
    ]);
  });

  it('stores under the buyer, or under the payment for a buyer without a usable name', () => {
    const series = { ...ALONE, store: true, tokenizes: true };
    const under = (reference: string | null) =>
      sentOf({ card: CARD, series, buyer: { ...NOBODY, reference } }).shopperReference;
    expect([under('buyer-1'), under('ab'), under(null)]).toEqual(['buyer-1', KEY, KEY]);
  });

  it('names no shopper for a payment that stores nothing', () => {
    expect(sentOf({ card: CARD, buyer: { ...NOBODY, reference: 'buyer-1' } })).not.toHaveProperty(
      'shopperReference',
    );
  });
});

const MERCHANT = {
  ...{ merchantAcquirerBin: '516327', merchantAcquirerId: 'acquirer-1', merchantName: 'Shop' },
  ...{ merchantCountryCode: '840', merchantCategoryCode: '5732', merchantUrl: 'https://shop.example' },
};

describe('the authentication of a payment', () => {
  it('from outside goes along, and Adyen makes no other', () => {
    const sent = sentOf({ card: CARD, threeDSecure: THREE_D_SECURE });
    expect(sent.authenticationData).toEqual({ attemptAuthentication: 'never' });
    expect(sent.mpiData).toEqual({
      ...{ threeDSVersion: '2.2.0', eci: '05', cavv: THREE_D_SECURE.cavv, directoryResponse: 'C' },
      ...{ authenticationResponse: 'Y', dsTransID: THREE_D_SECURE.directoryTransactionId },
    });
  });

  it('without a challenge has no answer of a challenge', () => {
    const sent = sentOf({
      card: CARD,
      threeDSecure: { ...THREE_D_SECURE, directoryResponse: 'Y', authenticationResponse: null },
    });
    expect(sent.mpiData).not.toHaveProperty('authenticationResponse');
  });

  it('has no word that Adyen does not know', () => {
    const sent = sentOf({
      card: CARD,
      threeDSecure: { ...THREE_D_SECURE, directoryResponse: 'X', authenticationResponse: 'C' },
    });
    expect(Object.keys(sent.mpiData ?? {})).not.toEqual(expect.arrayContaining(['directoryResponse']));
    expect(sent.mpiData).not.toHaveProperty('authenticationResponse');
  });

  it.each([
    ['a payment of the merchant', { series: { ...ALONE, source: 'recurring', merchantInitiated: true } }],
    ['a payment by telephone', { series: { ...ALONE, source: 'moto' } }],
    ['a buyer who cannot come back', { returnUrl: null }],
  ] as const)('is not made for %s', (_name, changes) => {
    expect(sentOf({ card: CARD, ...changes }).authenticationData).toEqual({ attemptAuthentication: 'never' });
  });

  it.each([
    ['always', { attemptAuthentication: 'always', threeDSRequestData: { nativeThreeDS: 'disabled' } }],
    ['never', { attemptAuthentication: 'never' }],
    ['automatic', { threeDSRequestData: { nativeThreeDS: 'disabled' } }],
  ] as const)('follows the wish %s', (authentication, expected) => {
    expect(sentOf({ card: CARD, authentication }).authenticationData).toEqual(expected);
  });

  it.each([
    ['an authentication from outside', { threeDSecure: THREE_D_SECURE }],
    ['an absent buyer', { series: { ...ALONE, source: 'moto' } }],
  ] as const)('is not asked for beside %s', (_name, changes) => {
    expect(sentOf({ card: CARD, authentication: 'always', ...changes }).authenticationData).toEqual({
      attemptAuthentication: 'never',
    });
  });

  it('names the merchant as the scheme knows the merchant', () => {
    expect(sentOf({ card: CARD, merchantProfile: MERCHANT }).threeDS2RequestData).toEqual({
      ...{ acquirerBIN: '516327', acquirerMerchantID: 'acquirer-1', mcc: '5732', merchantName: 'Shop' },
      threeDSRequestorURL: 'https://shop.example',
    });
    expect(sentOf({ card: CARD, merchantProfile: MERCHANT, authentication: 'never' })).not.toHaveProperty(
      'threeDS2RequestData',
    );
  });

  it('has the whole browser', () => {
    expect(sentOf({ card: CARD, browserInfo: BROWSER })).toMatchObject({
      channel: 'Web',
      shopperLocale: 'nl-NL',
      browserInfo: {
        ...{ acceptHeader: 'text/html', userAgent: 'Mozilla/5.0', language: 'nl-NL' },
        javaScriptEnabled: true,
        ...{ javaEnabled: true, colorDepth: 30, screenHeight: 900, screenWidth: 1440, timeZoneOffset: -60 },
      },
    });
  });

  it('has neutral values for what the browser did not tell', () => {
    const unknown = {
      acceptHeader: null,
      javaEnabled: null,
      colorDepth: null,
      screenHeight: null,
      screenWidth: null,
      timeZoneOffset: null,
    };
    expect(
      sentOf({ card: CARD, browserInfo: { ...BROWSER, ...unknown, language: 'nl' } }),
    ).not.toHaveProperty('shopperLocale');
  });
});

describe('the details of a payment', () => {
  const address = {
    ...{ line1: 'Redwood Block', line2: 'Floor 2', houseNumberOrName: '37C', city: 'New York' },
    postalCode: '10039',
    ...{ state: 'New York', stateCode: 'US-NY', country: 'US', organization: null },
  };
  const billingOf = (
    changes: Partial<typeof address> | { [Field in keyof typeof address]?: string | null },
  ) =>
    sentOf({ card: CARD, buyer: { ...NOBODY, billingAddress: { ...address, ...changes } } }).billingAddress;

  it('have the buyer', () => {
    const buyer = {
      ...{ reference: 'b', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      phone: '+31612345678',
      ...{ billingAddress: address, taxId: null },
      shipping: { firstName: 'Eve', lastName: null, address: { ...address, houseNumberOrName: null } },
    };
    expect(sentOf({ card: CARD, buyer, ipAddress: '203.0.113.7', installmentCount: 3 })).toMatchObject({
      paymentMethod: { holderName: 'Ada Lovelace' },
      shopperName: { firstName: 'Ada', lastName: 'Lovelace' },
      ...{ shopperEmail: 'ada@example.com', telephoneNumber: '+31612345678', countryCode: 'US' },
      shopperIP: '203.0.113.7',
      billingAddress: { street: 'Redwood Block, Floor 2', houseNumberOrName: '37C', stateOrProvince: 'NY' },
      deliveryAddress: { firstName: 'Eve', houseNumberOrName: 'N/A', country: 'US' },
      installments: { value: 3 },
    });
  });

  it('have an address only when it is whole', () => {
    for (const missing of ['line1', 'postalCode']) expect(billingOf({ [missing]: null })).toBeUndefined();
    expect(billingOf({ state: null, stateCode: null })).toBeUndefined();
    expect(billingOf({ stateCode: null })).toMatchObject({ stateOrProvince: 'NY' });
    expect(billingOf({ city: null })).toMatchObject({ city: 'N/A' });
    expect(billingOf({ country: null })).toMatchObject({ country: 'ZZ' });
    expect(billingOf({ country: 'NL', stateCode: null })).toMatchObject({ country: 'NL' });
    expect(billingOf({ country: 'NL', stateCode: 'NL-NH' })).not.toHaveProperty('stateOrProvince');
  });

  it.each([
    ['Café Señor', 'Cafe Senor'],
    ['A shop with a very long name indeed', 'A shop with a very lon'],
    ['Shop #7 & Co', 'Shop 7 Co'],
    ['日本', undefined],
  ])('print %s on the statement as %s', (name, printed) => {
    const statementDescriptor = {
      name,
      description: null,
      city: null,
      country: null,
      phoneNumber: null,
      url: null,
      postalCode: null,
    };
    expect(sentOf({ card: CARD, statementDescriptor }).shopperStatement).toBe(printed);
  });
});
