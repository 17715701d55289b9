import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { ValueSet } from '../model/value-set.ts';

/** Records `routing-value-set.<change>` in the transaction of the change. The event holds no values: subscribers read them. */
export async function recordValueSetEvent(
  app: App,
  tx: Tx,
  change: 'created' | 'updated',
  { merchantAccountId, id, name, createdAt, updatedAt }: ValueSet,
): Promise<void> {
  await recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    name: `routing-value-set.${change}`,
    createdAt: app.clock.now(),
    production: app.config.production,
    target: {
      type: 'routing-value-set',
      id,
      name,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    },
  });
}
