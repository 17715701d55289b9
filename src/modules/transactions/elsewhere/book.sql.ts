import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { assignments, LEDGER, valuesOf, type ApplyContext, type Written } from '../settle/apply.sql.ts';
import { settledValues } from '../../payment-methods/index.ts';
import { SETTLED_TRANSACTION_COLUMNS } from '../settle/changes.ts';
import { effectExpressions, methodFirst } from '../settle/effects.sql.ts';
import { EVENTS, HISTORY, recordValues } from '../settle/records.sql.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { ElsewhereChanges, ElsewhereFinding, ElsewhereKind, ReportSource } from './made-elsewhere.ts';
import type { ReportedPayment } from './subject.sql.ts';

const COLUMNS = [
  ...SETTLED_TRANSACTION_COLUMNS,
  ...(['overCaptureAllowance', 'refundExcessAmount', 'paymentServiceId'] as const),
];

/**
 * The captures that a refund is of: the capture that the provider names, or else the oldest ones. Null if the captures
 * cannot carry the refund.
 */
const REFUND_CAPTURES = `coalesce(
      (SELECT jsonb_build_array(jsonb_build_object('operationId', c.id, 'key', coalesce(c.provider_key, c.id),
         'reference', c.provider_reference, 'amount', @amount::int))
       FROM captures_of(l.merchant_account_id, l.id) c
       WHERE c.provider_reference = @captureReference::text AND c.amount - c.reversed_amount >= @amount::int LIMIT 1),
      CASE WHEN @isCarried::boolean THEN allocate_refund(l.merchant_account_id, l.id, @amount::int) END)`;

/** The reason for the choice of the service, as of the refused authorisation that a late approval follows. */
const CHOICE = `(SELECT c.choice FROM operation c WHERE c.merchant_account_id = l.merchant_account_id
      AND c.transaction_id = l.id AND c.kind = 'authorize' AND c.payment_service_id = @service::uuid
    ORDER BY c.id DESC LIMIT 1)`;

/** Our key of an operation that a restore lost. A repeat of its request finds the operation by the key. */
const LOST_KEY = `CASE WHEN NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = @account
      AND p.provider_key = @lostKey::uuid) THEN @lostKey::uuid END`;

const booked = (kind: ElsewhereKind): string => `${methodFirst(kind, 'succeeded').part}
  locked AS (
    SELECT t.merchant_account_id, t.id, t.currency FROM transaction t
    WHERE t.merchant_account_id = @account AND t.id = @transaction AND t.xmin = @version::xid
      ${methodFirst(kind, 'succeeded').condition} FOR NO KEY UPDATE),
  settled AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, origin, status, amount, currency,
      final, actor, provider_key, provider_reference, raw_response_code, raw_response_description, refund_captures, splits, attempts, sent_at,
      settled_at, created_at, updated_at)
    SELECT l.merchant_account_id, @operation::uuid, l.id, @service::uuid, '${kind}', ${kind === 'authorize' ? CHOICE : 'NULL'}, 'provider', 'succeeded', @amount::int,
      l.currency, @final::boolean, ${ACTOR}::jsonb, ${LOST_KEY}, @reference::text, @rawResponseCode::text,
      @rawResponseDescription::text, ${kind === 'refund' ? REFUND_CAPTURES : 'NULL::jsonb'}, @splits::jsonb, 0, @now, @now, @now, @now
    FROM locked l
    ON CONFLICT DO NOTHING RETURNING *),
  changed AS (
    UPDATE transaction t SET ${assignments('transaction', COLUMNS)}
    FROM settled s WHERE ${rowOf('t', 's', 'transaction_id')} RETURNING t.*),
  written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c)`;

/** The findings of a reversal whose operation was not booked. */
const OF_REVERSALS = `('unknown_operation', 'several_operations', 'undecided', 'possible_repeat')`;

