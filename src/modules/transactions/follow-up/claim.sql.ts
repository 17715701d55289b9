import type { Db } from '../../../platform/database/db.ts';
import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { OVER_CAPTURE_ALLOWANCE } from '../../accounts/index.ts';
import { CONNECTION_COLUMNS } from '../../payment-services/index.ts';
import type { Claim } from '../engine/claim.ts';
import { AUTHORIZATION_KEY, toClaim, type ClaimRow } from '../engine/claim.sql.ts';
import type { FollowUpKind } from './decide.ts';
import type { Permit } from '../model/permit.ts';
import { approvedBy, permitValues, withinLimit } from './permit.sql.ts';
import { GIFT_CARDS_ALONE } from '../model/transaction.ts';
import {
  KEY_EXPIRED,
  KEY_UNUSED,
  KEY_WRITTEN,
  keyValues,
  PROVIDER_KEY,
  providerKeyValues,
  type KeyRow,
} from '../engine/key.sql.ts';

export type FollowUpClaim = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly operationId: string;
  readonly kind: FollowUpKind;
  /** The mutation that stores the key under its name. */
  readonly mutation: string;
  /** Minor units. Null takes the whole remaining amount. */
  readonly amount: number | null;
  /** True for a capture after which nothing more is captured. */
  readonly final: boolean;
  /** True for a refund in spite of an open dispute. */
  readonly force: boolean;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  readonly key: KeyRow | null;
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly definitions: SupportingDefinitions;
  /** For a refund by a person. */
  readonly permit?: Permit | undefined;
};

/** Selects the captures that a refund of the locked payment `a` is of. Fails if they cannot carry the amount. */
export const allocationOf = (amount: string): string =>
  `allocate_refund(a.merchant_account_id, a.id, ${amount})`;

/** The ids of the definitions that support a kind of operation, and of those that support parts. */
export type SupportingDefinitions = { readonly any: readonly string[]; readonly parts: readonly string[] };

type Rule = { readonly left: string; readonly allowed: string; readonly reserve: string };

/**
 * Condition: gift cards pay the whole payment. Then no provider takes part, and the payment method has nothing to
 * capture.
 */
const ALONE = `l.method = '${GIFT_CARDS_ALONE}'`;

/** Condition: the authorisation may be increased or renewed, and no provider of gift cards alone is asked. */
const CHANGEABLE = `l.status = 'authorization_succeeded' AND NOT l.void_pending AND NOT l.capture_closed
      AND l.authorized_amount > 0 AND l.captured_amount + l.capture_pending_amount = 0
      AND l.increase_pending_amount = 0 AND NOT l.reauthorize_pending
      AND coalesce(l.fraud_review, 'accepted') = 'accepted' AND NOT ${ALONE}`;

/** The rules of each kind: the remaining amount, the condition for a start (as in decide.ts), and the reservation. */
const RULES: Readonly<Record<FollowUpKind, Rule>> = {
  increase: {
    // An increase has an amount of its own.
    left: 'NULL::int',
    allowed: `${CHANGEABLE} AND l.claim_amount BETWEEN 1 AND 99999999 - l.authorized_amount`,
    reserve: 'increase_pending_amount = a.claim_amount',
  },
  reauthorize: {
    left: 't.authorized_amount',
    allowed: CHANGEABLE,
    reserve: 'reauthorize_pending = true',
  },
  capture: {
    left: 't.authorized_amount - t.captured_amount - t.capture_pending_amount',
    allowed: `l.status IN ('authorization_succeeded', 'capture_pending', 'capture_succeeded')
      AND NOT l.void_pending AND NOT l.reauthorize_pending AND NOT l.capture_closed AND coalesce(l.fraud_review, 'accepted') = 'accepted' AND (@final OR l.definition_id = ANY (@parts))
      AND l.claim_amount BETWEEN CASE WHEN ${ALONE} THEN 0 ELSE 1 END AND
        least(l.authorized_amount + l.allowance, 99999999) - l.captured_amount - l.capture_pending_amount`,
    reserve: `capture_pending_amount = t.capture_pending_amount + a.claim_amount, capture_closed = @final,
      over_capture_allowance = CASE
        WHEN t.captured_amount + t.capture_pending_amount + a.claim_amount > t.authorized_amount THEN a.allowance
        ELSE t.over_capture_allowance END`,
  },
  refund: {
    left: 't.captured_amount - t.refunded_amount - t.refund_pending_amount - t.dispute_lost_amount',
    allowed: `l.status = 'capture_succeeded' AND (@force OR l.open_disputes = 0)
      AND l.claim_amount BETWEEN 1 AND
        l.captured_amount - l.refunded_amount - l.refund_pending_amount - l.dispute_lost_amount
      AND (l.claim_amount = l.captured_amount OR l.definition_id = ANY (@parts))`,
    reserve: 'refund_pending_amount = t.refund_pending_amount + a.claim_amount',
  },
  void: {
    left: 't.authorized_amount',
    allowed: `l.status = 'authorization_succeeded' AND NOT l.void_pending AND NOT l.capture_closed
      AND l.increase_pending_amount = 0 AND NOT l.reauthorize_pending
      AND l.authorized_amount + l.gift_card_amount > 0 AND l.captured_amount + l.capture_pending_amount = 0`,
    reserve: 'void_pending = true',
  },
  cancel: {
    left: 't.amount',
    allowed: `l.status IN ('processing', 'buyer_approval_pending') AND NOT l.void_pending`,
    reserve: 'void_pending = true',
  },
};

