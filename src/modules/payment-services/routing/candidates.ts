import type { App } from '../../../app.ts';
import { thresholdOf } from '../circuit/threshold.ts';
import { listDefinitionIds } from '../model/definitions.ts';
import type { Payee } from './deciding-version.sql.ts';
import { listUnserving } from './intent.ts';
import {
  listForeign,
  listGuarded,
  listUnable,
  listUnchoosing,
  listUnsharing,
  listUnsplitting,
} from './means.ts';
import {
  findAccepting,
  type Candidate,
  type CandidateFilter,
  type Catalogue,
  type Route,
} from './routing.sql.ts';

/** Returns the definitions that can take a payment, and those that decide about one of its properties. */
export const catalogueOf = (
  app: Pick<App, 'connectors' | 'config'>,
  { currency, country, intent, installmentCount, cardNetwork, means, splits }: CandidateFilter,
): Catalogue => ({
  definitionIds: listDefinitionIds(app),
  foreign: listForeign(app, { currency, country }),
  unserving: listUnserving(app, intent ?? null),
  unable: means == null ? [] : listUnable(app, means),
  guarded: means == null ? [] : listGuarded(app, means),
  notPassing: listUnable(app, 'three_d_secure_pass_through'),
  unsplitting: (installmentCount ?? 1) > 1 ? listUnsplitting(app) : [],
  unchoosing: cardNetwork == null ? [] : listUnchoosing(app, cardNetwork),
  unsharing: splits ? listUnsharing(app) : [],
});

/**
 * Finds the payment services that accept a payment, by position, then id. Each service:
 * - is active, not deleted and has status `created`
 * - has a definition that works here
 * - accepts the method, currency, country, intent, means to pay, instalments, network and shares
 *
 * The route also holds the active anti-fraud service, even if its definition does not work here. A payment then cannot
 * skip its check unnoticed. It names the version of the merchant's own rules that decides now. The version of the payment link comes
 * first, then that of the key, then that of the merchant account. Each service comes with its open circuit. The order does not heed
 * the circuits.
 */
export const findRoute = (app: App, payee: Payee, filter: CandidateFilter): Promise<Route> =>
  findAccepting(app.db, payee, filter, {
    ...catalogueOf(app, filter),
    now: app.clock.now(),
    circuits: thresholdOf(app) !== null,
  });

/** Finds the payment services of a payment's route. */
export const findCandidates = async (
  app: App,
  merchantAccountId: string,
  filter: CandidateFilter,
): Promise<readonly Candidate[]> => (await findRoute(app, { merchantAccountId }, filter)).candidates;
