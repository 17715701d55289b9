import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { changeScenarios } from './change.ts';
import { recordScenarioEvent } from './event.ts';
import { moved } from './order.ts';
import { refusedInProduction, type SandboxOnly } from '../sandbox.ts';
import { withId, type ThreeDSScenario } from '../scenario.ts';
import { replaceScenario, writeOrder } from '../store.ts';

/** The scenario before or after which another is put. Exactly one of the two is given. */
export type PlacementInput =
  | { readonly before: string; readonly after?: never }
  | { readonly after: string; readonly before?: never };

/**
 * Puts a scenario directly before or after another one. All others keep their order. Refuses a scenario as its own
 * neighbour. A repeated call leaves the same order. Refused in production. Commits once, with the event of the moved
 * scenario.
 */
export async function moveThreeDSScenario(
  app: App,
  viewer: Viewer,
  id: string,
  to: PlacementInput,
): Promise<Result<ThreeDSScenario, SandboxOnly | InvalidInput | NotFound>> {
  const refused = refusedInProduction(app);
  if (refused) return refused;
  const [side, neighbourId] =
    to.before === undefined ? ['after' as const, to.after] : ['before' as const, to.before];
  if (neighbourId.toLowerCase() === id.toLowerCase()) {
    return refuse(invalidInput(['to', side], 'Name a scenario other than the moved one.'));
  }
  const { merchantAccountId } = viewer;
  return await changeScenarios(app, merchantAccountId, async (tx, scenarios): Promise<Moved> => {
    const [scenario, neighbour] = [withId(scenarios, id), withId(scenarios, neighbourId)];
    if (!scenario) return refuse(notFound('3-D Secure scenario'));
    if (!neighbour) return refuse(notFound('3-D Secure scenario', ['to', side]));
    const ids = moved(
      scenarios.map((each) => each.id),
      scenario.id,
      { side, id: neighbour.id },
    );
    const after = { ...scenario, position: ids.indexOf(scenario.id) + 1, updatedAt: app.clock.now() };
    await replaceScenario(tx, after);
    await writeOrder(tx, merchantAccountId, ids);
    await recordScenarioEvent(app, tx, 'updated', after);
    return ok(after);
  });
}

type Moved = Result<ThreeDSScenario, NotFound>;
