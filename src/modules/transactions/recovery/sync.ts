import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { findProvider, leaseOf } from '../../payment-services/index.ts';
import type { Operation } from '../model/operation.ts';
import type { Learned } from './inquire.ts';
import { reconcileOne } from './reconcile.ts';
import type { OperationNotSupported } from '../model/refusals.ts';
import { claimPendingOf } from '../claim/leases.sql.ts';
import { recordHistory } from '../read/history.sql.ts';
import { readTransactions } from '../rows/read.sql.ts';
import { readSubject } from '../follow-up-claim/subject.sql.ts';
import type { Transaction } from '../model/transaction.ts';

export type Synced = { readonly transaction: Transaction; readonly operations: readonly Operation[] };

/**
 * Asks the provider at once about every pending operation of a transaction, as reconciliation would later, and settles
 * the answers. Skips an operation that another process inquires about. Refuses a payment service without look-up or
 * keys. Writes an entry in the transaction's history. After a crash, reconciliation takes the operations.
 */
export async function syncTransaction(
  app: App,
  { merchantAccountId }: Viewer,
  transactionId: string,
): Promise<Result<Synced, NotFound | OperationNotSupported>> {
  const subject = isUuid(transactionId) ? await readSubject(app.db, merchantAccountId, transactionId) : null;
  if (!subject) return refuse(notFound('transaction'));
  const provider = findProvider(app, subject.definitionId);
  if (!provider?.definition.supportedFeatures.sync) {
    return refuse({ kind: 'OperationNotSupported', operation: 'sync', feature: 'sync' });
  }
  const operations = await askNow(app, merchantAccountId, transactionId);
  // A provider that has not decided in its time did answer.
  const isKnown = operations.every(({ unknownAt, acceptedAt }) => unknownAt === null || acceptedAt !== null);
  await recordHistory(app.db, {
    merchantAccountId,
    id: app.ids.uuid(),
    transactionId,
    name: isKnown ? 'transaction-sync-event' : 'transaction-sync-failed-event',
    context: { operations: operations.map(({ id, kind, status }) => ({ id, kind, status })) },
    now: app.clock.now(),
  });
  const [transaction = subject.transaction] = await readTransactions(app.db, merchantAccountId, [
    transactionId,
  ]);
  return ok({ transaction, operations });
}

/**
 * Asks about every pending operation of a payment that no other process asks about, and settles the answers. Calls `heard` with
 * the result of each inquiry.
 */
export async function askNow(
  app: App,
  merchantAccountId: string,
  transactionId: string,
  heard?: (outcome: Learned['outcome']) => void,
): Promise<readonly Operation[]> {
  const now = app.clock.now();
  const lease = leaseOf(app, now);
  const pending = await claimPendingOf(app.db, merchantAccountId, transactionId, { now, leaseUntil: lease });
  const done = await Promise.all(pending.map((claimed) => reconcileOne(app, claimed, heard)));
  return done.map(({ operation }) => operation);
}
