import type { App } from '../../../../app.ts';
import { findProvider } from '../../../payment-services/index.ts';
import type { FinalOutcome } from '../../model/outcome.ts';
import type { Claim } from '../../engine/send.ts';
import { GIFT_CARDS_ALONE, type Transaction } from '../../model/transaction.ts';

/** Whether a payment service can hold a payment as long as it has to: one that is to be reviewed must not be captured at once. */
export function canHold(
  app: Pick<App, 'connectors'>,
  { intent, antiFraudDecision, method }: Transaction,
  { definitionId }: { readonly definitionId: string },
): boolean {
  if (intent !== 'capture' || antiFraudDecision !== 'review' || method === GIFT_CARDS_ALONE) return true;
  return findProvider(app, definitionId)?.definition.supportedFeatures.delayed_capture ?? false;
}

/** Why an authorisation is not asked of its service; null: it is. It is a failure of this service: the next one may hold it. */
export const refusalToHold = (
  app: Pick<App, 'connectors'>,
  { operation, transaction, connection }: Claim,
): FinalOutcome | null =>
  operation.kind !== 'authorize' || canHold(app, transaction, connection) ? null : CANNOT_HOLD;

const CANNOT_HOLD: FinalOutcome = {
  kind: 'failed',
  reference: null,
  errorCode: 'unsupported_transaction',
  rawResponseCode: null,
  rawResponseDescription: null,
};
