import type { Db } from '../../../platform/database/db.ts';
import { toColumn } from '../../../platform/database/json-row.ts';
import { ACTS } from '../../../platform/database/acting.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { settledValues, type SealedToken } from '../../payment-methods/index.ts';
import { answerOf } from '../rows/answer.ts';
import { ANSWER_KEPT, STILL_PENDING } from '../rows/fragments.sql.ts';
import type { Operation, OperationKind } from '../model/operation.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import {
  SETTLED_OPERATION_COLUMNS,
  SETTLED_TRANSACTION_COLUMNS,
  type Changes,
  type State,
  type RecordedOutcome,
} from './changes.ts';
import { effectExpressions, methodFirst } from './effects.sql.ts';
import { EVENTS, HISTORY, recordValues } from './records.sql.ts';

/** An operation and its transaction after the write. */
export type Written = { readonly operation: Operation; readonly transaction: Transaction };

/** The state of a decision, with the transaction's version at that time. */
export type VersionedState = State & { readonly version: string };

/**
 * The values that the statement needs beside the changes. They are for the payment method and for the envelope of
 * events.
 */
export type ApplyContext = {
  readonly environment: 'production' | 'sandbox';
  readonly schemeTransactionId: string | null;
  readonly token: SealedToken | null;
  readonly methodEventIds: readonly [string, string];
};

/**
 * Applies changes in one statement and one commit. Null means that nothing is written. The transaction then has a later
 * version, or the operation has ended or was sent again. A report may also have booked the provider's id.
 */
export async function applyChanges(
  db: Pick<Db, 'query'>,
  { operation, transaction, version }: VersionedState,
  changes: Changes,
  context: ApplyContext,
): Promise<Written | null> {
  const { merchantAccountId } = operation;
  const envelope = { merchantAccountId, environment: context.environment, createdAt: changes.now };
  const [row] = await db.query<{ operation: JsonRow; transaction: JsonRow }>(
    statements[operation.kind][changes.outcome]({
      account: merchantAccountId,
      operation: operation.id,
      transaction: transaction.id,
      version,
      now: changes.now,
      ofSending: changes.ofSending,
      ownReference: changes.ownReference ?? null,
      ...(changes.outcome !== 'accepted' && {
        answer: answerOf({
          operation: { ...operation, ...changes.operation },
          transaction: { ...transaction, ...changes.transaction },
        }),
      }),
      ...operationValues(changes.operation),
      ...transactionValues({ ...transaction, ...changes.transaction }),
      ledgerIds: changes.ledger.map(({ id }) => id),
      ledgerKinds: changes.ledger.map(({ kind }) => kind),
      ledgerAmounts: changes.ledger.map(({ amount }) => amount),
      ...recordValues(changes, envelope),
      ...changes.effects,
      ...approvalValues(changes.approval),
      environment: context.environment,
      ...settledValues({
        ...context,
        paymentMethodId: transaction.paymentMethodId,
        eventIds: context.methodEventIds,
      }),
    }),
  );
  return row ? { operation: toOperation(row.operation), transaction: toTransaction(row.transaction) } : null;
}

const approvalValues = (approval: Changes['approval']) => ({
  approvalKind: approval?.kind ?? null,
  approvalToken: approval?.token ?? null,
  sessionDigest: approval?.digests?.session ?? null,
  completionDigest: approval?.digests?.completion ?? null,
  returnDigest: approval?.returnDigest ?? null,
  approvalExpiresAt: approval?.expiresAt ?? null,
});

/** Names the parameter of a column. Operation and transaction have some columns of one name. */
const parameterOf = (row: 'operation' | 'transaction', field: string): string =>
  `${row}${field.charAt(0).toUpperCase()}${field.slice(1)}`;

/** Names the values of columns. No column is a list in the database, so a list is JSON. */
export const valuesOf = (row: 'operation' | 'transaction', fields: readonly string[], given: object) =>
  Object.fromEntries(
    fields.map((field) => {
      const value = (given as Readonly<Record<string, unknown>>)[field];
      return [parameterOf(row, field), Array.isArray(value) ? JSON.stringify(value) : value];
    }),
  );

const operationValues = (given: Changes['operation']) =>
  valuesOf('operation', SETTLED_OPERATION_COLUMNS, given);
