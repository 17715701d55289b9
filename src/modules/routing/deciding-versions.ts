import type { App } from '../../app.ts';
import {
  findActiveAt,
  findActiveOfKeys,
  findLatestFigures,
  findPlannedAfter,
  findVersionsByIds,
  findVersionsOfLinks,
} from './store.ts';
import type { StoredVersion } from './model/rule-set.ts';

/** The most planned versions whose figures are made before they decide. The others get theirs minutes after. */
const PLANNED_MAX = 10;

export type DecidingVersions = {
  readonly versions: readonly StoredVersion[];
  /** False if more versions may be planned. */
  readonly isComplete: boolean;
};

/**
 * Finds the versions that decide at a moment for the merchant account, its keys and its open payment links. Finds the next ones that
 * are planned, too.
 */
export async function findDecidingVersions(
  app: App,
  merchantAccountId: string,
  now: Date,
): Promise<DecidingVersions> {
  const active = await findActiveAt(app.db, { merchantAccountId, apiKeyPairId: null }, now);
  const ofKeys = await findActiveOfKeys(app.db, merchantAccountId, now);
  const ofLinks = await findVersionsOfLinks(app.db, merchantAccountId);
  const planned = await findPlannedAfter(app.db, merchantAccountId, { now, limit: PLANNED_MAX });
  const activated = [active, ...ofKeys, ...planned].flatMap((activation) => activation?.versionId ?? []);
  const ids = [...new Set([...activated, ...ofLinks])];
  return {
    versions: ids.length === 0 ? [] : await findVersionsByIds(app.db, merchantAccountId, ids),
    isComplete: planned.length < PLANNED_MAX,
  };
}

/** Finds the latest snapshot of figures. Null before the first. A payment reads the id in its own statement. */
export const findLatestFiguresId = async (app: App, merchantAccountId: string): Promise<string | null> =>
  (await findLatestFigures(app.db, merchantAccountId))?.id ?? null;
