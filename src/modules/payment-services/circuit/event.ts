import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { Circuit } from './circuit.ts';

/** Records `payment-service.circuit-<change>` in the transaction of the change. */
export async function recordCircuitEvent(
  app: App,
  tx: Tx,
  change: 'opened' | 'closed',
  { merchantAccountId, paymentServiceId, openedAt, calls, failures, failedTrials }: Circuit,
): Promise<void> {
  await recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    name: `payment-service.circuit-${change}`,
    createdAt: app.clock.now(),
    production: app.config.production,
    target: {
      type: 'payment-service',
      id: paymentServiceId,
      opened_at: openedAt.toISOString(),
      ...{ calls, failures, failed_trials: failedTrials },
    },
  });
}
