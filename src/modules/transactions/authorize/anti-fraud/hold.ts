import type { App } from '../../../../app.ts';
import { findProvider } from '../../../payment-services/index.ts';
import type { FinalOutcome } from '../../model/outcome.ts';
import type { AuthorizationClaim } from '../../claim/claim.ts';
import { GIFT_CARDS_ALONE, type Transaction } from '../../model/transaction.ts';

/** True when a payment service can hold a payment for its review. A reviewed payment must not be captured at once. */
export function canHold(
  app: Pick<App, 'connectors'>,
  { intent, antiFraudDecision, method }: Transaction,
  { definitionId }: { readonly definitionId: string },
): boolean {
  if (intent !== 'capture' || antiFraudDecision !== 'review' || method === GIFT_CARDS_ALONE) return true;
  return findProvider(app, definitionId)?.definition.supportedFeatures.delayed_capture ?? false;
}

/** Refuses a service that cannot hold a payment for its review. The next service may hold the payment. Null allows the call. */
export const refusalToHold = (
  app: Pick<App, 'connectors'>,
  { transaction, connection }: AuthorizationClaim,
): FinalOutcome | null => (canHold(app, transaction, connection) ? null : CANNOT_HOLD);

const CANNOT_HOLD: FinalOutcome = {
  kind: 'failed',
  reference: null,
  errorCode: 'unsupported_transaction',
  rawResponseCode: null,
  rawResponseDescription: null,
};
