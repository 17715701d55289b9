import type { App } from '../../app.ts';
import { hasRoom, oldestWaitingEvent } from '../../modules/events/index.ts';
import { clockFits, databaseAnswers, databaseFits } from '../../platform/database/health.ts';
import { probePayments } from '../../platform/database/payment-probe.ts';
import type { Check } from './readiness.ts';

/** The highest age of a waiting event while the relay works, in this process or in another. */
const RELAY_LAG_MAX_MS = 30_000;

/** Returns the checks behind `/ready` of a process, by its roles. */
export function readinessChecks(app: App): Readonly<Record<string, Check>> {
  const checks = {
    database: () => databaseAnswers(app.db),
    migrations: () => databaseFits(app.db),
    payments: () => probePayments(app.db),
    clock: () => clockFits(app.clock, app.db),
  };
  // A process without the role `worker` takes payments even if the background work of others fails.
  if (!app.config.PAYGRAPH_ROLES.includes('worker')) return checks;
  const relay = async (): Promise<boolean> => {
    const oldest = await oldestWaitingEvent(app);
    return oldest === null || app.clock.now().getTime() - oldest.getTime() < RELAY_LAG_MAX_MS;
  };
  return { ...checks, relay, partitions: () => hasRoom(app) };
}
