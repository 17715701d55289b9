import { meaningsByWord, type DeclineCode, type Outcome } from '../door.ts';
import type { PayPalError } from './answers.ts';

/** The meaning of a refusal: the normalised reason, and the way in which the operation ended. */
export type Meaning = { readonly kind: 'declined' | 'failed'; readonly errorCode: DeclineCode };

/** The issues of PayPal by their meaning, with the reasons that are declines first. */
const DECLINES: Partial<Record<DeclineCode, string>> = {
  issuer_decline:
    'INSTRUMENT_DECLINED PAYMENT_SOURCE_DECLINED_BY_PROCESSOR ALIAS_DECLINED_BY_PROCESSOR REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  refused_transaction:
    'TRANSACTION_REFUSED PAYEE_BLOCKED_TRANSACTION TRANSACTION_BLOCKED_BY_PAYEE PREVIOUS_TRANSACTION_REFERENCE_HAS_CHARGEBACK',
  suspected_fraud: 'COMPLIANCE_VIOLATION',
  canceled_payment_method: 'PAYER_ACCOUNT_LOCKED_OR_CLOSED PAYER_ACCOUNT_RESTRICTED',
  insufficient_funds: 'PAYER_CANNOT_PAY',
  expired_payment_method: 'CARD_EXPIRED REFERENCED_CARD_EXPIRED TOKEN_EXPIRED',
  expired_authorization: 'AUTHORIZATION_EXPIRED',
  service_decline: 'REFUND_FAILED_INSUFFICIENT_FUNDS DECLINED_DUE_TO_RELATED_TXN',
};

const FAILURES: Partial<Record<DeclineCode, string>> = {
  unknown_payment_method: 'AGREEMENT_ALREADY_CANCELLED BILLING_AGREEMENT_NOT_FOUND TOKEN_ID_NOT_FOUND',
  unsupported_payment_method:
    'PAYMENT_SOURCE_NOT_SUPPORTED PAYMENT_SOURCE_CANNOT_BE_USED MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE',
  incomplete_buyer_approval: 'ORDER_EXPIRED',
  unexpected_state: `AUTHORIZATION_VOIDED AUTHORIZATION_DENIED AUTHORIZATION_ALREADY_CAPTURED PREVIOUSLY_CAPTURED CANNOT_BE_VOIDED
    ORDER_COMPLETED_OR_VOIDED`,
  invalid_amount: `MAX_CAPTURE_AMOUNT_EXCEEDED AUTHORIZATION_AMOUNT_EXCEEDED TRANSACTION_LIMIT_EXCEEDED MAX_VALUE_EXCEEDED
    DECIMAL_PRECISION DECIMALS_NOT_SUPPORTED CANNOT_BE_ZERO_OR_NEGATIVE CANNOT_BE_NEGATIVE REFUND_AMOUNT_TOO_LOW
    TRANSACTION_RECEIVING_LIMIT_EXCEEDED`,
  refund_already_satisfied: 'CAPTURE_FULLY_REFUNDED REFUND_AMOUNT_EXCEEDED',
  refund_period_expired: 'REFUND_TIME_LIMIT_EXCEEDED',
  disputed_transaction: 'TRANSACTION_DISPUTED REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK',
  invalid_operation: `PARTIAL_REFUND_NOT_ALLOWED REFUND_NOT_ALLOWED REFUND_IS_RESTRICTED PENDING_CAPTURE
    MAX_NUMBER_OF_REFUNDS_EXCEEDED MAX_CAPTURE_COUNT_EXCEEDED REAUTHORIZATION_NOT_SUPPORTED MAX_AUTHORIZATION_COUNT_EXCEEDED
    MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED ACTION_DOES_NOT_MATCH_INTENT`,
  unsupported_currency: `INVALID_CURRENCY_CODE AUTHORIZATION_CURRENCY_MISMATCH AUTH_CAPTURE_CURRENCY_MISMATCH AUTH_CURRENCY_MISMATCH
    CURRENCY_MISMATCH REFUND_CAPTURE_CURRENCY_MISMATCH CURRENCY_NOT_SUPPORTED_FOR_COUNTRY`,
  unsupported_country: 'COUNTRY_NOT_SUPPORTED_BY_PAYMENT_SOURCE DOMESTIC_TRANSACTION_REQUIRED',
  unrecognised_country: 'INVALID_COUNTRY_CODE',
  invalid_shipping_address: 'SHIPPING_ADDRESS_INVALID CITY_REQUIRED POSTAL_CODE_REQUIRED',
  invalid_billing_address: 'BILLING_ADDRESS_INVALID',
  invalid_service_configuration: `AUTH_CAPTURE_NOT_ENABLED CONSENT_NEEDED INVALID_ACCOUNT_STATUS PAYEE_ACCOUNT_INVALID
    PAYEE_ACCOUNT_LOCKED_OR_CLOSED PAYEE_ACCOUNT_NOT_VERIFIED PAYEE_ACCOUNT_RESTRICTED
    PAYEE_COUNTRY_NOT_SUPPORTED_FOR_PAYMENT_SOURCE`,
  insufficient_service_permissions: 'PERMISSION_DENIED NOT_AUTHORIZED',
  unknown_service_resource: 'RESOURCE_NOT_FOUND INVALID_RESOURCE_ID',
};

