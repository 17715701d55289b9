import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { ThreeDSScenario } from '../scenario.ts';
import { lockScenarios } from '../store.ts';

/**
 * Runs a change in one transaction, with all scenarios of the merchant account in their order. Nobody else changes the
 * scenarios meanwhile. Concurrent changes in this process wait in memory, because database connections are few.
 */
export async function changeScenarios<Value>(
  app: App,
  merchantAccountId: string,
  change: (tx: Tx, scenarios: readonly ThreeDSScenario[]) => Promise<Value>,
): Promise<Value> {
  const lines = linesOf(app);
  const before = lines.get(merchantAccountId) ?? Promise.resolve();
  const changed = before.then(() =>
    app.db.transaction(async (tx) => await change(tx, await lockScenarios(tx, merchantAccountId))),
  );
  const ended = changed.then(
    () => undefined,
    () => undefined,
  );
  lines.set(merchantAccountId, ended);
  void ended.then(() => {
    if (lines.get(merchantAccountId) === ended) lines.delete(merchantAccountId);
  });
  return await changed;
}

/** The promise of each merchant account's last change. */
const linesOf: (app: App) => Map<string, Promise<void>> = oncePer(() => new Map());
