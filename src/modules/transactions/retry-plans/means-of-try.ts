import type { App } from '../../../app.ts';
import { asksProvider, findCandidates, servedMethod, type Candidate } from '../../payment-services/index.ts';
import { needsToken, servicesWithToken, tokenAt } from '../instrument/provider-token.ts';
import { cardColumns } from '../instrument/card-columns.ts';
import { resolveStored } from '../instrument/resolve-stored.ts';
import { meansOf, type MeansWithTerms } from '../instrument/sealed-means.ts';
import { termsAt } from '../instrument/terms.ts';
import { featureOf } from '../model/means.ts';
import type { RetryPlanReason } from '../retry-rules/plan.ts';
import type { Transaction } from '../model/transaction.ts';
import type { CardOfTry } from './later-try.sql.ts';

/** The card and the service of a try. */
export type MeansOfTry = {
  readonly service: Candidate;
  readonly means: MeansWithTerms;
  readonly card: CardOfTry;
  readonly fingerprint: string | null;
};

/**
 * Opens the stored card as it is now, at the service that the payment asked last. Returns the reason if the card or the service can no
 * longer pay. Runs outside any transaction, because the vault may use the network.
 */
export async function meansOfTry(app: App, transaction: Transaction): Promise<MeansOfTry | RetryPlanReason> {
  const { merchantAccountId, paymentMethodId, instrumentType } = transaction;
  if (paymentMethodId === null) return 'payment_method_unusable';
  const requested = { id: paymentMethodId, securityCode: null, cryptogram: null, eci: null };
  const paying = await resolveStored(
    app,
    { merchantAccountId },
    { ...transaction, paymentServiceId: null },
    { ...requested, network: transaction.cardNetwork, buyer: null },
  );
  if (!paying.ok || paying.value.instrumentType !== instrumentType || !paying.value.stored)
    return 'payment_method_unusable';
  const { stored } = paying.value;
  const service = await serviceOf(app, transaction);
  if (!service) return 'payment_service_unusable';
  const token = await tokenAt(app, transaction, service.id);
  if (token === null && needsToken(app, transaction, service)) return 'payment_method_unusable';
  const terms = termsAt({ ...service, asksProvider: asksProvider(app, service) }, stored, transaction);
  return {
    service,
    means: { ...meansOf(paying.value, token), terms },
    card: cardColumns(paying.value, null),
    fingerprint: stored.fingerprint,
  };
}

/** Finds the service that the payment asked last, if it still accepts such a payment. */
async function serviceOf(app: App, transaction: Transaction): Promise<Candidate | null> {
  const { merchantAccountId, paymentServiceId, currency, country, intent, instrumentType } = transaction;
  if (paymentServiceId === null) return null;
  const { cardNetwork, installmentCount, splits, method } = transaction;
  const [service] = await findCandidates(app, merchantAccountId, {
    ...{ method: servedMethod(method), currency, country, intent, paymentServiceId },
    ...{ means: featureOf(instrumentType, method), cardNetwork, installmentCount },
    splits: splits !== null,
    knownTo: await servicesWithToken(app, transaction),
  });
  return service ?? null;
}
