import { describe, expect, it } from '@jest/globals';
import { amountToWire, moneyFromWire } from '../../../src/connectors/checkout/amount.ts';
import { payment } from '../../../src/connectors/checkout/answers.ts';
import { refusalOf } from '../../../src/connectors/checkout/errors.ts';
import { answerOf, checkoutHosts } from '../../../src/connectors/checkout/exchange.ts';
import { paymentOutcome } from '../../../src/connectors/checkout/payments/payment-outcome.ts';
import { meaningOf } from '../../../src/connectors/checkout/response-codes.ts';

describe('a response code', () => {
  it.each([
    ['20005', 'declined', 'issuer_decline'],
    ['20051', 'declined', 'insufficient_funds'],
    ['20087', 'declined', 'incorrect_cvv'],
    ['200N7', 'declined', 'incorrect_cvv'],
    ['200O5', 'failed', 'requires_buyer_authentication'],
    ['20094', 'declined', 'duplicate_transaction'],
    ['20151', 'declined', 'failed_buyer_approval'],
    ['20152', 'failed', 'incomplete_buyer_approval'],
    ['30041', 'declined', 'canceled_payment_method'],
    ['40101', 'declined', 'suspected_fraud'],
    ['40205', 'declined', 'suspected_fraud'],
    ['44301', 'failed', 'requires_buyer_authentication'],
    ['20999', 'declined', 'other_decline'],
    ['30999', 'declined', 'refused_transaction'],
    ['', 'declined', 'other_decline'],
  ])('%s is %s with %s', (code, kind, errorCode) => expect(meaningOf(code)).toEqual({ kind, errorCode }));
});

/** The forms of bodies are those of recorded answers, with values of our own. */
const BODY = {
  ...{ id: 'pay_aaaaaaaaaaaaaaaaaaaaaaaaaa', amount: 1299, currency: 'EUR', reference: '1' },
  source: {
    ...{ id: 'src_aaaaaaaaaaaaaaaaaaaaaaaaaa', type: 'card', expiry_month: 6, expiry_year: 2031 },
    ...{ scheme: 'Visa', last4: '4242', bin: '424242', issuer_country: 'GB', avs_check: 'Y', cvv_check: 'N' },
  },
};
const outcomeOf = (body: object, isSale = false) =>
  paymentOutcome(payment.parse({ ...BODY, ...body }), { isSale, stores: false });

describe('a payment', () => {
  it('that is approved has its words, and the card', () => {
    const processing = { partner_response_code: '00', recommendation_code: '02' };
    const approval = { approved: true, status: 'Authorized', auth_code: '858188', response_code: '10000' };
    expect(outcomeOf({ ...approval, response_summary: 'Approved', scheme_id: '6382', processing })).toEqual({
      ...{ kind: 'succeeded', reference: BODY.id, money: { amount: 1299, currency: 'EUR' } },
      ...{ rawResponseCode: '10000', rawResponseDescription: 'Approved', authResponseCode: '858188' },
      ...{ networkResponseCode: '00', merchantAdviceCode: '02', schemeTransactionId: '6382' },
      ...{ avsResponseCode: 'match', cvvResponseCode: 'no_match', cardCountry: 'GB' },
      card: { scheme: 'visa', bin: '424242', lastFour: '4242', expirationDate: '06/31' },
    });
  });

  it.each([
    ['with a code and without a status', { response_code: '20014' }, 'failed', 'unknown_payment_method'],
    [
      'as a read shows it',
      { status: 'Declined', actions: [{ type: 'Authorization', response_code: '20051' }] },
      ...(['declined', 'insufficient_funds'] as const),
    ],
    [
      'whose buyer was not authenticated',
      { status: 'Declined', '3ds': { enrolled: 'Y' } },
      ...(['declined', 'failed_buyer_approval'] as const),
    ],
  ])('that is declined %s has a reason', (_, body, kind, errorCode) => {
    expect(outcomeOf(body)).toMatchObject({ kind, errorCode, reference: BODY.id });
  });

  it.each([
    ['a captured part', { status: 'Captured', response_code: '10010' }],
    ['an unknown status', { status: 'Quantum' }],
    ['no status and no code', {}],
    ['a code that is still open', { status: 'Declined', response_code: '20068' }],
    ['an approval that is none', { status: 'Authorized', approved: false }],
    ['no amount', { status: 'Authorized', amount: null }],
    ['an amount that nobody can express', { status: 'Authorized', amount: 1050, currency: 'CLP' }],
  ])('with %s is unknown', (_, body) => expect(outcomeOf(body)).toMatchObject({ kind: 'unknown' }));

  it('that is a sale is paid with what was captured', () => {
    expect(outcomeOf({ status: 'Captured', balances: { total_captured: 1000 } }, true)).toMatchObject({
      ...{ kind: 'succeeded', money: { amount: 1000, currency: 'EUR' } },
    });
    expect(outcomeOf({ status: 'Partially Captured' }, true)).toMatchObject({ kind: 'accepted' });
  });
});

