import type { Db } from '../../../platform/db.ts';
import { byKey, prepare, rowOf } from '../../../platform/statement.ts';
import {
  methodFailed,
  methodSucceeded,
  settledValues,
  type SealedToken,
} from '../../payment-methods/index.ts';
import { RESOLVE_REVIEW, type FinalOutcome, type Operation, type OperationKind } from '../model/operation.ts';
import { GIFT_CARDS_ALONE, type Transaction, type TransactionStatus } from '../model/transaction.ts';
import { rematchReviewsExpression } from '../review/inbound-reviews.sql.ts';
import { rematchExpression } from '../inbound/inbound.sql.ts';
import { STILL_PENDING } from '../model/fragments.sql.ts';
import { redeemedExpressions } from '../authorize/split-tender/redeemed.sql.ts';
import { toOperation, toTransaction, type JsonRow } from '../model/rows.sql.ts';
import { saleOf } from '../model/fragments.sql.ts';
import { eventIdsOf, tellExpressions } from './events-and-history.sql.ts';

/** What settling an operation writes. */
export type Settlement = {
  readonly operation: Operation;
  readonly outcome: FinalOutcome;
  /** The ways that the outcome opens, status before -> status after; null when the status stays. */
  readonly ways: Readonly<Partial<Record<TransactionStatus, TransactionStatus>>> | null;
  /** The mutation, under whose name the operation's idempotency key is kept. */
  readonly mutation: string;
  readonly told: TellingIds;
  /** Of a provider's token to keep, and of what is told of the payment method. */
  readonly kept: { readonly token: SealedToken | null; readonly eventIds: readonly [string, string] };
  readonly now: Date;
  readonly ledgerIds: readonly [string, string];
};

/** What events and history need beside the rows that they tell of. */
export type TellingIds = {
  readonly environment: 'production' | 'sandbox';
  readonly eventIds: readonly [string, string];
  readonly historyId: string;
};

export type Settled = { readonly operation: Operation; readonly transaction: Transaction };

/** What an authorisation leaves on the transaction, whatever it said. */
const SAID = `payment_service_transaction_id = CASE WHEN t.method <> '${GIFT_CARDS_ALONE}' THEN s.provider_reference END, error_code = s.error_code,
  raw_response_code = s.raw_response_code, raw_response_description = s.raw_response_description,
  auth_response_code = @authResponseCode, avs_response_code = @avsResponseCode, cvv_response_code = @cvvResponseCode`;

const CAPTURE_DECIDED = `capture_pending_amount = t.capture_pending_amount - s.amount,
  captures_accepted = t.captures_accepted - (s.accepted_at IS NOT NULL)::int`;

/** Whether a cancel has ended the payment, or has released what was authorised first; else it was over already. */
const CANCELED = `(l.after = 'authorization_failed' AND t.status <> l.after)`;
const RELEASED = `(l.after = 'authorization_voided')`;

/** What was intended has been decided only where a review held it: of all others it was when they were authorised. */
const intended = (outcome: 'succeeded' | 'failed'): string =>
  `CASE t.intent_outcome WHEN 'pending' THEN '${outcome}' ELSE t.intent_outcome END`;

/** Whoever releases what is held for a review ends it. */
const REVIEW_ENDED = `fraud_review = CASE t.fraud_review WHEN 'pending' THEN 'ended' ELSE t.fraud_review END`;

/** A gift card's money is counted on its redemption. */
const NOTHING = 'void_pending = t.void_pending';

/** What a refund is of the payment method's money; those to gift cards are counted on their redemptions. */
const ON_METHOD = `CASE WHEN s.redemption_id IS NULL THEN s.amount ELSE 0 END`;

/** Per kind: how the reservation becomes an amount, or is given back. `s` is the settled operation, `t` the transaction. */
const AMOUNTS: Readonly<Record<OperationKind, { readonly succeeded: string; readonly refused: string }>> = {
  authorize: {
    succeeded: `${SAID}, scheme_transaction_id = @schemeTransactionId, authorized_amount = s.amount, authorized_at = @now,
      intent_outcome = CASE WHEN t.intent = 'capture' AND NOT ${saleOf('t')} THEN 'pending' ELSE 'succeeded' END,
      fraud_review = CASE t.anti_fraud_decision WHEN 'review' THEN 'pending' END,
      captured_amount = CASE WHEN ${saleOf('t')} THEN s.amount ELSE 0 END, capture_closed = ${saleOf('t')},
      captured_at = CASE WHEN ${saleOf('t')} THEN @now::timestamptz END,
      void_pending = t.void_pending AND NOT ${saleOf('t')}`,
    refused: `${SAID}, intent_outcome = 'failed'`,
  },
  capture: {
    succeeded: `${CAPTURE_DECIDED}, captured_amount = t.captured_amount + s.amount, captured_at = @now,
      intent_outcome = ${intended('succeeded')}`,
    refused: `${CAPTURE_DECIDED}, capture_closed = t.capture_closed AND NOT s.final`,
  },
  refund: {
    succeeded: `refund_pending_amount = t.refund_pending_amount - ${ON_METHOD},
      refunded_amount = t.refunded_amount + ${ON_METHOD}`,
    refused: `refund_pending_amount = t.refund_pending_amount - ${ON_METHOD}`,
  },
  void: {
    succeeded: `void_pending = false, voided_at = @now, intent_outcome = ${intended('failed')}, ${REVIEW_ENDED}`,
    refused: 'void_pending = false',
  },
  cancel: {
    succeeded: `void_pending = false,
      intent_outcome = CASE WHEN ${CANCELED} THEN 'failed' WHEN ${RELEASED} THEN ${intended('failed')}
        ELSE t.intent_outcome END,
      ${REVIEW_ENDED},
      error_code = CASE WHEN ${CANCELED} THEN 'canceled' ELSE t.error_code END,
      canceled_at = CASE WHEN ${CANCELED} THEN @now::timestamptz END,
      voided_at = CASE WHEN ${RELEASED} THEN @now::timestamptz END`,
    refused: 'void_pending = false',
  },
  redeem: { succeeded: NOTHING, refused: NOTHING },
  unredeem: { succeeded: NOTHING, refused: NOTHING },
};

