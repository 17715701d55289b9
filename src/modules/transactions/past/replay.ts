import type { App } from '../../../app.ts';
import { isRetriableDecline } from '../../../connectors/codes/decline-codes.ts';
import { paysByTokenAlone } from '../../payment-methods/index.ts';
import {
  findCandidates,
  servedMethod,
  type Candidate,
  type CandidateFilter,
} from '../../payment-services/index.ts';
import { decide, type CompiledVersion, type Decision } from '../../routing/index.ts';
import { servicesOf } from '../create/apply-rules.ts';
import { factsThen, isOfStoredMethod } from '../create/facts-then.ts';
import { featureOf, isOnlyReadByProvider } from '../model/means.ts';
import { skipsRetry } from '../model/retriable.ts';
import type { PastAttempt, PastPayment } from './past-payments.sql.ts';

/** The way that a version gives a past payment. Null: the rules do not decide about such a payment. */
export type ReplayedRoute = {
  readonly decision: Decision;
  /** The services in the order in which the payment would ask them. Empty if none accepts it, and for a refusal. */
  readonly paymentServiceIds: readonly string[];
};

/** Plays past payments through a version. */
export type Replay = (payment: PastPayment) => Promise<ReplayedRoute | null>;

/** The part of a payment service that a replay remembers. */
type Service = Pick<Candidate, 'id' | 'definitionId' | 'threeDSecureEnabled'>;

/** The most different payments whose services are remembered. Each takes some kilobytes if the services are many. */
const REMEMBERED_MAX = 5_000;

/**
 * Returns the replay of a merchant account's payments through a version. The services are those of today, read once for all payments
 * that are alike. The replay remembers them, so a new one is made after seconds.
 */
export function replayThrough(app: App, merchantAccountId: string, version: CompiledVersion): Replay {
  const known = new Map<string, readonly Service[]>();
  const candidatesOf = async (filter: CandidateFilter): Promise<readonly Service[]> => {
    const key = JSON.stringify(filter);
    const found = known.get(key);
    if (found) return found;
    if (known.size >= REMEMBERED_MAX) known.clear();
    const read = await findCandidates(app, merchantAccountId, filter);
    const services = read.map(({ id, definitionId, threeDSecureEnabled }) => ({
      ...{ id, definitionId, threeDSecureEnabled },
    }));
    known.set(key, services);
    return services;
  };
  return async (payment) => {
    if (passesBy(payment)) return null;
    const { routing, createdAt } = payment;
    const facts = factsThen(payment, routing ? new Date(routing.decidedAt) : createdAt);
    const decision = decide(version, facts);
    if (decision.route.kind === 'refuse') return { decision, paymentServiceIds: [] };
    const asked = askedByToken(payment);
    const candidates = await candidatesOf(filterOf(payment, facts, asked));
    const able = isKnownByToken(payment) ? candidates.filter(({ id }) => asked.includes(id)) : candidates;
    const services = servicesOf(decision, facts, able);
    return { decision, paymentServiceIds: upToLast(payment, services).map(({ id }) => id) };
  };
}

/**
 * True if an attempt sent the payment on to the next service. The table of declines decides, as for a payment of today.
 */
export const wentOn = ({ status, errorCode, wasOpen }: PastAttempt): boolean =>
  !wasOpen && (status === 'failed' || (status === 'declined' && isRetriableDecline(errorCode ?? '')));

/** True for a payment that named its service, and for one that gift cards paid alone. Applying rules has the same condition. */
const passesBy = ({ attempts, instrumentType, paymentLinkId }: PastPayment): boolean =>
  instrumentType === null || (attempts?.[0]?.choice === 'requested' && paymentLinkId === null);

const isKnownByToken = (payment: PastPayment): boolean =>
  isOfStoredMethod(payment) && paysByTokenAlone(payment.instrumentType);

/** Lists the services that took the payment by a token of their own. Others may have had a token, and the past does not tell. */
const askedByToken = (payment: PastPayment): readonly string[] =>
  isOfStoredMethod(payment) && (payment.merchantInitiated || paysByTokenAlone(payment.instrumentType))
    ? (payment.attempts ?? []).map(({ paymentServiceId }) => paymentServiceId)
    : [];

/** Describes a payment to the choice of services as its creation does. */
const filterOf = (
  payment: PastPayment,
  facts: ReturnType<typeof factsThen>,
  knownTo: readonly string[],
): CandidateFilter => ({
  ...{ currency: payment.currency, country: payment.country, method: servedMethod(payment.method) },
  ...{ intent: payment.intent, knownTo, authenticates: facts.threeDSecureRequest === 'always' },
  ...{ passesThrough: facts.hasThreeDSecureData, installmentCount: payment.installmentCount },
  cardNetwork: payment.cardNetwork,
  means: isKnownByToken(payment) ? null : featureOf(payment.instrumentType, payment.method),
  splits: payment.hasSplits,
  storesToken: payment.store && isOnlyReadByProvider(payment.instrumentType),
});

/** Ends a route at the service after which the payment forbids further attempts. The accounts of shares are those of one provider. */
function upToLast(
  { connectionOptions, hasSplits }: PastPayment,
  services: readonly Service[],
): readonly Service[] {
  if (hasSplits) return services.slice(0, 1);
  const last = services.findIndex(({ definitionId }) => skipsRetry(connectionOptions, definitionId));
  return last === -1 ? services : services.slice(0, last + 1);
}