describe('an answer', () => {
  const refusal = (status: number, body: string) => {
    const answer = answerOf({ status, body });
    return answer.kind === 'refused' ? refusalOf(answer) : answer;
  };

  it.each([
    [['card_expired'], 'expired_payment_method'],
    [['processing_channel_id_invalid'], 'invalid_service_configuration'],
    [['reference_invalid', 'amount_invalid'], 'invalid_amount'],
    [['something_new'], 'invalid_service_request'],
    [undefined, 'invalid_service_request'],
  ])('with the codes %j is a refusal of the request', (error_codes, errorCode) => {
    const body = JSON.stringify({ request_id: '1', error_type: 'request_invalid', error_codes });
    expect(refusal(422, body)).toMatchObject({
      errorCode,
      rawResponseCode: error_codes?.[0] ?? 'request_invalid',
    });
  });

  it.each([
    [404, '', { kind: 'failed', errorCode: 'unknown_service_resource', rawResponseCode: 'http_404' }],
    [404, '<html>', { kind: 'unknown', unknown: { kind: 'unknown', cause: 'unreadable' } }],
    [409, '', { kind: 'unknown', unknown: { kind: 'unknown', cause: 'server_error' } }],
    [502, '<html>', { kind: 'unknown', unknown: { kind: 'unknown', cause: 'server_error' } }],
    [401, '', { unknown: { sent: false, refusedAs: 'invalid_service_credentials' } }],
    [429, '', { unknown: { sent: false, refusedAs: 'service_rate_limit' } }],
    [201, '{"id":', { kind: 'unknown', unknown: { kind: 'unknown', cause: 'unreadable' } }],
    [204, '', { kind: 'answered', body: null }],
  ])('%i %s is %j', (status, body, expected) => expect(refusal(status, body)).toMatchObject(expected));
});

describe('an amount', () => {
  it.each([
    [{ amount: 1299, currency: 'EUR' }, 1299],
    [{ amount: 1299, currency: 'JPY' }, 1299],
    [{ amount: 1290, currency: 'KWD' }, 1290],
    [{ amount: 1299, currency: 'KWD' }, null],
    [{ amount: 1299, currency: 'CLP' }, 129_900],
    [{ amount: 99_999_999, currency: 'CLP' }, null],
    [{ amount: 1299, currency: 'EURO' }, null],
  ])('of %j is %s', (money, units) => {
    expect(amountToWire(money)).toBe(units);
    if (units !== null) expect(moneyFromWire(units, money.currency)).toEqual(money);
  });
});

describe('the host', () => {
  it.each([
    ['', 'sandbox', 'https://api.sandbox.checkout.com'],
    ['', 'production', 'https://api.checkout.com'],
    ['abcd1234', 'production', 'https://abcd1234.api.checkout.com'],
    ['evil.example/', 'production', null],
    ['a.b', 'sandbox', null],
  ] as const)('with the prefix %j in %s is %s', (api_prefix, environment, host) => {
    expect(checkoutHosts({ credentials: { api_prefix }, environment })).toBe(host);
  });
});
