import type { App, Viewer } from '../../../app.ts';
import { notACursor, toPage, type Page, type PageRequest } from '../../../kernel/page.ts';
import type { InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { refusedInProduction, type SandboxOnly } from '../sandbox.ts';
import type { ThreeDSScenario } from '../scenario.ts';
import { readScenarios } from '../store.ts';

/**
 * Returns a page of the merchant account's scenarios in their order. A cursor follows its scenario after a move. The
 * cursor of a deleted scenario is refused.
 */
export async function listThreeDSScenarios(
  app: App,
  viewer: Viewer,
  page: PageRequest,
): Promise<Result<Page<ThreeDSScenario>, SandboxOnly | InvalidInput>> {
  const refused = refusedInProduction(app);
  if (refused) return refused;
  const inOrder = await readScenarios(app.db, viewer.merchantAccountId);
  const all = page.direction === 'forward' ? inOrder : inOrder.toReversed();
  const at = page.cursor === null ? -1 : all.findIndex(({ id }) => id === page.cursor);
  if (page.cursor !== null && at < 0) return refuse(notACursor(page));
  return ok(toPage(page, all.slice(at + 1, at + 2 + page.limit)));
}
