import { describe, expect, it } from '@jest/globals';
import { outcomeOfModification, outcomeOfPayment } from '../../../src/connectors/adyen/payments/answer.ts';
import { KEY } from './samples.ts';

const MONEY = { amount: 1299, currency: 'EUR' };
const ASKED = { key: KEY, money: MONEY, reference: null, stores: null };
const AMOUNT = { value: 1299, currency: 'EUR' };

const read = (answer: unknown, changes = {}) => outcomeOfPayment(answer, { ...ASKED, ...changes });

const PART = { pspReference: 'A1', resultCode: 'PartiallyAuthorised' };

const APP = 'https://checkoutshopper-test.adyen.com/app';
const NOWHERE = { qrCode: undefined, approvalUrl: undefined };

describe('the answer of a payment', () => {
  it('that is authorised succeeds with the amount of the answer', () => {
    const answer = {
      pspReference: 'NC6HT9CRT65ZGN82',
      resultCode: 'Authorised',
      amount: AMOUNT,
      merchantReference: KEY,
      additionalData: {
        authCode: '067563',
        avsResult: '7 Both postal code and address match',
        cvcResult: '1 Matches',
        cardIssuingCountry: 'NL',
        networkTxReference: 'MCC123456789012',
        refusalReasonRaw: 'AUTHORISED',
      },
    };

    expect(read(answer)).toEqual({
      ...{ kind: 'succeeded', reference: 'NC6HT9CRT65ZGN82', money: MONEY },
      ...{ rawResponseCode: 'Authorised', rawResponseDescription: 'AUTHORISED', authResponseCode: '067563' },
      ...{ avsResponseCode: 'match', cvvResponseCode: 'match', cardCountry: 'NL', merchantAdviceCode: null },
      networkResponseCode: null,
      schemeTransactionId: 'MCC123456789012',
    });
  });

  it('that is authorised without an amount succeeds with the requested amount', () => {
    expect(read({ pspReference: 'A1', resultCode: 'Authorised' })).toMatchObject({
      kind: 'succeeded',
      money: MONEY,
    });
  });

  it.each([
    ['no id', { resultCode: 'Authorised', amount: AMOUNT }],
    [
      'an amount that has no form of ours',
      { pspReference: 'A1', resultCode: 'Authorised', amount: { value: 150, currency: 'ISK' } },
    ],
    [
      'an amount that is no integer',
      { pspReference: 'A1', resultCode: 'Authorised', amount: { ...AMOUNT, value: 1.5 } },
    ],
    ['a part of an unnamed amount', { pspReference: 'A1', resultCode: 'PartiallyAuthorised' }],
    ['a part', { ...PART, amount: { ...AMOUNT, value: 1000 } }],
    [
      'a part beside the requested amount',
      { ...PART, amount: AMOUNT, additionalData: { authorisedAmountValue: '1000' } },
    ],
    ['a finished authentication', { pspReference: 'A1', resultCode: 'AuthenticationFinished' }],
    ['no authentication', { pspReference: 'A1', resultCode: 'AuthenticationNotRequired' }],
    ['the word Success', { pspReference: 'A1', resultCode: 'Success' }],
    ['a new word', { pspReference: 'A1', resultCode: 'Approved' }],
    ['no result', { pspReference: 'A1' }],
    [
      'a redirect without an address',
      { resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET' } },
    ],
    [
      'a redirect by another method',
      {
        resultCode: 'RedirectShopper',
        action: { type: 'redirect', method: 'PUT', url: 'https://a.example' },
      },
    ],
    ['a voucher without a reference', { resultCode: 'PresentToShopper', action: { type: 'voucher' } }],
    ['nothing', null],
    ['a list', []],
  ])('with %s is unknown', (_name, answer) => {
    expect(read(answer)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });

  it('that is refused tells the reason, the issuer and the advice', () => {
    const answer = {
      ...{ pspReference: 'A1', resultCode: 'Refused', refusalReason: 'Refused', refusalReasonCode: '2' },
      additionalData: {
        refusalReasonRaw: '51 : Not sufficient funds',
        merchantAdviceCode: '03 : Do not try again',
      },
    };
    expect(read(answer)).toMatchObject({
      ...{ kind: 'declined', reference: 'A1', errorCode: 'insufficient_funds', merchantAdviceCode: '03' },
      ...{ rawResponseCode: '2', rawResponseDescription: '51 : Not sufficient funds' },
      networkResponseCode: '51',
    });
  });

  it.each([
    ['Cancelled', '15', 'canceled'],
    ['Cancelled', '16', 'cancelled_buyer_approval'],
    ['Error', '4', 'service_error'],
    ['Error', '42', 'failed_buyer_approval'],
  ])('with the result %s and the code %s has failed', (resultCode, refusalReasonCode, errorCode) => {
    expect(read({ resultCode, refusalReasonCode })).toMatchObject({
      kind: 'failed',
      reference: null,
      errorCode,
    });
  });

  it('with an uncertain error is unknown', () => {
    const answer = { pspReference: 'A1', resultCode: 'Error', refusalReasonCode: '9' };
    expect(read(answer)).toEqual({ kind: 'unknown', cause: 'server_error' });
  });

  it.each([
    [
      { cardSummary: '1111', cardBin: '411111', expiryDate: '3/2030' },
      'visa',
      ['visa', '411111', '1111', '03/30'],
    ],
    [{ cardSummary: '0004', paymentMethod: 'mc' }, undefined, ['mastercard', null, '0004', null]],
    [{ cardSummary: '0009', expiryDate: 'soon' }, 'diners', ['diners_club', null, '0009', null]],
  ] as const)(
    'tells the card behind a payment: %j',
    (additionalData, brand, [scheme, bin, lastFour, expirationDate]) => {
      const answer = {
        pspReference: 'A1',
        resultCode: 'Authorised',
        additionalData,
        paymentMethod: { brand },
      };
      expect(read(answer)).toMatchObject({ card: { scheme, bin, lastFour, expirationDate } });
    },
  );

  it('tells no card of another payment method', () => {
    const answer = {
      pspReference: 'A1',
      resultCode: 'Authorised',
      additionalData: { cardSummary: '3000' },
      paymentMethod: { brand: 'ideal' },
    };
    expect(read(answer)).not.toHaveProperty('card');
  });

  it.each(['Pending', 'Received'])('with the result %s waits for Adyen', (resultCode) => {
    expect(read({ pspReference: 'A1', resultCode })).toMatchObject({ kind: 'accepted', reference: 'A1' });
    expect(read({ pspReference: 'A1', resultCode })).not.toHaveProperty('approvalUrl');
  });

  it('with a redirect waits for the buyer, and our key stands in for the missing id', () => {
    const action = {
      type: 'redirect',
      method: 'GET',
      url: 'https://checkoutshopper-test.adyen.com/redirect',
    };
    expect(read({ resultCode: 'RedirectShopper', action })).toMatchObject({
      ...{ kind: 'accepted', reference: KEY, approvalUrl: action.url },
    });
    expect(read({ resultCode: 'RedirectShopper', action })).not.toHaveProperty('approvalForm');
  });

  it('with a redirect by POST has a form', () => {
    const action = {
      type: 'redirect',
      method: 'POST',
      url: 'https://acs.example/',
      data: { MD: 'm', PaReq: 'p' },
    };
    expect(read({ resultCode: 'RedirectShopper', action })).toMatchObject({
      ...{ approvalUrl: 'https://acs.example/', approvalForm: { MD: 'm', PaReq: 'p' } },
    });
  });

  it('with a voucher names the reference and the page', () => {
    const action = {
      type: 'voucher',
      reference: '101 102 103',
      downloadUrl: 'https://adyen.example/voucher',
    };
    expect(read({ pspReference: 'A1', resultCode: 'PresentToShopper', action })).toMatchObject({
      ...{ kind: 'accepted', reference: 'A1', paymentReference: '101 102 103' },
      approvalUrl: 'https://adyen.example/voucher',
    });
  });

  it.each([
    [{ qrCodeData: '000201' }, { qrCode: '000201' }],
    [
      { qrCodeData: '000201', url: APP },
      { qrCode: '000201', approvalUrl: APP },
    ],
    [{ qrCodeData: '000201', url: 'swish://pay' }, { qrCode: '000201' }],
    [{ url: APP }, { approvalUrl: APP }],
    [{}, {}],
  ])('with a code leads a telephone to the app: %j', (parts, awaits) => {
    const action = { type: 'qrCode', ...parts };
    const { qrCode, approvalUrl } = { ...NOWHERE, ...read({ resultCode: 'Pending', action }) };
    expect({ qrCode, approvalUrl }).toEqual({ ...NOWHERE, ...awaits });
  });

  it.each([
    ['2026-12-01T14:06:39Z', '2026-12-01T14:06:39.000Z'],
    ['2026-12-01T14:06:39+01:00', '2026-12-01T13:06:39.000Z'],
    ['2026-12-01T14:06:39', undefined],
    ['2026-13-01T14:06:39Z', undefined],
    ['tomorrow', undefined],
    [undefined, undefined],
  ])('with a code or a voucher tells the end of it: %s', (expiresAt, moment) => {
    for (const [resultCode, action] of [
      ['Pending', { type: 'qrCode', qrCodeData: '000201', expiresAt }],
      ['PresentToShopper', { type: 'voucher', reference: '101', expiresAt }],
    ] as const) {
      const outcome = { expiresAt: undefined, ...read({ resultCode, action }) };
      expect(outcome).toMatchObject({ kind: 'accepted' });
      expect(outcome.expiresAt?.toISOString()).toBe(moment);
    }
  });

  it('about a debit names the mandate', () => {
    const answer = {
      ...{ pspReference: 'A1', resultCode: 'Received' },
      additionalData: { 'sepadirectdebit.mandateId': 'M-1' },
    };
    expect(read(answer)).toMatchObject({
      debit: { debitsOn: null, creditorId: null, mandateReference: 'M-1' },
    });
  });

  it.each([
    [
      { 'tokenization.storedPaymentMethodId': 'M5N7TQ4TG5PFWR50', 'tokenization.shopperReference': 's-1' },
      's-1/M5N7TQ4TG5PFWR50',
    ],
    [{ 'recurring.recurringDetailReference': 'M5N7TQ4TG5PFWR50' }, 'sent/M5N7TQ4TG5PFWR50'],
  ])('of a payment that stores its method has the token: %j', (additionalData, recurringToken) => {
    const answer = { pspReference: 'A1', resultCode: 'Authorised', additionalData };
    expect(read(answer, { stores: { shopperReference: 'sent' } })).toMatchObject({ recurringToken });
    expect(read(answer)).not.toHaveProperty('recurringToken');
  });
});

describe('the answer of a modification', () => {
  const answer = { status: 'received', pspReference: 'MOD1', paymentPspReference: 'PAY1', amount: AMOUNT };

  it('is only accepted', () => {
    expect(outcomeOfModification(answer, MONEY)).toMatchObject({ kind: 'accepted', reference: 'MOD1' });
  });

  it.each([
    ['another status', { ...answer, status: 'authorised' }],
    ['no id', { ...answer, pspReference: undefined }],
    ['another amount', { ...answer, amount: { ...AMOUNT, value: 1298 } }],
    ['another currency', { ...answer, amount: { ...AMOUNT, currency: 'USD' } }],
    ['nothing', null],
  ])('with %s is unknown', (_name, given) => {
    expect(outcomeOfModification(given, MONEY)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});
