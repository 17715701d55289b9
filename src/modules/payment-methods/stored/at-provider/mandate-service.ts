import type { App, Viewer } from '../../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../../kernel/refusal.ts';
import { findPaymentServices, findProvider } from '../../../payment-services/index.ts';
import type { StoredInstrumentInput } from '../../input/stored.ts';

const PATH = ['input', 'instrument', 'instantBankMandate', 'paymentServiceId'];

/**
 * Refuses a mandate at a service that cannot revoke mandates. Returns null for an accepted mandate or without a
 * mandate.
 */
export async function refuseMandate(
  app: App,
  viewer: Viewer,
  mandate: StoredInstrumentInput['instantBankMandate'],
): Promise<InvalidInput | NotFound | null> {
  if (!mandate) return null;
  const [service] = await findPaymentServices(app, viewer, [mandate.paymentServiceId]);
  if (!service || service.isDeleted) return notFound('payment service', PATH);
  const provider = findProvider(app, service.paymentServiceDefinitionId);
  if (provider?.connector.revokeMandate && provider.definition.method === mandate.method) return null;
  return invalidInput(PATH, 'This payment service does not support mandates for this method.');
}
