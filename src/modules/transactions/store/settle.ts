import type { Db } from '../../../platform/db.ts';
import { eventExpressions } from '../../events/index.ts';
import type { FinalOutcome, Operation, OperationKind } from '../operation.ts';
import type { Transaction, TransactionStatus } from '../transaction.ts';
import { toOperation, toTransaction, type JsonRow } from './row.ts';

/** What settling an operation writes. */
export type Settlement = {
  readonly operation: Operation;
  readonly outcome: FinalOutcome;
  /** The transaction's status afterwards, as the transition table has it. */
  readonly status: TransactionStatus;
  /** The mutation, under whose name the operation's idempotency key is kept. */
  readonly mutation: string;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
  readonly ledgerId: string;
  readonly eventIds: readonly [string, string];
};

export type Settled = { readonly operation: Operation; readonly transaction: Transaction };

/** Per kind: how the reservation becomes an amount. `s` is the settled operation, `t` the transaction. */
const AMOUNTS = {
  authorize: `authorized_amount = CASE WHEN s.status = 'succeeded' THEN s.amount ELSE 0 END,
    captured_amount = CASE WHEN s.status = 'succeeded' AND t.intent = 'capture' THEN s.amount ELSE 0 END,
    intent_outcome = CASE WHEN s.status = 'succeeded' THEN 'succeeded' ELSE 'failed' END,
    payment_service_transaction_id = s.provider_reference,
    error_code = s.error_code, raw_response_code = s.raw_response_code, raw_response_description = s.raw_response_description,
    auth_response_code = $12, avs_response_code = $13, cvv_response_code = $14,
    authorized_at = CASE WHEN s.status = 'succeeded' THEN $4::timestamptz END,
    captured_at = CASE WHEN s.status = 'succeeded' AND t.intent = 'capture' THEN $4::timestamptz END`,
  capture: `capture_pending_amount = t.capture_pending_amount - s.amount,
    captured_amount = t.captured_amount + CASE WHEN s.status = 'succeeded' THEN s.amount ELSE 0 END,
    captured_at = CASE WHEN s.status = 'succeeded' THEN $4::timestamptz ELSE t.captured_at END`,
  refund: `refund_pending_amount = t.refund_pending_amount - s.amount,
    refunded_amount = t.refunded_amount + CASE WHEN s.status = 'succeeded' THEN s.amount ELSE 0 END`,
  void: `void_pending = false,
    voided_at = CASE WHEN s.status = 'succeeded' THEN $4::timestamptz END`,
} as const satisfies Record<OperationKind, string>;

/** Per kind: the events of an outcome, oldest first: [target, name]. */
const EVENTS = {
  authorize: {
    succeeded: [
      [
        'transaction',
        `CASE c.intent WHEN 'capture' THEN 'transaction.captured' ELSE 'transaction.authorized' END`,
      ],
    ],
    declined: [['transaction', `'transaction.declined'`]],
    failed: [['transaction', `'transaction.failed'`]],
  },
  capture: {
    succeeded: [
      ['capture', `'capture.succeeded'`],
      ['transaction', `'transaction.captured'`],
    ],
    declined: [
      ['capture', `'capture.declined'`],
      ['transaction', `'transaction.capture-failed'`],
    ],
    failed: [
      ['capture', `'capture.failed'`],
      ['transaction', `'transaction.capture-failed'`],
    ],
  },
  refund: {
    succeeded: [['refund', `'refund.succeeded'`]],
    declined: [['refund', `'refund.declined'`]],
    failed: [['refund', `'refund.failed'`]],
  },
  void: {
    succeeded: [['transaction', `'transaction.voided'`]],
    declined: [['transaction', `'transaction.void-declined'`]],
    failed: [['transaction', `'transaction.void-failed'`]],
  },
} as const satisfies Record<
  OperationKind,
  Record<FinalOutcome['kind'], readonly (readonly [Target, string])[]>
>;

type Target = 'transaction' | 'capture' | 'refund';

const moment = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Short forms of the records for events (facts 5.1). `c` is the changed transaction, `s` the settled operation. */
const TARGETS = {
  transaction: `json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
    'payment_method', json_build_object('method', c.method), 'external_identifier', c.external_identifier,
    'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
    'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount,
    'payment_service_transaction_id', c.payment_service_transaction_id, 'error_code', c.error_code,
    'metadata', c.metadata, 'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')})`,
  capture: `json_build_object('type', 'capture', 'id', s.id, 'status', s.status, 'transaction_id', c.id,
    'amount', s.amount, 'currency', s.currency, 'external_identifier', s.external_identifier,
    'error_code', s.error_code, 'created_at', ${moment('s.created_at')})`,
  refund: `json_build_object('type', 'refund', 'id', s.id, 'status', s.status, 'transaction_id', c.id,
    'amount', s.amount, 'currency', s.currency, 'external_identifier', s.external_identifier, 'reason', s.reason,
    'error_code', s.error_code, 'created_at', ${moment('s.created_at')})`,
} as const satisfies Record<Target, string>;

