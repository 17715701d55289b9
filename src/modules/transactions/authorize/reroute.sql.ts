import type { Db } from '../../../platform/database/db.ts';
import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import type { Choice, Operation } from '../model/operation.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import type { StartedAuthentication } from './three-d-secure/authenticate.ts';
import {
  authenticationExpressions,
  authenticationValues,
  columnsAfter,
} from './three-d-secure/authentication.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import { firstUnusedKey, STILL_PENDING } from '../model/fragments.sql.ts';
import { toOperation, toTransaction, type JsonRow } from '../model/rows.sql.ts';
import type { HistoryChange } from '../engine/changes.ts';
import { contextText } from '../engine/event-text.ts';

export type Reroute = {
  /** The authorisation with a sure refusal. */
  readonly operation: Operation;
  readonly outcome: Extract<FinalOutcome, { readonly kind: 'declined' | 'failed' }>;
  readonly mutation: string;
  readonly history: HistoryChange;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
  readonly next: {
    readonly operationId: string;
    readonly paymentServiceId: string;
    /** The keys that the operation may have at the next service. Empty without an idempotency key. */
    readonly providerKeys: readonly string[];
    readonly choice: Choice;
    /** True to ask the next provider for its own name of the payment method. */
    readonly tokenizes: boolean;
    /** The sealed card. Null when no card pays. */
    readonly sealedCard: string | null;
    readonly leaseUntil: Date;
    /** The end of the buyer's time to approve at the next service. Null when the service waits for no buyer. */
    readonly approvalExpiresAt: Date | null;
    /** The authentication for the next service. Null when the service needs none. */
    readonly authentication: StartedAuthentication | null;
  };
};

/** The authorisation at the next service, its transaction, and the transaction's version. */
export type Rerouted = {
  readonly operation: Operation;
  readonly transaction: Transaction;
  readonly version: string;
};

/**
 * Ends a refused authorisation and starts one at the next service, in one commit. The new operation has an id of its
 * own, and the idempotency key now leads to it. The transaction stays processing, or waits for a challenged buyer.
 * Returns null when another process claimed or ended the old authorisation, or a cancel is under way. Nothing is
 * written then, and no provider may be called. A delayed authorisation stays delayed.
 */
export async function rerouteAuthorization(db: Db, reroute: Reroute): Promise<Rerouted | null> {
  const { operation, outcome, next } = reroute;
  const [row] = await db.query<{ operation: JsonRow; transaction: JsonRow; version: string }>(
    statements[next.authentication ? 'authenticated' : 'plain']({
      account: operation.merchantAccountId,
      transaction: operation.transactionId,
      operation: operation.id,
      outcome: outcome.kind,
      reference: outcome.reference,
      errorCode: outcome.errorCode,
      rawResponseCode: outcome.rawResponseCode,
      rawResponseDescription: outcome.rawResponseDescription,
      authResponseCode: outcome.authResponseCode ?? null,
      networkResponseCode: outcome.networkResponseCode ?? null,
      merchantAdviceCode: outcome.merchantAdviceCode ?? null,
      historyId: reroute.history.id,
      historyName: reroute.history.name,
      historyContext: contextText(reroute.history),
      mutation: reroute.mutation,
      now: reroute.now,
      nextOperation: next.operationId,
      service: next.paymentServiceId,
      providerKeys: next.providerKeys,
      choice: next.choice,
      tokenizes: next.tokenizes,
      sealedCard: next.sealedCard,
      ...columnsAfter(next.authentication, next.leaseUntil),
      approvalExpiresAt: next.authentication?.challenge?.expiresAt ?? next.approvalExpiresAt,
      approvalUrl: next.authentication?.challenge?.url ?? null,
      threeDSecure: next.authentication && JSON.stringify(next.authentication.threeDSecure),
      ...(next.authentication && authenticationValues(next.authentication, reroute.environment)),
    }),
  );
  return row
    ? { ...row, operation: toOperation(row.operation), transaction: toTransaction(row.transaction) }
    : null;
}

/** The values that the next service changes. Reports count the refusal by those of its own time. */
const REPORT_VALUES = `jsonb_build_object('scheme', coalesce(l.card_scheme, ''), 'card_country', coalesce(l.card_country, ''),
        'three_d_secure', coalesce(l.three_d_secure ->> 'status', 'none'))`;

const statementOf = (name: string, more: string) =>
  prepare(
    name,
    `
  WITH locked AS (
    SELECT t.* FROM transaction t WHERE t.merchant_account_id = @account AND t.id = @transaction
      AND t.status = 'processing' AND NOT t.void_pending FOR NO KEY UPDATE),
  ended AS (
    UPDATE operation o SET status = @outcome, provider_reference = coalesce(@reference, o.provider_reference),
      error_code = @errorCode, raw_response_code = @rawResponseCode, raw_response_description = @rawResponseDescription,
      auth_response_code = @authResponseCode, network_response_code = @networkResponseCode,
      merchant_advice_code = @merchantAdviceCode, report_values = ${REPORT_VALUES},
      settled_at = @now, updated_at = @now, lease_until = NULL, next_attempt_at = NULL, sealed_card = NULL,
      unknown_at = NULL, unknown_cause = NULL
    FROM locked l WHERE o.merchant_account_id = @account AND o.id = @operation AND ${STILL_PENDING}
      AND o.accepted_at IS NULL AND o.unknown_at IS NULL RETURNING o.*),
  moved AS (
    UPDATE transaction t SET payment_service_id = @service, payment_service_transaction_id = NULL,
      approval_expires_at = @approvalExpiresAt, approval_url = @approvalUrl, status = @status,
      three_d_secure = coalesce(@threeDSecure::jsonb, t.three_d_secure), updated_at = @now
    FROM ended e WHERE ${rowOf('t', 'e', 'transaction_id')} RETURNING t.*),
  started AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount, currency,
      idempotency_key, provider_key, actor, sealed_card, tokenizes, unsent, attempts, lease_until, next_attempt_at, sent_at, created_at, updated_at)
    SELECT e.merchant_account_id, @nextOperation::uuid, e.transaction_id, m.payment_service_id, 'authorize', @choice, e.amount,
      e.currency, e.idempotency_key, ${firstUnusedKey('@providerKeys::uuid[]')}, e.actor, @sealedCard, @tokenizes::boolean, @unsent::boolean OR e.unsent, @attempts::int, @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now
    FROM ended e, moved m RETURNING *),
  rekeyed AS (
    UPDATE idempotency_key k SET resource_id = @nextOperation::uuid::text FROM ended e
    WHERE k.merchant_account_id = e.merchant_account_id AND k.operation = @mutation AND k.key = e.idempotency_key
      AND k.resource_id = e.id::text),
  history_written AS (
    INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
    SELECT e.merchant_account_id, @historyId::uuid, e.transaction_id, @historyName, @historyContext::jsonb, ${ACTOR}::jsonb, @now
    FROM ended e, moved m)${more}
  SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction, pg_current_xact_id()::xid::text AS version
  FROM started s, moved m
  WHERE ${ACTS}`,
  );

const statements = {
  plain: statementOf('reroute_authorization', ''),
  authenticated: statementOf(
    'reroute_authorization_authenticated',
    `,${authenticationExpressions('moved', 'started')}`,
  ),
} as const;
