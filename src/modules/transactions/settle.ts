import type { App } from '../../app.ts';
import type { Outcome } from '../../connectors/connector.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { mutationOf, statusAfter, type Operation } from './operation.ts';
import { nextAttemptAt } from './schedule.ts';
import { releaseOperation } from './store/due.ts';
import { readOperation } from './store/read.ts';
import { settleOperation } from './store/settle.ts';
import type { Transaction } from './transaction.ts';

/** An operation and its transaction, as they stand. */
export type Operated = { readonly operation: Operation; readonly transaction: Transaction };

/**
 * Ends an operation with what the provider said; the only writer of a transaction's status and amounts after the claim.
 * Commits once: operation, amounts, ledger, events and the stored result of its key. An unknown outcome ends nothing:
 * the reservation is held and reconciliation asks again. Settling twice writes once; the answer is what stands.
 */
export async function settle(
  app: App,
  { operation, transaction }: Operated,
  outcome: Outcome,
): Promise<Operated> {
  const { kind } = operation;
  const now = app.clock.now();
  if (outcome.kind === 'unknown') {
    await releaseOperation(app.db, operation, now, nextAttemptAt(now, operation.attempts));
    return current(app, operation);
  }
  await failpoint(`${kind}.settling`);
  const settled = await settleOperation(app.db, {
    operation,
    outcome,
    status: statusAfter(transaction.status, kind, transaction.intent, outcome.kind),
    mutation: mutationOf[kind],
    environment: app.config.production ? 'production' : 'sandbox',
    now,
    ledgerId: app.ids.uuid(),
    eventIds: [app.ids.uuid(), app.ids.uuid()],
  });
  await failpoint(`${kind}.settled`);
  if (!settled) return current(app, operation);
  app.wakeRelay();
  return settled;
}

async function current(app: App, { merchantAccountId, id }: Operation): Promise<Operated> {
  const found = await readOperation(app.db, merchantAccountId, id);
  if (!found) throw new Error(`Operation ${id} is gone`);
  return found;
}