/** Ends the open differences about the same operation, because it is booked now. One about its reversal stays. */
const RESOLVED = `
  resolved AS (
    UPDATE difference d SET state = 'resolved', ended_at = @now FROM settled s
    WHERE d.merchant_account_id = s.merchant_account_id AND d.transaction_id = s.transaction_id AND d.state = 'open'
      AND d.payment_service_id = s.payment_service_id AND d.subject = s.provider_reference AND NOT @isSure::boolean
      AND (d.made ->> 'kind' = s.kind OR d.made IS NULL AND d.kind = s.kind AND d.finding NOT IN ${OF_REVERSALS}))`;

/** Lists the finding about the booking for people. No crash can come between the two. */
const LISTED = `
  listed AS (
    INSERT INTO difference (merchant_account_id, id, transaction_id, payment_service_id, finding, source, subject, operation_id,
      kind, reported_amount, reported_currency, found_at)
    SELECT s.merchant_account_id, @listedId::uuid, s.transaction_id, s.payment_service_id, @finding::text, @source::text,
      coalesce(s.provider_reference, s.id::text), s.id, s.kind, s.amount, s.currency, @now
    FROM settled s WHERE @finding::text IS NOT NULL
    ON CONFLICT DO NOTHING)`;

const statement = (kind: ElsewhereKind) =>
  prepare(
    `book_${kind}_elsewhere`,
    `WITH ${[booked(kind), LEDGER, EVENTS, HISTORY, RESOLVED, LISTED, ...effectExpressions(kind, 'succeeded')].join(',')}
     SELECT operation, transaction FROM written WHERE ${ACTS}`,
  );

const statements = {
  authorize: statement('authorize'),
  capture: statement('capture'),
  refund: statement('refund'),
  void: statement('void'),
  increase: statement('increase'),
} as const;

/** The values that the statement needs beside the changes. */
export type BookContext = Pick<ApplyContext, 'environment' | 'methodEventIds'> & {
  /** A person adopts a difference, and ends it. */
  readonly isSure: boolean;
  /** The finding to list. Null: none. */
  readonly listed: {
    readonly id: string;
    readonly finding: ElsewhereFinding;
    readonly source: ReportSource;
  } | null;
};

/**
 * Books an operation of the provider in one commit: the operation, the amounts, the ledger, the events and the history.
 * Null means that nothing is written. The payment then has a later version, or the provider's id is booked already.
 */
export async function bookOperation(
  db: Pick<Db, 'query'>,
  { transaction, service, version }: Pick<ReportedPayment, 'transaction' | 'service' | 'version'>,
  changes: ElsewhereChanges,
  { environment, methodEventIds, isSure, listed }: BookContext,
): Promise<Written | null> {
  const { merchantAccountId } = transaction;
  const { id, kind, providerKey, providerReference, amount, final, captureReference, isCarried } =
    changes.operation;
  const { rawResponseCode, rawResponseDescription, splits } = changes.operation;
  const [row] = await db.query<{ operation: JsonRow; transaction: JsonRow }>(
    statements[kind as ElsewhereKind]({
      ...{ account: merchantAccountId, transaction: transaction.id, version, service: service.id },
      ...{
        operation: id,
        amount,
        final,
        reference: providerReference,
        lostKey: providerKey,
        rawResponseCode,
        rawResponseDescription,
        splits,
      },
      ...{ captureReference, isCarried, isSure, now: changes.now, environment },
      ...{ listedId: listed?.id ?? null, finding: listed?.finding ?? null, source: listed?.source ?? null },
      ledgerIds: changes.ledger.map((entry) => entry.id),
      ledgerKinds: changes.ledger.map((entry) => entry.kind),
      ledgerAmounts: changes.ledger.map((entry) => entry.amount),
      ...valuesOf('transaction', COLUMNS, { ...transaction, ...changes.transaction }),
      ...recordValues(changes, { merchantAccountId, environment, createdAt: changes.now }),
      ...{ ...changes.effects, redemptionStatus: null, rematchesReviews: false },
      ...settledValues({
        ...{ paymentMethodId: transaction.paymentMethodId, schemeTransactionId: null, token: null },
        eventIds: methodEventIds,
      }),
    }),
  );
  return row ? { operation: toOperation(row.operation), transaction: toTransaction(row.transaction) } : null;
}
