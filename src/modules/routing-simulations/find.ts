import type { App, Viewer } from '../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../kernel/page.ts';
import type { InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { inOrderOf, isUuid } from '../../platform/ids.ts';
import type { Simulation } from './simulation.ts';
import { readSimulationPage, readSimulations } from './store.ts';

/** Returns simulations in the order of the ids. Null for an unknown id. */
export const findRoutingSimulations = async (
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (Simulation | null)[]> =>
  inOrderOf(ids, await readSimulations(app.db, merchantAccountId, ids));

/** Lists the simulations of the merchant account, newest first. */
export async function listRoutingSimulations(
  app: App,
  { merchantAccountId }: Viewer,
  page: PageRequest,
): Promise<Result<Page<Simulation>, InvalidInput>> {
  if (page.cursor !== null && !isUuid(page.cursor)) return refuse(notACursor(page));
  return ok(toPage(page, await readSimulationPage(app.db, merchantAccountId, page)));
}
