import type { App, Viewer } from '../../../app.ts';
import { withId, type ThreeDSScenario } from '../scenario.ts';
import { findScenariosByIds } from '../store.ts';

/** Returns scenarios in the order of the ids. An id is null when the merchant account has no such scenario. */
export async function findThreeDSScenarios(
  app: App,
  viewer: Viewer,
  ids: readonly string[],
): Promise<readonly (ThreeDSScenario | null)[]> {
  const found = await findScenariosByIds(app.db, viewer.merchantAccountId, ids);
  return ids.map((id) => withId(found, id));
}
