import type { DeclineCode, Outcome } from '../door.ts';
import type { MollieError } from './answers.ts';

/** The meaning of a refused field, by the beginning of its path. The first that fits counts. */
const BY_FIELD: readonly (readonly [string, DeclineCode])[] = [
  ['amount.currency', 'unsupported_currency'],
  ['currency', 'unsupported_currency'],
  ['amount', 'invalid_amount'],
  ['method', 'unsupported_payment_method'],
  ['billingAddress', 'invalid_billing_address'],
  ['shippingAddress', 'invalid_shipping_address'],
  ['cardToken', 'invalid_payment_method'],
  ['customerId', 'unknown_payment_method'],
  ['mandateId', 'unknown_payment_method'],
];

/** The meaning of a status. Mollie did nothing. */
const BY_STATUS: Readonly<Record<number, DeclineCode>> = {
  404: 'unknown_service_resource',
  410: 'unknown_service_resource',
};

/** Returns the outcome of a refused request. */
export const refusalOf = (error: MollieError, reference: string | null): Outcome => ({
  ...{ kind: 'failed', reference, errorCode: codeOf(error) },
  ...{ rawResponseCode: error.field ?? String(error.status), rawResponseDescription: error.detail ?? null },
});

function codeOf({ status, field }: MollieError): DeclineCode {
  const [, code] = BY_FIELD.find(([path]) => field === path || field?.startsWith(`${path}.`)) ?? [];
  return BY_STATUS[status] ?? code ?? 'invalid_service_request';
}

/** True if Mollie does not have the object. 410 stands for one that was deleted. */
export const isMissing = ({ status }: MollieError): boolean => status === 404 || status === 410;

/** Mollie's reasons for the failure of a card, by their meaning. */
const FAILURE_REASONS: Readonly<
  Record<string, { readonly kind: 'declined' | 'failed'; readonly code: DeclineCode }>
> = {
  authentication_abandoned: { kind: 'failed', code: 'cancelled_buyer_approval' },
  authentication_failed: { kind: 'failed', code: 'failed_buyer_approval' },
  authentication_unavailable_acs: { kind: 'failed', code: 'failed_buyer_approval' },
  authentication_required: { kind: 'declined', code: 'requires_buyer_authentication' },
  card_declined: { kind: 'declined', code: 'other_decline' },
  unknown_reason: { kind: 'declined', code: 'other_decline' },
  refused_by_issuer: { kind: 'declined', code: 'issuer_decline' },
  card_expired: { kind: 'declined', code: 'expired_payment_method' },
  inactive_card: { kind: 'declined', code: 'canceled_payment_method' },
  insufficient_funds: { kind: 'declined', code: 'insufficient_funds' },
  invalid_cvv: { kind: 'declined', code: 'incorrect_cvv' },
  invalid_card_number: { kind: 'declined', code: 'unknown_payment_method' },
  invalid_card_holder_name: { kind: 'declined', code: 'invalid_payment_method' },
  invalid_card_type: { kind: 'declined', code: 'unsupported_payment_method' },
  possible_fraud: { kind: 'declined', code: 'suspected_fraud' },
};

/** Returns the meaning of a failed payment. Most methods give no reason. */
export const failureOf = (reason: string | null | undefined) =>
  FAILURE_REASONS[reason ?? ''] ?? ({ kind: 'declined', code: 'other_decline' } as const);