const transactionValues = (given: Transaction) => valuesOf('transaction', SETTLED_TRANSACTION_COLUMNS, given);

export const assignments = (row: 'operation' | 'transaction', fields: readonly string[]): string =>
  fields.map((field) => `${toColumn(field)} = @${parameterOf(row, field)}`).join(', ');

export const LEDGER = `
  ledger AS (
    INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
    SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, @now
    FROM settled s CROSS JOIN unnest(@ledgerIds::uuid[], @ledgerKinds::text[], @ledgerAmounts::int[]) AS e (id, kind, amount))`;

/** The kinds without events of their own. */
const SILENT: ReadonlySet<OperationKind> = new Set(['redeem', 'unredeem']);

/** The kinds that a report of the provider may book before the outcome of a request tells the provider's id. */
export const BOOKED_BEFORE: ReadonlySet<OperationKind> = new Set(['capture', 'refund']);

/**
 * False if a report booked the same money under the operation's own id at the provider. Two rows would then count the money of
 * one operation twice. An id that several operations may have proves nothing, so `ownReference` is null then.
 */
const NOT_BOOKED = `
      AND NOT EXISTS (SELECT FROM operation b WHERE b.merchant_account_id = @account AND b.payment_service_id = o.payment_service_id
        AND b.kind = o.kind AND b.provider_reference = @ownReference::text AND b.origin = 'provider'
        AND b.transaction_id = o.transaction_id AND b.amount = o.amount)`;

/**
 * Takes the locks first: the payment method's, and then the transaction's. A statement that waited for a lock finds a
 * later version here. An outcome that ends the operation also keeps the answer for its idempotency key.
 */
const guarded = (kind: OperationKind, outcome: RecordedOutcome): string => `${methodFirst(kind, outcome).part}
  locked AS (
    SELECT t.merchant_account_id, t.id FROM transaction t
    WHERE t.merchant_account_id = @account AND t.id = @transaction AND t.xmin = @version::xid
      ${methodFirst(kind, outcome).condition} FOR NO KEY UPDATE),
  settled AS (
    UPDATE operation o SET ${assignments('operation', SETTLED_OPERATION_COLUMNS)},${outcome === 'accepted' ? '' : ` ${ANSWER_KEPT},`}
      lease_until = NULL, sealed_card = NULL, sealed_returned = NULL, unknown_at = NULL, unknown_cause = NULL
    FROM locked l WHERE o.merchant_account_id = @account AND o.id = @operation AND ${STILL_PENDING}
      AND (@ofSending::timestamptz IS NULL OR o.sent_at = @ofSending)${
        outcome === 'succeeded' && BOOKED_BEFORE.has(kind) ? NOT_BOOKED : ''
      } RETURNING o.*),
  changed AS (
    UPDATE transaction t SET ${assignments('transaction', SETTLED_TRANSACTION_COLUMNS)}
    FROM settled s WHERE ${rowOf('t', 's', 'transaction_id')} RETURNING t.*),
  written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c)`;

function statement(kind: OperationKind, outcome: RecordedOutcome) {
  const parts = [
    guarded(kind, outcome),
    ...(outcome === 'succeeded' ? [LEDGER] : []),
    ...(SILENT.has(kind) ? [] : [EVENTS]),
    HISTORY,
    ...effectExpressions(kind, outcome),
  ];
  return prepare(
    outcome === 'accepted' ? `accept_${kind}` : `settle_${kind}_${outcome}`,
    `WITH ${parts.join(',')}
     SELECT operation, transaction FROM written WHERE ${ACTS}`,
  );
}

const statementsOf = (kind: OperationKind) => ({
  accepted: statement(kind, 'accepted'),
  succeeded: statement(kind, 'succeeded'),
  declined: statement(kind, 'declined'),
  failed: statement(kind, 'failed'),
});

const statements = {
  authorize: statementsOf('authorize'),
  increase: statementsOf('increase'),
  reauthorize: statementsOf('reauthorize'),
  capture: statementsOf('capture'),
  refund: statementsOf('refund'),
  void: statementsOf('void'),
  cancel: statementsOf('cancel'),
  release: statementsOf('release'),
  redeem: statementsOf('redeem'),
  unredeem: statementsOf('unredeem'),
} as const;
