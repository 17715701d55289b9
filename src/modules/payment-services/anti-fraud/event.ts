import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { StoredAntiFraudService } from './anti-fraud-service.ts';

/**
 * Records `anti-fraud-service.<change>` in the transaction of the change. The event holds no names or fields:
 * subscribers read them from the service.
 */
export async function recordAntiFraudEvent(
  app: App,
  tx: Tx,
  change: 'created' | 'updated' | 'deleted',
  { id, merchantAccountId, definitionId, active, createdAt, updatedAt }: StoredAntiFraudService,
): Promise<void> {
  await recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    name: `anti-fraud-service.${change}`,
    createdAt: app.clock.now(),
    production: app.config.production,
    target: {
      type: 'anti-fraud-service',
      id,
      anti_fraud_service_definition_id: definitionId,
      active,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    },
  });
}
