import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { changeScenarios } from './change.ts';
import { recordScenarioEvent } from './event.ts';
import { refusedInProduction, type SandboxOnly } from '../sandbox.ts';
import { withId } from '../scenario.ts';
import { removeScenario, writeOrder } from '../store.ts';

/**
 * Deletes a scenario for good and moves up those behind it. Refused in production. Commits once, with the event.
 * Returns the id.
 */
export async function deleteThreeDSScenario(
  app: App,
  viewer: Viewer,
  id: string,
): Promise<Result<string, SandboxOnly | NotFound>> {
  const refused = refusedInProduction(app);
  if (refused) return refused;
  const { merchantAccountId } = viewer;
  const removed = await changeScenarios(app, merchantAccountId, async (tx, scenarios) => {
    const scenario = withId(scenarios, id);
    if (!scenario) return null;
    const others = scenarios.filter((other) => other !== scenario);
    await removeScenario(tx, scenario);
    await writeOrder(
      tx,
      merchantAccountId,
      others.map((other) => other.id),
    );
    await recordScenarioEvent(app, tx, 'deleted', { ...scenario, updatedAt: app.clock.now() });
    return scenario.id;
  });
  return removed === null ? refuse(notFound('3-D Secure scenario')) : ok(removed);
}
