import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { Activation, RuleSet } from '../model/rule-set.ts';

/** Records `routing-rule-set.<change>` in the transaction of the change. A new version updates its rule set. */
export async function recordRuleSetEvent(
  app: App,
  tx: Tx,
  change: 'created' | 'updated',
  { merchantAccountId, id, name, latestVersion, createdAt, updatedAt }: RuleSet,
): Promise<void> {
  await recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    name: `routing-rule-set.${change}`,
    createdAt: app.clock.now(),
    production: app.config.production,
    target: {
      type: 'routing-rule-set',
      id,
      name,
      latest_version: latestVersion,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    },
  });
}

/** Records `routing-activation.<change>` in the transaction of the change. */
export async function recordActivationEvent(
  app: App,
  tx: Tx,
  change: 'created' | 'canceled',
  { merchantAccountId, id, versionId, apiKeyPairId, activeFrom, createdAt }: Activation,
): Promise<void> {
  await recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    name: `routing-activation.${change}`,
    createdAt: app.clock.now(),
    production: app.config.production,
    target: {
      type: 'routing-activation',
      id,
      version_id: versionId,
      api_key_pair_id: apiKeyPairId,
      active_from: activeFrom.toISOString(),
      created_at: createdAt.toISOString(),
    },
  });
}