/** A refusal changes the status only of what had been taken on, and not while another capture is still being decided. */
const STATUS_AFTER_REFUSAL: Readonly<Record<OperationKind, string>> = {
  authorize: 'l.after',
  capture:
    'CASE WHEN s.accepted_at IS NULL OR t.captures_accepted > 1 THEN t.status ELSE coalesce(l.after, t.status) END',
  void: 'CASE WHEN s.accepted_at IS NULL THEN t.status ELSE coalesce(l.after, t.status) END',
  refund: 't.status',
  cancel: 't.status',
  redeem: 't.status',
  unredeem: 't.status',
};

/** Ledger rows of a success; a sale authorises and captures, and a cancel moves something only when it came too late. */
const LEDGER: Readonly<Record<OperationKind, string>> = {
  authorize: `(VALUES ('authorize', @ledgerA::uuid), ('capture', @ledgerB::uuid)) AS e (kind, id)
    WHERE e.kind = 'authorize' OR ${saleOf('c')}`,
  capture: `(VALUES ('capture', @ledgerA::uuid)) AS e (kind, id)`,
  refund: `(VALUES ('refund', @ledgerA::uuid), ('gift_card_refund', @ledgerA::uuid)) AS e (kind, id)
    WHERE (e.kind = 'refund') = (s.redemption_id IS NULL)`,
  void: `(VALUES ('void', @ledgerA::uuid)) AS e (kind, id)`,
  cancel: `(VALUES ('void', @ledgerA::uuid)) AS e (kind, id) WHERE c.status = 'authorization_voided'`,
  redeem: `(VALUES ('redeem', @ledgerA::uuid)) AS e (kind, id)`,
  unredeem: `(VALUES ('unredeem', @ledgerA::uuid)) AS e (kind, id)`,
};

/**
 * Ends a pending operation: its status, the transaction's amounts and status, the ledger, the events, the history and the
 * stored result of its key, in one statement and one commit. Null when it was not pending any more: somebody else has
 * settled it, and nothing is written twice. Null, too, when the transaction's status knows no way for the outcome, and
 * when it is a refusal and the operation has been sent again since: it says nothing of the later sending.
 */
export async function settleOperation(
  db: Pick<Db, 'query'>,
  settlement: Settlement,
): Promise<Settled | null> {
  const { operation, outcome, told } = settlement;
  const [row] = await db.query<{ operation: JsonRow; transaction: JsonRow }>(
    statements[operation.kind][outcome.kind]({
      account: operation.merchantAccountId,
      operation: operation.id,
      transaction: operation.transactionId,
      sentAt: operation.sentAt,
      reference: outcome.reference,
      now: settlement.now,
      ways: settlement.ways && JSON.stringify(settlement.ways),
      errorCode: outcome.kind === 'succeeded' ? null : outcome.errorCode,
      rawResponseCode: outcome.rawResponseCode,
      rawResponseDescription: outcome.rawResponseDescription,
      authResponseCode: outcome.authResponseCode ?? null,
      avsResponseCode: outcome.avsResponseCode ?? null,
      cvvResponseCode: outcome.cvvResponseCode ?? null,
      mutation: settlement.mutation,
      environment: told.environment,
      historyId: told.historyId,
      ...eventIdsOf(told.eventIds),
      ...settledValues({
        ...settlement.kept,
        schemeTransactionId: (outcome.kind === 'succeeded' && outcome.schemeTransactionId) || null,
      }),
      ledgerA: settlement.ledgerIds[0],
      ledgerB: settlement.ledgerIds[1],
    }),
  );
  return row ? { operation: toOperation(row.operation), transaction: toTransaction(row.transaction) } : null;
}

