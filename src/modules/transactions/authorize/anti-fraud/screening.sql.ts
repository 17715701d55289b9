import type { Db } from '../../../../platform/database/db.ts';
import { ACTOR, ACTS } from '../../../../platform/database/acting.ts';
import { prepare, rowOf } from '../../../../platform/database/statement.ts';
import type { FraudDecision } from '../../../payment-services/index.ts';
import type { Operation } from '../../model/operation.ts';
import type { Transaction } from '../../model/transaction.ts';
import { STILL_PENDING } from '../../model/fragments.sql.ts';
import { toOperation, toTransaction, type JsonRow } from '../../model/rows.sql.ts';
import { fraudEvent } from '../../engine/claim-events.sql.ts';

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

const STATEMENT = prepare(
  'write_screening',
  `
  WITH locked AS (
    SELECT t.* FROM transaction t WHERE t.merchant_account_id = @account AND t.id = @transaction FOR NO KEY UPDATE),
  held AS (
    UPDATE operation o SET lease_until = @leaseUntil, next_attempt_at = @leaseUntil, updated_at = @now
    FROM locked l WHERE o.merchant_account_id = @account AND o.id = @operation AND ${STILL_PENDING}
      AND o.unsent AND o.lease_until = @held AND o.attempts = @attempts RETURNING o.*),
  screened AS (
    UPDATE transaction t SET anti_fraud_decision = @decision, updated_at = @now
    FROM locked l WHERE ${rowOf('t', 'l')} AND l.anti_fraud_decision = 'pending'
    RETURNING t.*),
  history_written AS (
    INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
    SELECT j.merchant_account_id, @historyId::uuid, j.id, @historyName,
      jsonb_strip_nulls(@context::jsonb || jsonb_build_object('anti_fraud_service_id', a.id,
        'anti_fraud_service_display_name', a.display_name, 'anti_fraud_service_definition_id', a.definition_id)), ${ACTOR}::jsonb, @now
    FROM screened j
    JOIN anti_fraud_service a ON a.merchant_account_id = j.merchant_account_id AND a.id = j.anti_fraud_service_id),
  ${fraudEvent('decided', 'screened c')}
  SELECT CASE WHEN j.id IS NULL THEN row_to_json(l) ELSE row_to_json(j) END AS transaction,
    (SELECT row_to_json(h) FROM held h) AS operation
  FROM locked l LEFT JOIN screened j ON true
  WHERE ${ACTS}`,
);

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
