import { describe, expect, it } from '@jest/globals';
import { stripeError } from '../../../src/connectors/stripe/api/answers.ts';
import { meaningOf, refundFailureOf, refusalOf } from '../../../src/connectors/stripe/errors/errors.ts';
import { refund as refundSchema } from '../../../src/connectors/stripe/api/answers.ts';
import { refund } from './objects.ts';

const cardError = (fields: object) => stripeError.parse({ type: 'card_error', ...fields });
const requestError = (fields: object) => stripeError.parse({ type: 'invalid_request_error', ...fields });

describe('an error code', () => {
  it.each([
    ['authentication_required', 'requires_buyer_authentication', 'failed'],
    ['expired_card', 'expired_payment_method', 'declined'],
    ['incorrect_cvc', 'incorrect_cvv', 'declined'],
    ['invalid_cvc', 'incorrect_cvv', 'declined'],
    ['incorrect_number', 'invalid_payment_method', 'failed'],
    ['invalid_number', 'invalid_payment_method', 'failed'],
    ['invalid_card_type', 'invalid_payment_method', 'failed'],
    ['invalid_expiry_month', 'incorrect_expiry_date', 'declined'],
    ['invalid_expiry_year', 'incorrect_expiry_date', 'declined'],
    ['incorrect_zip', 'incorrect_billing_address', 'declined'],
    ['incorrect_address', 'incorrect_billing_address', 'declined'],
    ['postal_code_invalid', 'incorrect_billing_address', 'declined'],
    ['processing_error', 'service_error', 'failed'],
    ['insufficient_funds', 'insufficient_funds', 'declined'],
    ['payment_intent_authentication_failure', 'failed_buyer_approval', 'failed'],
    ['setup_intent_authentication_failure', 'failed_buyer_approval', 'failed'],
    ['payment_intent_payment_attempt_expired', 'incomplete_buyer_approval', 'failed'],
    ['payment_method_customer_decline', 'cancelled_buyer_approval', 'failed'],
    ['payment_method_provider_decline', 'service_decline', 'declined'],
    ['card_decline_rate_limit_exceeded', 'refused_transaction', 'declined'],
    ['amount_too_large', 'invalid_amount', 'failed'],
    ['amount_too_small', 'invalid_amount', 'failed'],
    ['parameter_invalid_empty', 'invalid_service_request', 'failed'],
    ['parameter_unknown', 'invalid_service_request', 'failed'],
    ['parameters_exclusive', 'invalid_service_request', 'failed'],
    ['payment_intent_invalid_parameter', 'invalid_service_request', 'failed'],
    ['payment_method_currency_mismatch', 'unsupported_currency', 'failed'],
    ['payment_method_unactivated', 'unsupported_payment_method', 'failed'],
    ['country_unsupported', 'unsupported_country', 'failed'],
    ['payment_intent_unexpected_state', 'unexpected_state', 'failed'],
    ['charge_already_captured', 'unexpected_state', 'failed'],
    ['charge_expired_for_capture', 'expired_authorization', 'declined'],
    ['charge_already_refunded', 'refund_already_satisfied', 'failed'],
    ['charge_disputed', 'disputed_transaction', 'failed'],
    ['refund_disputed_payment', 'disputed_transaction', 'failed'],
    ['balance_insufficient', 'service_decline', 'declined'],
    ['testmode_charges_only', 'invalid_service_credentials', 'failed'],
    ['account_invalid', 'invalid_service_configuration', 'failed'],
    ['request_blocked', 'suspected_fraud', 'declined'],
    ['account_closed', 'canceled_payment_method', 'declined'],
    ['a_new_word', 'invalid_service_request', 'failed'],
  ])('%s means %s, and the outcome is %s', (code, errorCode, kind) => {
    expect(meaningOf(requestError({ code }))).toEqual({ errorCode, kind });
  });

  it.each([
    ['payment_method', 'unknown_payment_method'],
    ['customer', 'unknown_payment_method'],
    ['intent', 'unknown_service_resource'],
  ])('resource_missing of %s means %s', (param, errorCode) => {
    expect(meaningOf(requestError({ code: 'resource_missing', param }))).toEqual({
      errorCode,
      kind: 'failed',
    });
  });

  it('that is new declines a card, and a card without any code too', () => {
    const other = { errorCode: 'other_decline', kind: 'declined' };
    expect(meaningOf(cardError({ code: 'a_new_word' }))).toEqual(other);
    expect(meaningOf(cardError({}))).toEqual(other);
  });

  it('that is missing means a refused approval where the request asked for no approval', () => {
    expect(meaningOf(cardError({}), { refusesActions: true })).toEqual({
      errorCode: 'requires_buyer_authentication',
      kind: 'failed',
    });
  });
});

