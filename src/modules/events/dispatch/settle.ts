import { environmentOf } from '../../../platform/process/config.ts';
import type { App } from '../../../app.ts';
import { accountAwayOf } from '../../../platform/database/db.ts';
import { reportsOf } from './endpoint-health.ts';
import { settleDeliveries } from './store/settle.sql.ts';
import type { SettledAttempt } from './settled-attempt.ts';

/** A queue that stores attempts in batches. Attempts that end during a statement wait for the next statement. */
export type Settler = {
  /** Resolves when the attempt is stored, or when its lease has ended. Never rejects. */
  settle(attempt: SettledAttempt): Promise<void>;
};

type Waiting = { readonly attempt: SettledAttempt; readonly done: () => void };

/** The length of a lease. Afterwards another process owns the delivery and ignores our result. */
export const LEASE_MS = 30_000;

const BATCH_MAX = 200;
const TRY_AGAIN_MS = 250;

/**
 * Creates a settler. During a database outage, attempts wait in memory and are stored later, as long as their leases
 * last.
 */
export function createSettler(app: App): Settler {
  let waiting: Waiting[] = [];
  let working = false;

  const store = async (): Promise<void> => {
    working = true;
    while (waiting.length > 0) {
      const batch = firstOfDeliveries(waiting).slice(0, BATCH_MAX);
      const stored = await storeBatch(
        app,
        batch.map(({ attempt }) => attempt),
      );
      const ended = stored ? batch : batch.filter(({ attempt }) => isTooLate(app, attempt));
      const gone = new Set(ended);
      waiting = waiting.filter((one) => !gone.has(one));
      ended.forEach(({ done }) => done());
      if (!stored) await app.clock.sleep(TRY_AGAIN_MS);
    }
    working = false;
  };
  return {
    settle: (attempt) =>
      new Promise((done) => {
        waiting.push({ attempt, done });
        if (!working) void store();
      }),
  };
}

async function storeBatch(app: App, attempts: readonly SettledAttempt[]): Promise<boolean> {
  try {
    const now = app.clock.now();
    const environment = environmentOf(app.config);
    const reports = reportsOf(attempts, () => app.ids.uuid());
    const events = await settleDeliveries(app.db, { attempts, reports, now, environment });
    if (events > 0) app.wakeRelay();
    return true;
  } catch (error) {
    const away = accountAwayOf(error);
    const others = attempts.filter(({ merchantAccountId }) => merchantAccountId !== away);
    // The account moves to another cell, which makes the attempt again. The attempts of the others must not wait.
    if (others.length < attempts.length) return others.length === 0 || (await storeBatch(app, others));
    app.log.error({ err: error }, 'Webhook attempts could not be stored. The service retries.');
    return false;
  }
}

/**
 * Lists the first waiting attempt of each delivery. After an ended lease a delivery may have two, and the second is stored
 * later.
 */
function firstOfDeliveries(waiting: readonly Waiting[]): readonly Waiting[] {
  const first = new Map<string, Waiting>();
  for (const one of waiting) {
    const delivery = `${one.attempt.endpointId} ${one.attempt.position}`;
    if (!first.has(delivery)) first.set(delivery, one);
  }
  return [...first.values()];
}

const isTooLate = (app: App, { startedAt }: SettledAttempt): boolean =>
  app.clock.now().getTime() - startedAt.getTime() > LEASE_MS;
