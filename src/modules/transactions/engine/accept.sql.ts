import type { Db } from '../../../platform/db.ts';
import { prepare, rowOf } from '../../../platform/statement.ts';
import type { AcceptedOutcome, Operation, OperationKind } from '../model/operation.ts';
import type { Awaited } from '../authorize/buyer-approval/awaited.ts';
import type { TransactionStatus } from '../model/transaction.ts';
import { rematchExpression } from '../inbound/inbound.sql.ts';
import { STILL_PENDING } from '../model/fragments.sql.ts';
import { toOperation, toTransaction, type JsonRow } from '../model/rows.sql.ts';
import { saleOf } from '../model/fragments.sql.ts';
import type { Settled, TellingIds } from './settle.sql.ts';
import { eventIdsOf, tellExpressions } from './events-and-history.sql.ts';

export type Acceptance = {
  readonly operation: Operation;
  readonly outcome: AcceptedOutcome;
  readonly ways: Readonly<Partial<Record<TransactionStatus, TransactionStatus>>> | null;
  readonly told: TellingIds;
  readonly now: Date;
  /** When the provider is asked what it decided. */
  readonly nextAttemptAt: Date;
  /** What is awaited of the buyer; null: nothing. */
  readonly awaited: Awaited | null;
};

/**
 * Notes that the provider took a pending operation on: its reference, the transaction's status, events and history, in one
 * commit; the reservation is held. It is never sent again, so the card is not kept. Null when it was taken on or settled before, or the status knows no way: then nothing
 * is written.
 */
export async function acceptOperation(db: Db, acceptance: Acceptance): Promise<Settled | null> {
  const { operation, outcome, told, awaited } = acceptance;
  const [row] = await db.query<{ operation: JsonRow; transaction: JsonRow }>(
    statements[operation.kind]({
      account: operation.merchantAccountId,
      operation: operation.id,
      transaction: operation.transactionId,
      reference: outcome.reference,
      rawResponseCode: outcome.rawResponseCode,
      rawResponseDescription: outcome.rawResponseDescription,
      ways: acceptance.ways && JSON.stringify(acceptance.ways),
      now: acceptance.now,
      nextAttemptAt: acceptance.nextAttemptAt,
      ...(operation.kind === 'authorize' && {
        approvalUrl: outcome.approvalUrl ?? null,
        paymentReference: outcome.paymentReference ?? null,
        approvalKind: awaited?.kind ?? null,
        approvalToken: awaited?.token ?? null,
        sessionDigest: awaited?.digests?.session ?? null,
        completionDigest: awaited?.digests?.completion ?? null,
      }),
      environment: told.environment,
      historyId: told.historyId,
      ...eventIdsOf(told.eventIds),
    }),
  );
  return row ? { operation: toOperation(row.operation), transaction: toTransaction(row.transaction) } : null;
}

/** Per kind, what else the transaction shows of it. `s` is the operation, `t` the transaction. */
const SHOWN: Readonly<Record<OperationKind, string>> = {
  // A sale captures all of it by itself.
  authorize: `, payment_service_transaction_id = s.provider_reference, capture_closed = ${saleOf('t')},
    approval_url = @approvalUrl, payment_reference = @paymentReference`,
  capture: ', captures_accepted = t.captures_accepted + 1',
  refund: '',
  void: '',
  cancel: '',
  redeem: '',
  unredeem: '',
};

const APPROVAL_AWAITED = `
  awaited AS (
    INSERT INTO approval (merchant_account_id, operation_id, kind, token, session_digest, completion_digest, expires_at, created_at)
    SELECT c.merchant_account_id, s.id, @approvalKind, @approvalToken, @sessionDigest, @completionDigest, c.approval_expires_at, @now
    FROM taken s, changed c
    WHERE @approvalToken::text IS NOT NULL AND c.approval_expires_at IS NOT NULL),`;

const statementOf = (kind: OperationKind) =>
  prepare(
    `accept_${kind}`,
    `
    WITH locked AS (
      SELECT t.merchant_account_id, t.id,
        CASE WHEN @ways::jsonb IS NULL THEN t.status ELSE @ways::jsonb ->> t.status END AS after
      FROM transaction t WHERE t.merchant_account_id = @account AND t.id = @transaction FOR NO KEY UPDATE),
    taken AS (
      UPDATE operation o SET accepted_at = @now, provider_reference = @reference, raw_response_code = @rawResponseCode,
        raw_response_description = @rawResponseDescription, lease_until = NULL, next_attempt_at = @nextAttemptAt,
        updated_at = @now, unknown_at = NULL, unknown_cause = NULL, sealed_card = NULL
      FROM locked l WHERE o.merchant_account_id = @account AND o.id = @operation AND ${STILL_PENDING}
        AND o.accepted_at IS NULL AND l.after IS NOT NULL RETURNING o.*),
    changed AS (
      UPDATE transaction t SET status = l.after, updated_at = @now${SHOWN[kind]}
      FROM taken s, locked l WHERE ${rowOf('t', 'l')} RETURNING t.*),
    ${tellExpressions(
      kind,
      'accepted',
      `taken s CROSS JOIN changed c
       JOIN payment_service p ON p.merchant_account_id = s.merchant_account_id AND p.id = s.payment_service_id`,
    )},
    ${kind === 'authorize' ? APPROVAL_AWAITED : ''}
    ${rematchExpression('taken')}
    SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM taken s, changed c`,
  );

const statements = {
  authorize: statementOf('authorize'),
  capture: statementOf('capture'),
  refund: statementOf('refund'),
  void: statementOf('void'),
  cancel: statementOf('cancel'),
  redeem: statementOf('redeem'),
  unredeem: statementOf('unredeem'),
} as const;
