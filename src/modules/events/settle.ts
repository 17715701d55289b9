import type { App } from '../../app.ts';
import {
  reportEndpoints,
  settleDeliveries,
  type EndpointReport,
  type SettledAttempt,
  type Verdict,
} from './store/settle.ts';

/** Stores attempts together: those that end while others are being stored go with the next statement. */
export type Settler = {
  /** Resolves when the attempt is stored, or when it is too late to store it. Never rejects. */
  settle(attempt: SettledAttempt): Promise<void>;
};

/** After so long the delivery is somebody else's, and what we have to say about it is not heard. */
export const LEASE_MS = 30_000;

const BATCH_MAX = 200;
const TRY_AGAIN_MS = 250;

/** While the database does not answer, attempts are kept and stored later, as long as their leases last. */
export function createSettler(app: App): Settler {
  let waiting: { readonly attempt: SettledAttempt; readonly done: () => void }[] = [];
  let working = false;

  const store = async (): Promise<void> => {
    working = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      const stored = await storeBatch(
        app,
        batch.map(({ attempt }) => attempt),
      );
      const ended = stored ? batch : batch.filter(({ attempt }) => isTooLate(app, attempt));
      waiting = waiting.filter((one) => !ended.includes(one));
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
    await settleDeliveries(app.db, attempts, now);
    await reportEndpoints(app.db, reportsOf(attempts), now);
    return true;
  } catch (error) {
    app.log.error({ err: error }, 'Webhook attempts could not be stored; it is tried again.');
    return false;
  }
}

const isTooLate = (app: App, { startedAt }: SettledAttempt): boolean =>
  app.clock.now().getTime() - startedAt.getTime() > LEASE_MS;

const SEVERITY: readonly Verdict[] = ['success', 'throttled', 'failure', 'gone'];

/** What the attempts, in the order in which they ended, say about each endpoint. */
function reportsOf(attempts: readonly SettledAttempt[]): EndpointReport[] {
  return [...Map.groupBy(attempts, ({ endpointId }) => endpointId).values()].flatMap((ofOne) => {
    const [first] = ofOne;
    if (!first) return [];
    const verdicts = ofOne.map(({ verdict }) => verdict);
    const sinceSuccess = verdicts.slice(verdicts.lastIndexOf('success') + 1);
    return {
      merchantAccountId: first.merchantAccountId,
      endpointId: first.endpointId,
      successes: verdicts.filter((verdict) => verdict === 'success').length,
      failures: sinceSuccess.filter((verdict) => verdict !== 'throttled').length,
      worst: SEVERITY.findLast((verdict) => verdicts.includes(verdict)) ?? 'success',
    };
  });
}
