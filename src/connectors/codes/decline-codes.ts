/** The kind of a code: a decline by issuer or provider, or a technical failure without effect. */
export type DeclineKind = 'declined' | 'failed';

type Meaning = { readonly kind: DeclineKind; readonly meaning: string };

const declined = (meaning: string): Meaning => ({ kind: 'declined', meaning });
const failed = (meaning: string): Meaning => ({ kind: 'failed', meaning });

/**
 * Every normalised reason of a decline or a failure. The codes are the values of `errorCode`, of `error_code` in events, and
 * of `code` in histories. The kind is the usual one. An operation's status says how that operation ended.
 */
export const DECLINE_CODES = {
  canceled: failed('The payment was cancelled.'),
  canceled_payment_method: declined('The payment method was cancelled.'),
  cancelled_buyer_approval: failed('The buyer cancelled the approval.'),
  disputed_transaction: failed('The payment is disputed.'),
  duplicate_transaction: declined('The service takes the operation for a repetition of an earlier one.'),
  expired_authorization: declined('The authorisation has expired.'),
  expired_card: declined('The gift card has expired.'),
  expired_payment_method: declined('The payment method has expired.'),
  failed_buyer_approval: declined('3-D Secure did not authenticate the buyer.'),
  inactive_card: declined('The gift card is blocked, or has not been activated.'),
  incomplete_buyer_approval: failed('The buyer did not decide or pay in time.'),
  incorrect_billing_address: declined('The billing address does not match the payment method.'),
  incorrect_country: declined('The payment method does not work in this country.'),
  incorrect_currency: declined('The payment method does not work in this currency.'),
  incorrect_cvv: declined('The security code is wrong.'),
  incorrect_expiry_date: declined('The expiry date is wrong.'),
  insufficient_funds: declined('The amount exceeds the available money.'),
  insufficient_service_permissions: failed("The merchant's account at the service may not do this."),
  internal_error: failed('The service had an internal fault.'),
  invalid_amount: failed('The service refuses the amount.'),
  invalid_billing_address: failed('The service refuses the form of the billing address.'),
  invalid_gift_card: declined('No gift card has this number and PIN.'),
  invalid_operation: failed('The service does not allow this operation now.'),
  invalid_payment_method: failed('The service refuses the payment method.'),
  invalid_request_parameters: failed('The service refuses a parameter of the request.'),
  invalid_service_configuration: failed('The service refuses the settings of the payment service.'),
  invalid_service_credentials: failed('The service refuses the credentials of the payment service.'),
  invalid_service_request: failed('The service could not read the request.'),
  invalid_service_response: failed('An answer of a third party to the service was not readable.'),
  invalid_shipping_address: failed('The service refuses the form of the shipping address.'),
  invalid_tax_identifier: failed('The service refuses the tax identifier.'),
  issuer_decline: declined('The issuer declined and gave no further reason.'),
  max_gift_cards_reached: declined('The number of gift cards exceeds the limit.'),
  missing_billing_address: failed('The service needs a billing address.'),
  missing_cvv: failed('The service needs a security code.'),
  missing_shipping_address: failed('The service needs a shipping address.'),
  missing_tax_identifier: failed('The service needs a tax identifier.'),
  operation_canceled: failed('The operation on the gift card was cancelled.'),
  other_decline: declined('The service or the issuer declined for a reason without a code of its own.'),
  refund_already_satisfied: failed('The amount was refunded before.'),
  refund_period_expired: failed('The service no longer refunds a payment of this age.'),
  refused_transaction: declined('The issuer refuses this payment. Do not try again.'),
  requires_buyer_authentication: failed('The issuer requires an authentication of the buyer.'),
  resolved_as_failed: failed('A person resolved the operation as failed.'),
  service_decline: declined('The service declined and gave no further reason.'),
  service_error: failed('The service had a fault.'),
  service_network_error: failed('The service was not reachable.'),
  service_rate_limit: failed('The service got too many requests.'),
  service_resource_conflict: failed('Another request changed the record at the service at the same time.'),
  suspected_fraud: declined('The service, the issuer or the anti-fraud service suspects fraud.'),
  unavailable_payment_method: failed('The payment method is not available now.'),
  unexpected_state: failed('The state of the payment does not allow the operation.'),
  unknown_error: failed('The service gave no reason, or an unknown one.'),
  unknown_payment_method: failed('The service does not know the payment method.'),
  unknown_service_resource: failed('The service does not know the record.'),
  unrecognised_country: failed('The service does not recognise the country.'),
  unrecognised_currency: failed('The service does not recognise the currency.'),
  unrecognised_payment_method: failed('The service does not recognise the payment method.'),
  unrecognised_scheme: failed('The service does not recognise the card scheme.'),
  unsupported_country: failed('The service does not support the country.'),
  unsupported_currency: failed('The service does not support the currency.'),
  unsupported_payment_method: failed('The service does not support the payment method.'),
  unsupported_scheme: failed('The service does not support the card scheme.'),
  unsupported_transaction: failed('The service does not support this kind of payment.'),
} as const satisfies Readonly<Record<string, Meaning>>;

/** A normalised reason of a decline or a failure. */
export type DeclineCode = keyof typeof DECLINE_CODES;

/**
 * The declines after which another payment service may still approve. After any other decline the issuer or the card is
 * the reason. Another attempt then only costs the merchant's standing with the scheme.
 */
export const retriableDeclines = [
  'incorrect_country',
  'incorrect_currency',
  'issuer_decline',
  'other_decline',
  'service_decline',
] as const satisfies readonly DeclineCode[];

/** True when the payment may go to the next payment service after a decline with this normalised code. */
export const isRetriableDecline = (code: string): boolean => retriable.has(code);

const retriable: ReadonlySet<string> = new Set(retriableDeclines);

/**
 * The refusals that time may mend, so that the same service may get a later try of a merchant-initiated payment. Each of them surely
 * moved no money. Any other refusal has a cause that stays.
 */
export const retriedLater = [
  'insufficient_funds',
  'internal_error',
  'invalid_service_response',
  'issuer_decline',
  'other_decline',
  'service_decline',
  'service_error',
  'service_network_error',
  'service_rate_limit',
  'service_resource_conflict',
  'unavailable_payment_method',
  'unknown_error',
] as const satisfies readonly DeclineCode[];

/** True when a plan of later tries may go on after a refusal with this normalised code. */
export const isRetriedLater = (code: string): boolean => later.has(code);

const later: ReadonlySet<string> = new Set(retriedLater);

/** Every code, in the order of the table. */
export const EVERY_DECLINE_CODE = Object.keys(DECLINE_CODES) as readonly DeclineCode[];

/** True when the payment may go to the next payment service after an outcome of the code's usual kind. */
export const usuallyGoesOn = (code: DeclineCode): boolean =>
  DECLINE_CODES[code].kind === 'failed' || isRetriableDecline(code);

/** Returns the code if it is listed. An unlisted code of a provider becomes the code without a further reason. */
export const listedCode = (code: string | null | undefined, kind: DeclineKind): DeclineCode =>
  isListed(code) ? code : UNLISTED[kind];

const isListed = (code: string | null | undefined): code is DeclineCode =>
  typeof code === 'string' && Object.hasOwn(DECLINE_CODES, code);

const UNLISTED = { declined: 'other_decline', failed: 'unknown_error' } as const;
