import type { App } from '../../app.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { connectionOf } from '../payment-services/index.ts';
import { carryOut, type Claim } from './carry-out.ts';
import { leaseUntil } from './schedule.ts';
import { openCard } from './sealed-card.ts';
import { settle } from './settle.ts';
import { claimDue } from './store/due.ts';
import type { Claimed } from './store/claim.ts';

/** How many operations one process takes up at once. */
const BATCH = 16;

/** How often it looks when there was nothing to do. */
const IDLE_MS = 1_000;

/**
 * Starts reconciliation: operations whose caller died, or whose outcome is unknown, are looked up at the provider or sent
 * again under the same key, and settled by the same settle. Any number of processes may run it.
 */
export const startReconciler = (app: App): Loop =>
  startLoop({
    name: 'reconciler',
    idleMs: IDLE_MS,
    clock: app.clock,
    log: app.log,
    run: () => reconcileDue(app),
  });

/** Takes up what is due now; true when there may be more. One that throws is logged and comes up again after its lease. */
export async function reconcileDue(app: App): Promise<boolean> {
  const now = app.clock.now();
  const due = await claimDue(app.db, now, leaseUntil(now, app.config.PAYGRAPH_PROVIDER_DEADLINE_MS), BATCH);
  await Promise.all(
    due.map((claimed) =>
      reconcile(app, claimed).catch((error: unknown) => {
        app.log.error(
          { operationId: claimed.operation.id, err: error },
          'An operation could not be reconciled.',
        );
      }),
    ),
  );
  return due.length === BATCH;
}

async function reconcile(app: App, claimed: Claimed): Promise<void> {
  const { operation, connection } = claimed;
  const { connector, credentials } = await connectionOf(app, operation.merchantAccountId, connection);
  if (connector.recovery === 'keys') {
    await carryOut(app, await again(app, claimed));
    return;
  }
  // Not known to the provider proves nothing: the request may still be on its way. The reservation is held.
  const context = { credentials, http: app.http, deadlineMs: app.config.PAYGRAPH_PROVIDER_DEADLINE_MS };
  const found = connector.recovery === 'lookup' ? await connector.lookup(context, operation.id) : null;
  await settle(app, claimed, found ?? { kind: 'unknown', cause: 'unreadable' });
}

async function again(app: App, { operation, ...claimed }: Claimed): Promise<Claim> {
  const { merchantAccountId, id, sealedCard } = operation;
  const card = sealedCard === null ? null : await openCard(app.vault, merchantAccountId, id, sealedCard);
  return { operation, ...claimed, card };
}
