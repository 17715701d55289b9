import type { DeclineCode, Outcome, ProviderWords } from '../../door.ts';
import type { Charge, Refund, StripeError } from '../api/answers.ts';
import { BY_BANK_CODE, BY_CODE, BY_DECLINE_CODE, BY_REFUND_FAILURE, type Meaning } from './error-tables.ts';

type Refused = Extract<Outcome, { readonly kind: 'declined' | 'failed' }>;

/** The facts beside an error that change its meaning. */
export type ErrorContext = {
  /** The charge that was refused. Null if the answer has only its id, or none. */
  readonly outcome?: Charge['outcome'];
  /** True when the request asked for an error in place of an approval by the buyer. */
  readonly refusesActions?: boolean;
};

/** Maps an explicit error to a refusal. `reference` is the id of the intent, as far as known. */
export function refusalOf(error: StripeError, reference: string | null, context: ErrorContext = {}): Refused {
  return {
    ...meaningOf(error, context),
    reference: reference ?? intentOf(error),
    ...wordsOf(error, context),
  };
}

const intentOf = ({ payment_intent, setup_intent }: StripeError): string | null =>
  payment_intent?.id ?? setup_intent?.id ?? null;

/** Decides our code and the kind. Only a card error is a decline by default. Advice and fraud checks go first. */
export function meaningOf(
  error: StripeError,
  { outcome, refusesActions = false }: ErrorContext = {},
): Meaning {
  if (forbidsRetry(error, outcome)) return { errorCode: 'refused_transaction', kind: 'declined' };
  if (isBlocked(outcome)) return { errorCode: 'suspected_fraud', kind: 'declined' };
  const { type, code, decline_code: declineCode } = error;
  if (code === 'card_declined' || (!code && declineCode)) return declinedAs(declineCode);
  if (code?.startsWith('parameter_') || code === 'payment_intent_invalid_parameter') return INVALID_REQUEST;
  if (code === 'resource_missing') return missing(error);
  const listed = code ? (BY_CODE.get(code) ?? BY_BANK_CODE.get(code)) : undefined;
  if (listed) return listed;
  if (declineCode) return declinedAs(declineCode);
  if (type !== 'card_error') return INVALID_REQUEST;
  // With `error_on_requires_action`, Stripe refuses without any code.
  return !code && refusesActions
    ? { errorCode: 'requires_buyer_authentication', kind: 'failed' }
    : { errorCode: 'other_decline', kind: 'declined' };
}

const INVALID_REQUEST: Meaning = { errorCode: 'invalid_service_request', kind: 'failed' };

const declinedAs = (declineCode: string | null | undefined): Meaning => ({
  errorCode: BY_DECLINE_CODE.get(declineCode ?? '') ?? 'other_decline',
  kind: 'declined',
});

const missing = ({ param }: StripeError): Meaning => ({
  errorCode: METHOD_PARAMS.has(param ?? '') ? 'unknown_payment_method' : 'unknown_service_resource',
  kind: 'failed',
});

const METHOD_PARAMS: ReadonlySet<string> = new Set(['payment_method', 'customer']);

/** A retry after such an advice costs a fee of the scheme. */
const forbidsRetry = (error: StripeError, outcome: Charge['outcome']): boolean =>
  [error.advice_code, outcome?.advice_code].includes('do_not_try_again') ||
  [error.network_advice_code, outcome?.network_advice_code].some(
    (advice) => advice === '03' || advice === '21',
  );

/** True when Stripe's own fraud checks stopped the charge before the issuer saw it. */
const isBlocked = (outcome: Charge['outcome']): boolean =>
  outcome?.type === 'blocked' ||
  (outcome?.network_status === 'not_sent_to_network' && FRAUD_REASONS.has(outcome.reason ?? ''));

const FRAUD_REASONS: ReadonlySet<string> = new Set([
  'rule',
  'highest_risk_level',
  'low_probability_of_authorization',
]);

const wordsOf = (error: StripeError, { outcome }: ErrorContext): ProviderWords => ({
  rawResponseCode: error.decline_code ?? error.code ?? null,
  rawResponseDescription: error.message ?? null,
  merchantAdviceCode: error.network_advice_code ?? outcome?.network_advice_code ?? null,
  networkResponseCode: error.network_decline_code ?? outcome?.network_decline_code ?? null,
});

/** Decides the code of a refund that failed. */
export const refundFailureOf = ({ failure_reason: reason }: Refund): DeclineCode =>
  BY_REFUND_FAILURE.get(reason ?? '') ?? 'unknown_error';

/** The codes after which the operation may have happened before, so a look-up decides. */
export const LOOK_FIRST: ReadonlySet<string> = new Set([
  ...['payment_intent_unexpected_state', 'intent_invalid_state', 'setup_intent_unexpected_state'],
  ...['charge_already_captured', 'charge_expired_for_capture', 'capture_charge_authorization_expired'],
  ...['charge_not_refundable', 'charge_already_refunded'],
]);
