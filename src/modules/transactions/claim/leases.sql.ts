import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Operation, OperationKind, UnknownWhy } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { toClaim, type ClaimRow } from './claim-row.sql.ts';
import type { TakenOverClaim } from './claim.ts';
import { toOperation, type JsonRow } from '../rows/rows.sql.ts';

export type TakenOverRow = ClaimRow & Pick<TakenOverClaim, 'approval' | 'resumes'>;

const claimDueStatement = prepareFile(import.meta, 'claim-due-operations.sql');

export type ClaimLimits = {
  /** The greatest number of operations, over all payment services. */
  readonly limit: number;
  /**
   * The greatest number of requests under way at each payment service, over all merchant accounts. Services in `grown`
   * get more.
   */
  readonly perService: number;
  readonly grown: ReadonlyMap<string, number>;
};

/**
 * Claims due pending operations of every merchant account, oldest first. Each payment service gets at most its
 * concurrency, so a silent provider delays no other. Services with the fewest requests under way come first.
 * The lease keeps other processes away. It only saves requests: the safety is in settle and markSent.
 */
export async function claimDue(
  db: Db,
  now: Date,
  leaseUntil: Date,
  { limit, perService, grown }: ClaimLimits,
): Promise<readonly TakenOverClaim[]> {
  const [services, limits] = [[...grown.keys()], [...grown.values()]];
  const rows = await db.query<TakenOverRow>(
    claimDueStatement({ now, leaseUntil, limit, perService, services, limits }),
  );
  return rows.map(toClaim);
}

const claimPendingStatement = prepareFile(import.meta, 'claim-pending-operations.sql');

/**
 * Claims the pending operations of one transaction that no process has a lease on, due or not. An authorisation that
 * waits for a challenge stays.
 */
export async function claimPendingOf(
  db: Db,
  merchantAccountId: string,
  transactionId: string,
  { now, leaseUntil }: { readonly now: Date; readonly leaseUntil: Date },
): Promise<readonly TakenOverClaim[]> {
  const rows = await db.query<TakenOverRow>(
    claimPendingStatement({ account: merchantAccountId, transaction: transactionId, now, leaseUntil }),
  );
  return rows.map(toClaim);
}

/**
 * The release of a lease: its reason, and the next time at which reconciliation claims the operation. A null time:
 * reconciliation leaves the operation alone.
 */
export type LeaseRelease = {
  readonly now: Date;
  readonly nextAttemptAt: Date | null;
  /** Null when the provider said that it is still deciding. */
  readonly unknownCause: UnknownWhy | null;
  /** True if the provider has just said again that it decides later. */
  readonly isAccepted?: boolean;
  readonly historyId: string;
};

const releaseStatement = prepareFile(import.meta, 'release-lease.sql');

/**
 * Releases the lease of a pending operation. The reservation stays. History records the first unknown outcome. An
 * accepted operation is not unknown before the end of its window. Its previous caller may have heard of the acceptance
 * only now.
 * An operation that was made due meanwhile stays due, because the buyer has decided since. After another process has
 * claimed the operation, nothing changes.
 */
export async function writeLeaseRelease(
  db: Db,
  { merchantAccountId, id, attempts }: Operation,
  { now, nextAttemptAt, unknownCause, isAccepted = false, historyId }: LeaseRelease,
): Promise<void> {
  await db.query(
    releaseStatement({
      account: merchantAccountId,
      operation: id,
      attempts,
      now,
      nextAttemptAt,
      cause: unknownCause,
      isAccepted,
      historyId,
    }),
  );
}

const markSentStatement = prepareFile(import.meta, 'mark-operation-sent.sql');

export type Sending = {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** True if the cancel of a payment ends an authorisation whose request was lost. By default false. */
  readonly cancelEnds?: boolean;
};

/**
 * Records that an operation is about to be sent, for the first time after a delay, or again. Extends the lease.
 * Null when the operation has ended, or another process has claimed it since. The caller must then not send it, because
 * the other process may have. Each claim counts an attempt, which tells two claims with equal leases apart.
 * Null as well under cancellation, for a delayed authorisation and for one that the cancel ends. Reconciliation claims that one
 * after its lease.
 */
export async function markSent(
  db: Db,
  { merchantAccountId, id, leaseUntil: held, attempts }: Operation,
  { now, leaseUntil, cancelEnds = false }: Sending,
): Promise<Operation | null> {
  const [row] = await db.query<{ operation: JsonRow }>(
    markSentStatement({
      ...{ account: merchantAccountId, operation: id, held, attempts },
      ...{ now, leaseUntil, cancelEnds },
    }),
  );
  return row ? toOperation(row.operation) : null;
}

const retryStatement = prepareFile(import.meta, 'retry-operations-now.sql');

/**
 * Makes every unknown outcome of a payment service due, because its provider answers again. The provider has answered
 * about its accepted operations all the time, so these keep their schedule.
 */
export async function retryNow(
  db: Db,
  { merchantAccountId, paymentServiceId }: Operation,
  now: Date,
): Promise<void> {
  await db.query(retryStatement({ account: merchantAccountId, service: paymentServiceId, now }));
}

const makeDueStatement = prepareFile(import.meta, 'make-operations-due.sql');

/** Makes the pending operations of one kind of a payment due, so that reconciliation asks the provider at once. */
export async function makeOperationsDue(
  db: Db,
  { merchantAccountId, id }: Transaction,
  verb: OperationKind,
  now: Date,
): Promise<void> {
  await db.query(makeDueStatement({ account: merchantAccountId, transaction: id, verb, now }));
}
