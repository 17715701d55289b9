import { DECLINE_CODES, type DeclineCode, type Outcome } from '../door.ts';
import type { CheckoutError } from './answers.ts';

/** The errors of a request that Checkout.com refuses, by the beginning of an error code. The first match counts. */
const BY_BEGINNING: readonly (readonly [beginning: string, meaning: DeclineCode])[] = [
  ['card_expired', 'expired_payment_method'],
  ['card_number_invalid', 'unknown_payment_method'],
  ['card_number_required', 'invalid_payment_method'],
  ['card_expiry_', 'incorrect_expiry_date'],
  ['card_not_supported', 'unsupported_payment_method'],
  ['payment_method_not_supported', 'unsupported_payment_method'],
  ['cvv_required', 'missing_cvv'],
  ['cvv_', 'incorrect_cvv'],
  ['token_', 'invalid_payment_method'],
  ['source_', 'invalid_payment_method'],
  ['amount_', 'invalid_amount'],
  ['capture_value_', 'invalid_amount'],
  ['refund_amount_', 'invalid_amount'],
  ['currency_', 'unsupported_currency'],
  ['processing_channel_id_', 'invalid_service_configuration'],
];

/** Returns the meaning of an error without a listed code. */
const reasonOf = (status: number): DeclineCode =>
  status === 404 ? 'unknown_service_resource' : 'invalid_service_request';

const listedIn = ({ error_codes: codes }: CheckoutError): DeclineCode | undefined =>
  codes.flatMap((code) => BY_BEGINNING.find(([beginning]) => code.startsWith(beginning))?.[1] ?? [])[0];

type Refused = { readonly status: number; readonly error: CheckoutError };

/** Maps an explicit error to a refusal. Checkout.com did nothing for this request. */
export function refusalOf({ status, error }: Refused, reference: string | null = null): Outcome {
  const errorCode = listedIn(error) ?? reasonOf(status);
  return {
    ...{ kind: DECLINE_CODES[errorCode].kind, reference, errorCode },
    ...{ rawResponseCode: wordOf({ status, error }), rawResponseDescription: null },
  };
}

/** Returns the word of Checkout.com for an error. */
export const wordOf = ({
  status,
  error: {
    error_codes: [code],
    error_type: type,
  },
}: Refused): string => code ?? type ?? `http_${status}`;

/**
 * True for an error that speaks of the payment method or the amount itself. Such an error is no clash with an earlier request of the
 * key. A repeat lacks the security code, so an error about the code says nothing.
 */
export const isAboutPayment = ({ error }: Refused): boolean => {
  const listed = listedIn(error);
  return listed !== undefined && listed !== 'missing_cvv' && listed !== 'incorrect_cvv';
};
