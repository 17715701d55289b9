import { DECLINE_CODES, type DeclineCode, type DeclineKind } from '../../door.ts';

/** One meaning: our code, and the kind of the outcome. */
export type Meaning = { readonly errorCode: DeclineCode; readonly kind: DeclineKind };

type Row = readonly [codes: string, errorCode: DeclineCode, kind: DeclineKind];

const tableOf = (rows: readonly Row[]): ReadonlyMap<string, Meaning> =>
  new Map(
    rows.flatMap(([codes, errorCode, kind]) =>
      codes.split(' ').map((code): [string, Meaning] => [code, { errorCode, kind }]),
    ),
  );

/** The meanings of `error.code`, except `card_declined`. */
export const BY_CODE = tableOf([
  ['authentication_required', 'requires_buyer_authentication', 'failed'],
  ['expired_card', 'expired_payment_method', 'declined'],
  ['incorrect_cvc invalid_cvc', 'incorrect_cvv', 'declined'],
  ['incorrect_number invalid_number invalid_card_type', 'invalid_payment_method', 'failed'],
  ['invalid_expiry_month invalid_expiry_year', 'incorrect_expiry_date', 'declined'],
  ['incorrect_zip incorrect_address postal_code_invalid', 'incorrect_billing_address', 'declined'],
  ['processing_error', 'service_error', 'failed'],
  ['insufficient_funds', 'insufficient_funds', 'declined'],
  [
    'payment_intent_authentication_failure setup_intent_authentication_failure',
    'failed_buyer_approval',
    'failed',
  ],
  ['payment_intent_payment_attempt_expired', 'incomplete_buyer_approval', 'failed'],
  ['payment_method_customer_decline', 'cancelled_buyer_approval', 'failed'],
  ['payment_method_provider_decline', 'service_decline', 'declined'],
  // The issuer must not be asked again soon. `refused_transaction` goes to no other service.
  ['card_decline_rate_limit_exceeded', 'refused_transaction', 'declined'],
  [
    'amount_too_large amount_too_small invalid_charge_amount charge_exceeds_transaction_limit',
    'invalid_amount',
    'failed',
  ],
  ['payment_method_currency_mismatch', 'unsupported_currency', 'failed'],
  [
    'payment_method_unactivated payment_method_unsupported_type payment_intent_incompatible_payment_method',
    'unsupported_payment_method',
    'failed',
  ],
  ['country_unsupported country_code_invalid', 'unsupported_country', 'failed'],
  [
    'payment_intent_unexpected_state intent_invalid_state setup_intent_unexpected_state charge_already_captured',
    'unexpected_state',
    'failed',
  ],
  ['charge_not_refundable', 'unexpected_state', 'failed'],
  ['charge_expired_for_capture capture_charge_authorization_expired', 'expired_authorization', 'declined'],
  ['charge_already_refunded', 'refund_already_satisfied', 'failed'],
  ['charge_disputed refund_disputed_payment', 'disputed_transaction', 'failed'],
  ['balance_insufficient', 'service_decline', 'declined'],
  [
    'secret_key_required api_key_expired platform_api_key_expired testmode_charges_only livemode_mismatch',
    'invalid_service_credentials',
    'failed',
  ],
  ['account_invalid capability_not_active', 'invalid_service_configuration', 'failed'],
  ['request_blocked anomalous_money_movement_request', 'suspected_fraud', 'declined'],
]);

/** The meanings of `error.code` of a bank debit, which the bank decides days later. */
export const BY_BANK_CODE = tableOf([
  ['account_closed bank_ownership_changed', 'canceled_payment_method', 'declined'],
  ['no_account bank_account_unusable invalid_account_number', 'unknown_payment_method', 'failed'],
  ['bank_account_restricted', 'unavailable_payment_method', 'failed'],
  ['debit_not_authorized', 'disputed_transaction', 'failed'],
  ['refer_to_customer declined generic_could_not_process', 'issuer_decline', 'declined'],
  ['bank_account_verification_failed', 'failed_buyer_approval', 'failed'],
]);

/** The meanings of `decline_code`. A card with a decline code is declined, whatever the code. */
export const BY_DECLINE_CODE: ReadonlyMap<string, DeclineCode> = new Map(
  (
    [
      ['generic_decline do_not_honor call_issuer no_action_taken try_again_later', 'issuer_decline'],
      ['approve_with_id reenter_transaction issuer_not_available', 'issuer_decline'],
      ['new_account_information_available service_not_allowed', 'issuer_decline'],
      ['do_not_try_again revocation_of_authorization', 'refused_transaction'],
      ['revocation_of_all_authorizations stop_payment_order', 'refused_transaction'],
      ['security_violation transaction_not_allowed not_permitted', 'refused_transaction'],
      ['restricted_card pin_try_exceeded incorrect_pin invalid_pin', 'refused_transaction'],
      ['offline_pin_required online_or_offline_pin_required', 'refused_transaction'],
      ['insufficient_funds card_velocity_exceeded', 'insufficient_funds'],
      ['withdrawal_count_limit_exceeded', 'insufficient_funds'],
      ['lost_card stolen_card pickup_card', 'canceled_payment_method'],
      ['fraudulent merchant_blacklist', 'suspected_fraud'],
      ['authentication_required authentication_not_handled', 'requires_buyer_authentication'],
      ['expired_card', 'expired_payment_method'],
      ['incorrect_cvc invalid_cvc', 'incorrect_cvv'],
      ['incorrect_zip', 'incorrect_billing_address'],
      ['incorrect_number invalid_number invalid_account', 'unknown_payment_method'],
      ['invalid_expiry_month invalid_expiry_year', 'incorrect_expiry_date'],
      ['card_not_supported', 'unsupported_payment_method'],
      ['currency_not_supported', 'incorrect_currency'],
      ['invalid_amount', 'invalid_amount'],
      ['duplicate_transaction', 'duplicate_transaction'],
      ['processing_error', 'service_error'],
      ['testmode_decline test_mode_live_card', 'invalid_service_configuration'],
    ] as const
  ).flatMap(([codes, errorCode]) => codes.split(' ').map((code): [string, DeclineCode] => [code, errorCode])),
);

/** The meanings of `failure_reason` of a refund. */
export const BY_REFUND_FAILURE: ReadonlyMap<string, DeclineCode> = new Map([
  ['lost_or_stolen_card', 'canceled_payment_method'],
  ['expired_or_canceled_card', 'expired_payment_method'],
  ['charge_for_pending_refund_disputed', 'disputed_transaction'],
  ['insufficient_funds', 'service_decline'],
  ['declined', 'issuer_decline'],
  ['merchant_request', 'canceled'],
  ['unknown', 'unknown_error'],
]);

/** Returns a code with its usual kind. */
export const usual = (errorCode: DeclineCode): Meaning => ({
  errorCode,
  kind: DECLINE_CODES[errorCode].kind,
});
