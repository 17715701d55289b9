import type { App } from '../../app.ts';
import { listDefinitionIds } from './definitions.ts';
import { findAccepting, type CandidateFilter, type Candidate } from './store/routing.ts';

/**
 * The payment services that accept a payment, best first: active, not deleted, status `created`, of a definition that
 * works here, and accepting the method, the currency and the country. Ordered by position, then id.
 */
export async function findCandidates(
  app: App,
  merchantAccountId: string,
  filter: CandidateFilter,
): Promise<readonly Candidate[]> {
  return await findAccepting(app.db, merchantAccountId, filter, listDefinitionIds(app));
}
