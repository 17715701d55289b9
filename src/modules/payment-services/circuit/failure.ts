import type { DeclineCode } from '../../../connectors/codes/decline-codes.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';

/** True for an outcome that speaks against the provider. Every other outcome is an answer, a decline as well. */
export const isTechnicalFailure = (outcome: Outcome): boolean =>
  outcome.kind === 'unknown' || (outcome.kind === 'failed' && OF_THE_SERVICE.has(outcome.errorCode));

/** The failures that any payment may meet at the service. The other ones have their reason in one payment. */
const OF_THE_SERVICE: ReadonlySet<DeclineCode> = new Set([
  'insufficient_service_permissions',
  'internal_error',
  'invalid_service_configuration',
  'invalid_service_credentials',
  'invalid_service_response',
  'service_error',
  'service_network_error',
  'service_rate_limit',
  'unknown_error',
]);
