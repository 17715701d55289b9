import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { ThreeDSScenario } from '../scenario.ts';

/**
 * Records `three-ds-scenario.<change>` in the transaction of the change. The event holds no conditions or outcome:
 * subscribers read them from the scenario. The event holds no position either, because one change moves other scenarios
 * too.
 */
export async function recordScenarioEvent(
  app: App,
  tx: Tx,
  change: 'created' | 'updated' | 'deleted',
  { id, merchantAccountId, createdAt, updatedAt }: ThreeDSScenario,
): Promise<void> {
  await recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    name: `three-ds-scenario.${change}`,
    createdAt: app.clock.now(),
    production: app.config.production,
    target: {
      type: 'three-ds-scenario',
      id,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    },
  });
}
