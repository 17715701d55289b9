import { describe, expect, it } from '@jest/globals';
import { DECLINE_CODES } from '../../../src/connectors/codes/decline-codes.ts';
import { errorAnswer, payment } from '../../../src/connectors/paypal/answers.ts';
import { meaningOf, refusalOf } from '../../../src/connectors/paypal/errors.ts';
import { answerOf } from '../../../src/connectors/paypal/exchange.ts';
import { PROCESSOR_CODES } from '../../../src/connectors/paypal/payments/processor-codes.ts';
import { authorizationOutcome } from '../../../src/connectors/paypal/payments/payment-outcome.ts';
import { cleanSchemeCodes } from '../../../src/connectors/codes/scheme-codes.ts';
import { errorBody } from './refusal.ts';

const errorOf = (issue?: string, name = 'UNPROCESSABLE_ENTITY') =>
  errorAnswer.parse(errorBody({ status: 422, name, ...(issue === undefined ? {} : { issue }) }, 'debug'));

const DECLINED = 'declined';
const FAILED = 'failed';

describe('a decline', () => {
  const made = { id: 'A1', status: 'DENIED', amount: { currency_code: 'EUR', value: '12.99' } };
  const outcomeOf = (processor_response?: object) =>
    authorizationOutcome(payment.parse({ ...made, processor_response }), 'A1');

  it.each(Object.entries(PROCESSOR_CODES))(
    'of the processor keeps the code %s: %j',
    (code, [, errorCode]) => {
      const { kind } = DECLINE_CODES[errorCode];
      expect(outcomeOf({ response_code: code, payment_advice_code: '01' })).toMatchObject({
        ...{ kind, errorCode, networkResponseCode: code, merchantAdviceCode: '01' },
      });
      expect(cleanSchemeCodes({ networkResponseCode: code })).toEqual({ networkResponseCode: code });
    },
  );

  it('has a row for each of the 154 codes of the description', () => {
    expect(Object.keys(PROCESSOR_CODES)).toHaveLength(154);
  });

  it.each([
    ['00N7', 'declined', 'incorrect_cvv'],
    ['0500', 'declined', 'issuer_decline'],
    ['0R00', 'declined', 'refused_transaction'],
    ['5120', 'declined', 'insufficient_funds'],
    ['5200', 'declined', 'duplicate_transaction'],
    ['5400', 'declined', 'expired_payment_method'],
    ['5650', 'failed', 'requires_buyer_authentication'],
    ['8100', 'failed', 'service_error'],
    ['9500', 'declined', 'suspected_fraud'],
    ['9520', 'declined', 'canceled_payment_method'],
    ['PPAX', 'failed', 'invalid_amount'],
    ['PPMD', 'declined', 'service_decline'],
    ['ZZZZ', 'declined', 'service_decline'],
  ])("of the processor's code %s is %s: %s", (code, kind, errorCode) => {
    expect(outcomeOf({ response_code: code })).toMatchObject({ kind, errorCode, networkResponseCode: code });
  });

  it('without an answer of a processor has no codes', () => {
    expect(outcomeOf()).toEqual({
      ...{ kind: 'declined', reference: 'A1', errorCode: 'service_decline' },
      ...{ rawResponseCode: 'DENIED', rawResponseDescription: null },
    });
  });
});