/** Stores the result of the key of an operation `s`. */
const answer = (name: string, operation: string, mutations: string): string => `${name} AS (
  UPDATE idempotency_key k
  SET result = json_build_object('operation', row_to_json(s), 'transaction', row_to_json(c))::text
  FROM ${operation} s, changed c
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation IN (${mutations}) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)`;

/** A cancel that succeeds ends the authorisation with it, so that a late answer to that one changes nothing any more. */
const AUTHORIZATION_ENDED = `
  ended AS (
    UPDATE operation o SET status = 'failed', error_code = 'canceled', settled_at = @now, updated_at = @now, lease_until = NULL,
      next_attempt_at = NULL, sealed_card = NULL, unknown_at = NULL, unknown_cause = NULL
    FROM settled s WHERE ${byKey('o.merchant_account_id', 's.merchant_account_id')}
      AND ${byKey('o.transaction_id', 's.transaction_id')}
      AND o.kind = 'authorize' AND o.status = 'pending' RETURNING o.*),
  ${answer('answered_payment', 'ended', `'createTransaction'`)},`;

/** Of these the mutation that has made it is either its own or the resolution of a review; the key leads to it by its id. */
const MADE_BY_REVIEW: ReadonlySet<OperationKind> = new Set(['capture', 'void']);

/** What opens or ends a review. */
const MOVES_REVIEW: ReadonlySet<OperationKind> = new Set(['authorize', 'void', 'cancel']);

/** Of these a success means nothing when the status knows no way for it. */
const MOVES_STATUS: ReadonlySet<OperationKind> = new Set(['authorize', 'capture', 'void', 'cancel']);

function statement(kind: OperationKind, outcome: FinalOutcome['kind']) {
  const isSuccess = outcome === 'succeeded';
  const mustHaveWay = kind === 'authorize' || (isSuccess && MOVES_STATUS.has(kind));
  const ledger = isSuccess ? LEDGER[kind] : null;
  return prepare(
    `settle_${kind}_${outcome}`,
    `
    WITH locked AS (
      SELECT t.merchant_account_id, t.id, @ways::jsonb ->> t.status AS after FROM transaction t
      WHERE t.merchant_account_id = @account AND t.id = @transaction FOR NO KEY UPDATE),
    settled AS (
      UPDATE operation o SET status = '${outcome}', provider_reference = coalesce(@reference, o.provider_reference),
        error_code = @errorCode, raw_response_code = @rawResponseCode, raw_response_description = @rawResponseDescription,
        settled_at = @now, updated_at = @now, lease_until = NULL, next_attempt_at = NULL, sealed_card = NULL,
        unknown_at = NULL, unknown_cause = NULL
      FROM locked l WHERE o.merchant_account_id = @account AND o.id = @operation AND ${STILL_PENDING}
        ${mustHaveWay ? 'AND l.after IS NOT NULL' : ''} ${isSuccess ? '' : 'AND o.sent_at = @sentAt'} RETURNING o.*),
    changed AS (
      UPDATE transaction t SET updated_at = @now, ${AMOUNTS[kind][isSuccess ? 'succeeded' : 'refused']},
        status = ${isSuccess ? 'coalesce(l.after, t.status)' : STATUS_AFTER_REFUSAL[kind]}
      FROM settled s, locked l WHERE ${rowOf('t', 'l')} RETURNING t.*),
    ${
      ledger
        ? `ledger AS (
      INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
      SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, s.amount, s.currency, @now
      FROM settled s CROSS JOIN changed c CROSS JOIN ${ledger}),`
        : ''
    }
    ${kind === 'cancel' && isSuccess ? AUTHORIZATION_ENDED : ''}
    ${redeemedExpressions(kind, isSuccess)}
    ${tellExpressions(kind, outcome, SETTLED_TABLES)},
    ${methodExpressions(kind, outcome)}
    ${rematchExpression('settled')},
    ${MOVES_REVIEW.has(kind) ? `${rematchReviewsExpression('changed')},` : ''}
    ${answer('answered', 'settled', MADE_BY_REVIEW.has(kind) ? `@mutation, '${RESOLVE_REVIEW}'` : '@mutation')}
    SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c`,
  );
}

/** What becomes of the payment method: it was used, or what the payment made of it has failed. A cancel ends a payment, too. */
function methodExpressions(kind: OperationKind, outcome: FinalOutcome['kind']): string {
  if (kind === 'authorize')
    return `${outcome === 'succeeded' ? methodSucceeded('changed', 'settled') : methodFailed('changed')},`;
  return kind === 'cancel' && outcome === 'succeeded' ? `${methodFailed('changed')},` : '';
}

/** The tables that events and history tell of. */
const SETTLED_TABLES = `settled s CROSS JOIN changed c
  JOIN payment_service p ON p.merchant_account_id = s.merchant_account_id AND p.id = s.payment_service_id`;

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
  cancel: statementsOf('cancel'),
  redeem: statementsOf('redeem'),
  unredeem: statementsOf('unredeem'),
} as const;
