import type { App, Viewer } from '../../../app.ts';
import { findPaymentServices, methodsServedBy } from '../../payment-services/index.ts';
import type { ServiceTerms } from '../model/check.ts';

/** Reads the payment services of these ids that are not deleted, with the payments that they accept. */
export async function readServiceTerms(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly ServiceTerms[]> {
  const services = ids.length === 0 ? [] : await findPaymentServices(app, viewer, [...new Set(ids)]);
  return services.flatMap((service) => {
    if (!service || service.isDeleted) return [];
    const { id, displayName, method, acceptedCurrencies, acceptedCountries } = service;
    return [{ id, displayName, methods: methodsServedBy(method), acceptedCurrencies, acceptedCountries }];
  });
}
