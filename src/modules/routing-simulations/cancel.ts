import type { App, Viewer } from '../../app.ts';
import { notFound, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import type { Simulation } from './simulation.ts';
import { endUnfinished, readSimulations } from './store.ts';

/**
 * Cancels a simulation. The worker stops within seconds, and its counts are forgotten. A simulation that has ended stays as it is.
 * Commits once.
 */
export async function cancelRoutingSimulation(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<Simulation, NotFound>> {
  await endUnfinished(app.db, { merchantAccountId, id, now: app.clock.now() });
  const [simulation] = await readSimulations(app.db, merchantAccountId, [id]);
  return simulation ? ok(simulation) : refuse(notFound('routing simulation'));
}