const BY_ISSUE: ReadonlyMap<string, Meaning> = new Map([
  ...listed('declined', DECLINES),
  ...listed('failed', FAILURES),
]);

function listed(
  kind: Meaning['kind'],
  codes: Partial<Record<DeclineCode, string>>,
): readonly (readonly [string, Meaning])[] {
  return Array.from(meaningsByWord(codes), ([issue, errorCode]) => [issue, { kind, errorCode }] as const);
}

/** The beginnings of issues about the merchant's account. */
const OF_ACCOUNT = /^(NOT_ENABLED_|PAYEE_NOT_ENABLED_|NOT_ELIGIBLE_FOR_)/;

/** The meaning of an error without a listed issue. All three say that PayPal did nothing. */
const BY_NAME: Readonly<Record<string, Meaning>> = {
  INVALID_REQUEST: { kind: 'failed', errorCode: 'invalid_service_request' },
  RESOURCE_NOT_FOUND: { kind: 'failed', errorCode: 'unknown_service_resource' },
  UNPROCESSABLE_ENTITY: { kind: 'failed', errorCode: 'unknown_error' },
};

/** The issues that an earlier request of the same key may have caused. A look-up decides. */
const HAPPENED =
  /ALREADY|DUPLICATE|PREVIOUSLY|IN_PROGRESS|COMPLETED_OR_VOIDED|FULLY_REFUNDED|AMOUNT_EXCEEDED/;

/** Lists the issues of an error. */
export const issuesOf = ({ details }: PayPalError): readonly string[] =>
  details.flatMap(({ issue }) => issue ?? []);

/** True if an error has one of these issues. */
export const hasIssue = (error: PayPalError, ...issues: readonly string[]): boolean =>
  issuesOf(error).some((issue) => issues.includes(issue));

/** True after an error that an earlier request of the same key may have caused. */
export const mayHaveHappened = (error: PayPalError): boolean =>
  issuesOf(error).some((issue) => HAPPENED.test(issue));

/** True if PayPal has no such object. */
export const isMissing = (error: PayPalError): boolean => error.name === 'RESOURCE_NOT_FOUND';

/** Returns the meaning of an explicit error. Null for an error that says nothing certain. */
export function meaningOf(error: PayPalError): Meaning | null {
  const issues = issuesOf(error);
  const listed = issues.flatMap((issue) => BY_ISSUE.get(issue) ?? [])[0];
  if (listed) return listed;
  if (issues.some((issue) => OF_ACCOUNT.test(issue)))
    return { kind: 'failed', errorCode: 'invalid_service_configuration' };
  return mayHaveHappened(error) ? null : (BY_NAME[error.name] ?? null);
}

/** Maps an explicit error to a refusal. An error that says nothing certain is `unknown`, and may be of an earlier request. */
export function refusalOf(error: PayPalError, reference: string | null): Outcome {
  const meaning = meaningOf(error);
  if (meaning)
    return {
      ...meaning,
      reference,
      rawResponseCode: issuesOf(error)[0] ?? error.name,
      rawResponseDescription: error.details[0]?.description ?? error.message ?? null,
    };
  return mayHaveHappened(error)
    ? { kind: 'unknown', cause: 'server_error', arrived: true }
    : { kind: 'unknown', cause: 'unreadable' };
}