/**
 * Locks the transaction, checks the condition, reserves the amount, and writes the pending operation and the key. One
 * statement, one commit. Returns null when the operation may not start, or the key was used. When two claims bring one
 * new key at once, the second fails with a unique violation and leaves nothing.
 */
export async function claimFollowUp(db: Db, claim: FollowUpClaim): Promise<Claim | null> {
  const [row] = await db.query<ClaimRow>(
    statements[claim.kind]({
      account: claim.merchantAccountId,
      transaction: claim.transactionId,
      operation: claim.operationId,
      amount: claim.amount,
      final: claim.final,
      force: claim.force,
      externalIdentifier: claim.externalIdentifier,
      reason: claim.reason,
      leaseUntil: claim.leaseUntil,
      now: claim.now,
      definitions: claim.definitions.any,
      parts: claim.definitions.parts,
      ...keyValues(claim.mutation, claim.key),
      ...providerKeyValues(claim.key),
      ...permitValues(claim.permit),
    }),
  );
  return row ? toClaim(row) : null;
}

function followUpStatement(kind: FollowUpKind) {
  const { left, allowed, reserve } = RULES[kind];
  const isRefund = kind === 'refund';
  return prepare(
    `claim_${kind}`,
    `
    WITH locked AS (
      SELECT t.*, s.definition_id, coalesce(@amount::int, ${left}) AS claim_amount, ${OVER_CAPTURE_ALLOWANCE} AS allowance
      FROM transaction t
      JOIN merchant_account m ON m.id = t.merchant_account_id
      JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
      WHERE t.merchant_account_id = @account AND t.id = @transaction FOR UPDATE OF t),
    ${isRefund ? 'permitted' : 'allowed'} AS (SELECT l.* FROM locked l WHERE (l.definition_id = ANY (@definitions) OR ${ALONE}) AND ${allowed} AND ${KEY_UNUSED}${isRefund ? ` AND ${withinLimit('l.claim_amount')}` : ''}),${isRefund ? approvedBy('@operation::uuid') + ',' : ''}
    ${KEY_EXPIRED},
    reserved AS (
      UPDATE transaction t SET ${reserve} FROM allowed a
      WHERE ${rowOf('t', 'a')}
      RETURNING t.merchant_account_id, t.payment_service_id, row_to_json(t) AS transaction, t.xmin::text AS version),
    started AS (
      INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, final,
        idempotency_key, provider_key, actor, external_identifier, reason, provider_reference, ${isRefund ? 'refund_captures, ' : ''}lease_until, next_attempt_at, sent_at, created_at,
        updated_at)
      SELECT a.merchant_account_id, @operation::uuid, a.id, a.payment_service_id, '${kind}', a.claim_amount, a.currency,
        @final, @key, ${PROVIDER_KEY}, ${ACTOR}::jsonb, @externalIdentifier, @reason, ${kind === 'cancel' ? 'a.payment_service_transaction_id' : 'NULL'},${isRefund ? ` ${allocationOf('a.claim_amount')},` : ''}
        @leaseUntil, @leaseUntil, @now, @now, @now
      FROM allowed a RETURNING *),
    ${KEY_WRITTEN}
    SELECT row_to_json(o) AS operation, r.transaction, r.version, ${CONNECTION_COLUMNS} AS connection,
      ${AUTHORIZATION_KEY}
    FROM started o, reserved r
    JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = r.payment_service_id
    WHERE ${ACTS}`,
  );
}

const statements = {
  increase: followUpStatement('increase'),
  reauthorize: followUpStatement('reauthorize'),
  capture: followUpStatement('capture'),
  refund: followUpStatement('refund'),
  void: followUpStatement('void'),
  cancel: followUpStatement('cancel'),
} as const;
