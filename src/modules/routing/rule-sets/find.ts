import type { App, Viewer } from '../../../app.ts';
import { inOrderOf } from '../../../platform/ids.ts';
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

/** Returns the activation that decides now. Null before the first. */
export const findActiveRouting = (app: App, { merchantAccountId }: Viewer): Promise<Activation | null> =>
  findActiveAt(app.db, merchantAccountId, app.clock.now());
