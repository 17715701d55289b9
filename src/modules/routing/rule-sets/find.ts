import type { App, Viewer } from '../../../app.ts';
import { inOrderOf, isUuid } from '../../../platform/ids.ts';
import {
  findActiveAt,
  findRuleSetsByIds,
  findValueSetsByIds,
  findVersionHeadsByIds,
  findVersionsByIds,
} from '../store.ts';
import type { ValueSet } from '../model/value-set.ts';
import type { Activation, RuleSet, StoredVersion, VersionHead } from '../model/rule-set.ts';

/** Returns rule sets in the order of the ids. Null for an unknown id. */
export const findRoutingRuleSets = async (
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (RuleSet | null)[]> =>
  inOrderOf(ids, await findRuleSetsByIds(app.db, merchantAccountId, ids));

/** Returns versions without their rules, in the order of the ids. Null for an unknown id. */
export const findRoutingVersionHeads = async (
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (VersionHead | null)[]> =>
  inOrderOf(ids, await findVersionHeadsByIds(app.db, merchantAccountId, ids));

/** Returns versions in the order of the ids. Null for an unknown id. */
export const findRoutingRuleSetVersions = async (
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (StoredVersion | null)[]> =>
  inOrderOf(ids, await findVersionsByIds(app.db, merchantAccountId, ids));

/** Returns value sets in the order of the ids. Null for an unknown id. */
export const findRoutingValueSets = async (
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (ValueSet | null)[]> =>
  inOrderOf(ids, await findValueSetsByIds(app.db, merchantAccountId, ids));

/**
 * Returns the activation that decides now about the payments of a key. Without a key: about those of the merchant account. A key
 * without rules of its own follows the merchant account. Null before the first.
 */
export async function findActiveRouting(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  apiKeyPairId: string | null,
): Promise<Activation | null> {
  const now = app.clock.now();
  const ofKey =
    apiKeyPairId !== null && isUuid(apiKeyPairId)
      ? await findActiveAt(app.db, { merchantAccountId, apiKeyPairId }, now)
      : null;
  return ofKey?.versionId ? ofKey : findActiveAt(app.db, { merchantAccountId, apiKeyPairId: null }, now);
}
