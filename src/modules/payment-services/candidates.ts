import type { App } from '../../app.ts';
import { listDefinitionIds } from './definitions.ts';
import { listUnserving } from './intent.ts';
import {
  findAccepting,
  type Candidate,
  type CandidateFilter,
  type Catalogue,
  type Route,
} from './store/routing.ts';

/** What the catalogue says of a payment. */
export const catalogueOf = (
  app: Pick<App, 'connectors' | 'config'>,
  { intent }: CandidateFilter,
): Catalogue => ({ definitionIds: listDefinitionIds(app), unserving: listUnserving(app, intent ?? null) });

/**
 * The payment services that accept a payment, best first: active, not deleted, status `created`, of a definition that
 * works here, and accepting the method, the currency, the country and the intent. Ordered by position, then id. With them the
 * anti-fraud service that judges it, also one whose definition does not work here, so that no payment goes unjudged unsaid.
 */
export const findRoute = (app: App, merchantAccountId: string, filter: CandidateFilter): Promise<Route> =>
  findAccepting(app.db, merchantAccountId, filter, catalogueOf(app, filter));

/** The payment services of a payment's route. */
export const findCandidates = async (
  app: App,
  merchantAccountId: string,
  filter: CandidateFilter,
): Promise<readonly Candidate[]> => (await findRoute(app, merchantAccountId, filter)).candidates;
