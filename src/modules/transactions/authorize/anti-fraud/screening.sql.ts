import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { FraudDecision } from '../../../payment-services/index.ts';
import type { Operation } from '../../model/operation.ts';
import type { Transaction } from '../../model/transaction.ts';
import { toOperation, toTransaction, type JsonRow } from '../../rows/rows.sql.ts';

/** The decision on a payment, with its history entry. */
export type Screening = {
  /** The delayed authorisation, as claimed. */
  readonly operation: Operation;
  readonly decision: FraudDecision['decision'];
  readonly history: {
    readonly id: string;
    readonly name: string;
    /** Details for the history, beside the anti-fraud service. Null details are left out. */
    readonly context: Readonly<Record<string, unknown>>;
  };
  readonly eventId: string;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
  readonly leaseUntil: Date;
};

const STATEMENT = prepareFile(import.meta, 'write-screening.sql');

/**
 * Writes the decision on a payment once: on the transaction, in its history, and as an event. Extends the lease of the
 * authorisation. Returns null when the authorisation has ended or another process claimed it. The caller must not send
 * it then.
 */
export async function writeScreening(
  db: Db,
  { operation, history, ...screening }: Screening,
): Promise<{ readonly operation: Operation; readonly transaction: Transaction } | null> {
  const [row] = await db.query<{ transaction: JsonRow; operation: JsonRow | null }>(
    STATEMENT({
      account: operation.merchantAccountId,
      transaction: operation.transactionId,
      operation: operation.id,
      held: operation.leaseUntil,
      attempts: operation.attempts,
      decision: screening.decision,
      historyId: history.id,
      historyName: history.name,
      context: JSON.stringify(history.context),
      eventA: screening.eventId,
      environment: screening.environment,
      now: screening.now,
      leaseUntil: screening.leaseUntil,
    }),
  );
  return row?.operation
    ? { operation: toOperation(row.operation), transaction: toTransaction(row.transaction) }
    : null;
}
