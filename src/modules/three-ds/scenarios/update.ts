import type { App, Viewer } from '../../../app.ts';
import { notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { changeScenarios } from './change.ts';
import { toStoredConditions } from './conditions.ts';
import { recordScenarioEvent } from './event.ts';
import { updateScenarioInput, type UpdateThreeDSScenarioInput } from '../input/scenario.ts';
import { refusedInProduction, type SandboxOnly } from '../sandbox.ts';
import { withId, type ThreeDSScenario } from '../scenario.ts';
import { replaceScenario } from '../store.ts';

/**
 * Replaces the conditions of a scenario, its outcome, or both, each as a whole. The position stays. Refused in
 * production. Commits once, with the event.
 */
export async function updateThreeDSScenario(
  app: App,
  viewer: Viewer,
  id: string,
  input: UpdateThreeDSScenarioInput,
): Promise<Result<ThreeDSScenario, SandboxOnly | InvalidInput | NotFound>> {
  const refused = refusedInProduction(app);
  if (refused) return refused;
  const parsed = parseInput(updateScenarioInput, input);
  if (!parsed.ok) return parsed;
  const { merchantAccountId } = viewer;
  const given = parsed.value;
  const conditions = given.conditions && (await toStoredConditions(app, merchantAccountId, given.conditions));
  const changed = await changeScenarios(app, merchantAccountId, async (tx, scenarios) => {
    const before = withId(scenarios, id);
    if (!before) return null;
    const after: ThreeDSScenario = {
      ...before,
      conditions: conditions ?? before.conditions,
      outcome: given.outcome ?? before.outcome,
      updatedAt: app.clock.now(),
    };
    await replaceScenario(tx, after);
    await recordScenarioEvent(app, tx, 'updated', after);
    return after;
  });
  return changed ? ok(changed) : refuse(notFound('3-D Secure scenario'));
}