describe('a decline code', () => {
  it.each([
    ['generic_decline', 'issuer_decline'],
    ['do_not_honor', 'issuer_decline'],
    ['try_again_later', 'issuer_decline'],
    ['do_not_try_again', 'refused_transaction'],
    ['stop_payment_order', 'refused_transaction'],
    ['transaction_not_allowed', 'refused_transaction'],
    ['insufficient_funds', 'insufficient_funds'],
    ['card_velocity_exceeded', 'insufficient_funds'],
    ['lost_card', 'canceled_payment_method'],
    ['stolen_card', 'canceled_payment_method'],
    ['fraudulent', 'suspected_fraud'],
    ['authentication_required', 'requires_buyer_authentication'],
    ['authentication_not_handled', 'requires_buyer_authentication'],
    ['expired_card', 'expired_payment_method'],
    ['incorrect_cvc', 'incorrect_cvv'],
    ['incorrect_zip', 'incorrect_billing_address'],
    ['invalid_account', 'unknown_payment_method'],
    ['invalid_expiry_year', 'incorrect_expiry_date'],
    ['card_not_supported', 'unsupported_payment_method'],
    ['currency_not_supported', 'incorrect_currency'],
    ['duplicate_transaction', 'duplicate_transaction'],
    ['processing_error', 'service_error'],
    ['test_mode_live_card', 'invalid_service_configuration'],
    ['a_new_word', 'other_decline'],
  ])('%s means %s', (declineCode, errorCode) => {
    const error = cardError({ code: 'card_declined', decline_code: declineCode });
    expect(meaningOf(error)).toEqual({ errorCode, kind: 'declined' });
  });
});

describe('an advice and a fraud check', () => {
  const declined = cardError({ code: 'card_declined', decline_code: 'insufficient_funds' });
  const blocked = { type: 'blocked', network_status: 'not_sent_to_network' };

  it.each([
    [{ advice_code: 'do_not_try_again' }, 'refused_transaction'],
    [{ network_advice_code: '03' }, 'refused_transaction'],
    [{ network_advice_code: '21' }, 'refused_transaction'],
    [{ network_advice_code: '02' }, 'insufficient_funds'],
    [{ advice_code: 'try_again_later' }, 'insufficient_funds'],
  ])('%j overrules the decline code: %s', (advice, errorCode) => {
    expect(meaningOf({ ...declined, ...advice }).errorCode).toBe(errorCode);
    const outcome = { type: 'issuer_declined', ...advice };
    expect(meaningOf(declined, { outcome }).errorCode).toBe(errorCode);
  });

  it.each([
    [blocked, 'suspected_fraud'],
    [{ type: 'invalid', network_status: 'not_sent_to_network', reason: 'rule' }, 'suspected_fraud'],
    [
      { type: 'invalid', network_status: 'not_sent_to_network', reason: 'highest_risk_level' },
      'suspected_fraud',
    ],
    [
      { type: 'issuer_declined', network_status: 'declined_by_network', reason: 'rule' },
      'insufficient_funds',
    ],
  ])('%j gives %s', (outcome, errorCode) => {
    expect(meaningOf(declined, { outcome }).errorCode).toBe(errorCode);
  });
});

describe('a refusal', () => {
  it('keeps the words and the id of the payment', () => {
    const error = cardError({
      ...{ code: 'card_declined', decline_code: 'do_not_honor', message: 'Declined.' },
      ...{ network_advice_code: '02', network_decline_code: '05' },
      ...{ payment_intent: { id: 'pi_9' }, charge: 'ch_9' },
    });
    expect(refusalOf(error, null)).toEqual({
      ...{ kind: 'declined', reference: 'pi_9', errorCode: 'issuer_decline' },
      ...{ rawResponseCode: 'do_not_honor', rawResponseDescription: 'Declined.' },
      ...{ merchantAdviceCode: '02', networkResponseCode: '05' },
    });
  });

  it('takes the codes of the scheme from the charge where the error has none', () => {
    const error = cardError({ code: 'card_declined', decline_code: 'do_not_honor' });
    const outcome = { network_advice_code: '01', network_decline_code: '91' };
    expect(refusalOf(error, 'pi_9', { outcome })).toMatchObject({
      ...{ merchantAdviceCode: '01', networkResponseCode: '91' },
    });
    expect(refusalOf(error, 'pi_9')).toMatchObject({ merchantAdviceCode: null, networkResponseCode: null });
  });
});

describe('the failure of a refund', () => {
  it.each([
    ['lost_or_stolen_card', 'canceled_payment_method'],
    ['expired_or_canceled_card', 'expired_payment_method'],
    ['charge_for_pending_refund_disputed', 'disputed_transaction'],
    ['insufficient_funds', 'service_decline'],
    ['declined', 'issuer_decline'],
    ['merchant_request', 'canceled'],
    ['unknown', 'unknown_error'],
    ['a_new_word', 'unknown_error'],
    [null, 'unknown_error'],
  ])('%s means %s', (reason, errorCode) => {
    expect(refundFailureOf(refundSchema.parse(refund({ failure_reason: reason })))).toBe(errorCode);
  });
});