describe('an issue', () => {
  it.each([
    ['INSTRUMENT_DECLINED', 'issuer_decline', DECLINED],
    ['PAYMENT_SOURCE_DECLINED_BY_PROCESSOR', 'issuer_decline', DECLINED],
    ['TRANSACTION_REFUSED', 'refused_transaction', DECLINED],
    ['PAYEE_BLOCKED_TRANSACTION', 'refused_transaction', DECLINED],
    ['TRANSACTION_BLOCKED_BY_PAYEE', 'refused_transaction', DECLINED],
    ['COMPLIANCE_VIOLATION', 'suspected_fraud', DECLINED],
    ['PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'canceled_payment_method', DECLINED],
    ['PAYER_ACCOUNT_RESTRICTED', 'canceled_payment_method', DECLINED],
    ['PAYER_CANNOT_PAY', 'insufficient_funds', DECLINED],
    ['CARD_EXPIRED', 'expired_payment_method', DECLINED],
    ['REFERENCED_CARD_EXPIRED', 'expired_payment_method', DECLINED],
    ['TOKEN_EXPIRED', 'expired_payment_method', DECLINED],
    ['AGREEMENT_ALREADY_CANCELLED', 'unknown_payment_method', FAILED],
    ['BILLING_AGREEMENT_NOT_FOUND', 'unknown_payment_method', FAILED],
    ['TOKEN_ID_NOT_FOUND', 'unknown_payment_method', FAILED],
    ['ORDER_EXPIRED', 'incomplete_buyer_approval', FAILED],
    ['AUTHORIZATION_EXPIRED', 'expired_authorization', DECLINED],
    ['AUTHORIZATION_VOIDED', 'unexpected_state', FAILED],
    ['AUTHORIZATION_DENIED', 'unexpected_state', FAILED],
    ['MAX_CAPTURE_AMOUNT_EXCEEDED', 'invalid_amount', FAILED],
    ['AUTHORIZATION_AMOUNT_EXCEEDED', 'invalid_amount', FAILED],
    ['TRANSACTION_LIMIT_EXCEEDED', 'invalid_amount', FAILED],
    ['MAX_VALUE_EXCEEDED', 'invalid_amount', FAILED],
    ['DECIMAL_PRECISION', 'invalid_amount', FAILED],
    ['DECIMALS_NOT_SUPPORTED', 'invalid_amount', FAILED],
    ['CANNOT_BE_ZERO_OR_NEGATIVE', 'invalid_amount', FAILED],
    ['REFUND_AMOUNT_TOO_LOW', 'invalid_amount', FAILED],
    ['CAPTURE_FULLY_REFUNDED', 'refund_already_satisfied', FAILED],
    ['REFUND_AMOUNT_EXCEEDED', 'refund_already_satisfied', FAILED],
    ['REFUND_TIME_LIMIT_EXCEEDED', 'refund_period_expired', FAILED],
    ['REFUND_FAILED_INSUFFICIENT_FUNDS', 'service_decline', DECLINED],
    ['TRANSACTION_DISPUTED', 'disputed_transaction', FAILED],
    ['REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK', 'disputed_transaction', FAILED],
    ['PARTIAL_REFUND_NOT_ALLOWED', 'invalid_operation', FAILED],
    ['REFUND_NOT_ALLOWED', 'invalid_operation', FAILED],
    ['PENDING_CAPTURE', 'invalid_operation', FAILED],
    ['INVALID_CURRENCY_CODE', 'unsupported_currency', FAILED],
    ['REFUND_CAPTURE_CURRENCY_MISMATCH', 'unsupported_currency', FAILED],
    ['PAYEE_ACCOUNT_RESTRICTED', 'invalid_service_configuration', FAILED],
    ['NOT_ENABLED_FOR_CARD_PROCESSING', 'invalid_service_configuration', FAILED],
    ['NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE', 'invalid_service_configuration', FAILED],
    ['AUTH_CAPTURE_NOT_ENABLED', 'invalid_service_configuration', FAILED],
    ['CONSENT_NEEDED', 'invalid_service_configuration', FAILED],
    ['PERMISSION_DENIED', 'insufficient_service_permissions', FAILED],
    ['A_NEW_WORD', 'unknown_error', FAILED],
  ])('%s means %s, and the outcome is %s', (issue, errorCode, kind) => {
    expect(meaningOf(errorOf(issue))).toEqual({ errorCode, kind });
    expect(refusalOf(errorOf(issue), null)).toMatchObject({ errorCode, kind, rawResponseCode: issue });
  });

  it.each([
    ...['ORDER_ALREADY_AUTHORIZED', 'ORDER_ALREADY_CAPTURED', 'ORDER_ALREADY_COMPLETED'],
    ...['ORDER_COMPLETION_IN_PROGRESS', 'PREVIOUS_REQUEST_IN_PROGRESS', 'DUPLICATE_INVOICE_ID'],
    ...['PREVIOUSLY_VOIDED', 'SOMETHING_ALREADY_DONE'],
  ])('%s is no refusal, because an earlier request may be its cause', (issue) => {
    expect(refusalOf(errorOf(issue), null)).toEqual({
      ...{ kind: 'unknown', cause: 'server_error', arrived: true },
    });
  });

  it.each([
    [undefined, 'INVALID_REQUEST', 'invalid_service_request'],
    ['A_NEW_WORD', 'INVALID_REQUEST', 'invalid_service_request'],
    [undefined, 'RESOURCE_NOT_FOUND', 'unknown_service_resource'],
    [undefined, 'UNPROCESSABLE_ENTITY', 'unknown_error'],
  ])('%s of %s means %s', (issue, name, errorCode) => {
    expect(meaningOf(errorOf(issue, name))).toEqual({ errorCode, kind: 'failed' });
  });

  it('of an undocumented error is unknown', () => {
    expect(refusalOf(errorOf(undefined, 'A_NEW_NAME'), null)).toEqual({
      kind: 'unknown',
      cause: 'unreadable',
    });
  });
});

describe('an answer', () => {
  const body = JSON.stringify(errorBody({ status: 422, name: 'UNPROCESSABLE_ENTITY', issue: 'X' }, 'debug'));

  it.each([
    [200, '{}', { kind: 'answered', body: {} }],
    [204, '', { kind: 'answered', body: null }],
    [200, '{', { kind: 'unknown', unknown: { kind: 'unknown', cause: 'unreadable' } }],
    [422, body, { kind: 'refused', status: 422 }],
    [404, body, { kind: 'refused', status: 404 }],
    [400, '<html>', { kind: 'unknown', unknown: { kind: 'unknown', cause: 'unreadable' } }],
    [409, body, { kind: 'unknown', unknown: { kind: 'unknown', cause: 'server_error' } }],
    [302, '', { kind: 'unknown', unknown: { kind: 'unknown', cause: 'server_error' } }],
    [500, body, { kind: 'unknown', unknown: { kind: 'unknown', cause: 'server_error' } }],
    [503, '<html>', { kind: 'unknown', unknown: { kind: 'unknown', cause: 'server_error' } }],
    [403, body, { kind: 'unknown', unknown: { sent: false, refusedAs: 'insufficient_service_permissions' } }],
    [429, '', { kind: 'unknown', unknown: { sent: false, refusedAs: 'service_rate_limit' } }],
  ])('of status %i and %j', (status, text, expected) => {
    expect(answerOf({ status, body: text })).toMatchObject(expected);
  });
});