/**
 * Ends a pending operation: its status, the transaction's amounts and status, the ledger, the events and the stored result
 * of its key, in one statement and one commit. Null when it was not pending any more: somebody else has settled it,
 * and nothing is written twice.
 */
export async function settleOperation(db: Db, settlement: Settlement): Promise<Settled | null> {
  const { operation, outcome, now } = settlement;
  const rows = await db.query<{ operation: JsonRow; transaction: JsonRow }>({
    name: `settle_${operation.kind}_${outcome.kind}`,
    text: statements[operation.kind][outcome.kind],
    values: [
      operation.merchantAccountId,
      operation.id,
      outcome.reference,
      now,
      outcome.kind === 'succeeded' ? null : outcome.errorCode,
      outcome.rawResponseCode,
      outcome.rawResponseDescription,
      settlement.status,
      settlement.mutation,
      settlement.environment,
      settlement.ledgerId,
      ...(operation.kind === 'authorize'
        ? [outcome.authResponseCode ?? null, outcome.avsResponseCode ?? null, outcome.cvvResponseCode ?? null]
        : []),
      ...settlement.eventIds.slice(0, EVENTS[operation.kind][outcome.kind].length),
    ],
  });
  const [row] = rows;
  return row ? { operation: toOperation(row.operation), transaction: toTransaction(row.transaction) } : null;
}

function statement(kind: OperationKind, outcome: FinalOutcome['kind']): string {
  const firstEvent = kind === 'authorize' ? 15 : 12;
  const events = EVENTS[kind][outcome].map(([target, name], index) =>
    eventRow(target, name, firstEvent + index, index),
  );
  return `
    WITH settled AS (
      UPDATE operation SET status = '${outcome}', provider_reference = coalesce($3, provider_reference), error_code = $5,
        raw_response_code = $6, raw_response_description = $7, settled_at = $4, updated_at = $4, lease_until = NULL,
        next_attempt_at = NULL, sealed_card = NULL
      WHERE merchant_account_id = $1 AND id = $2 AND status = 'pending' RETURNING *),
    changed AS (
      UPDATE transaction t SET status = $8, updated_at = $4, ${AMOUNTS[kind]}
      FROM settled s WHERE t.merchant_account_id = s.merchant_account_id AND t.id = s.transaction_id RETURNING t.*),
    ledger AS (
      INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
      SELECT s.merchant_account_id, $11::uuid, s.transaction_id, s.id, s.kind, s.amount, s.currency, $4
      FROM settled s WHERE s.status = 'succeeded'),
    told AS (SELECT * FROM (${events.join(' UNION ALL ')}) AS rows ORDER BY ordinal),
    ${eventExpressions('told')},
    answered AS (
      UPDATE idempotency_key k
      SET result = json_build_object('operation', row_to_json(s), 'transaction', row_to_json(c))::text
      FROM settled s, changed c
      WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = $9 AND k.key = s.idempotency_key
        AND k.resource_id = s.id::text)
    SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c`;
}

const eventRow = (target: Target, name: string, id: number, ordinal: number): string => `
  SELECT ${ordinal} AS ordinal, c.merchant_account_id, $${id}::uuid AS event_id, ${name} AS event_name,
    '${target}' AS target_type, ${target === 'transaction' ? 'c.id' : 's.id'}::text AS target_id, $4::timestamptz AS created_at,
    json_build_object('type', 'event', 'id', $${id}::uuid, 'name', ${name}, 'created_at', ${moment('$4::timestamptz')},
      'merchant_account_id', c.merchant_account_id, 'environment', $10::text, 'target', ${TARGETS[target]})::text AS payload
  FROM settled s, changed c`;

const statementsOf = (kind: OperationKind) => ({
  succeeded: statement(kind, 'succeeded'),
  declined: statement(kind, 'declined'),
  failed: statement(kind, 'failed'),
});

const statements = {
  authorize: statementsOf('authorize'),
  capture: statementsOf('capture'),
  refund: statementsOf('refund'),
  void: statementsOf('void'),
} as const;
