import type { App } from '../../app.ts';
import { findActiveAt, findLatestFigures, findPlannedAfter, findVersionsByIds } from './store.ts';
import type { StoredVersion } from './model/rule-set.ts';

/** The most planned versions whose figures are made before they decide. The others get theirs minutes after. */
const PLANNED_MAX = 10;

/** Finds the version that decides at a moment, and the next ones that are planned. */
export async function findDecidingVersions(
  app: App,
  merchantAccountId: string,
  now: Date,
): Promise<readonly StoredVersion[]> {
  const active = await findActiveAt(app.db, merchantAccountId, now);
  const planned = await findPlannedAfter(app.db, merchantAccountId, { now, limit: PLANNED_MAX });
  const ids = [active, ...planned].flatMap((activation) => activation?.versionId ?? []);
  return ids.length === 0 ? [] : await findVersionsByIds(app.db, merchantAccountId, ids);
}

/** Finds the latest snapshot of figures. Null before the first. A payment reads the id in its own statement. */
export const findLatestFiguresId = async (app: App, merchantAccountId: string): Promise<string | null> =>
  (await findLatestFigures(app.db, merchantAccountId))?.id ?? null;
