import type { Db } from '../../../platform/db.ts';
import { CONNECTION_COLUMNS, type ConnectionRow } from '../../payment-services/index.ts';
import type { FollowUpKind } from '../decide.ts';
import type { Operation } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { toOperation, toTransaction, type JsonRow } from './row.ts';

/** An operation that is ours to carry out: committed as pending, with what it needs to call the provider. */
export type Claimed = {
  readonly operation: Operation;
  readonly transaction: Transaction;
  readonly connection: ConnectionRow;
};

export type FollowUpClaim = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly operationId: string;
  readonly kind: FollowUpKind;
  /** The mutation, under whose name the key is kept. */
  readonly mutation: string;
  /** Minor units; null takes all that is left. */
  readonly amount: number | null;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  readonly key: KeyRow | null;
  readonly now: Date;
  readonly leaseUntil: Date;
};

export type KeyRow = {
  readonly key: string;
  readonly fingerprint: string;
  readonly digests: string;
  readonly expiresAt: Date;
};

/** Per kind: what is left, when it may start (the same question as decide.ts), and how the amount is reserved. */
const RULES = {
  capture: {
    left: 't.authorized_amount',
    allowed: `l.status = 'authorization_succeeded' AND NOT l.void_pending AND l.captured_amount + l.capture_pending_amount = 0
              AND l.claim_amount BETWEEN 1 AND l.authorized_amount`,
    reserve: 'capture_pending_amount = t.capture_pending_amount + a.claim_amount',
  },
  refund: {
    left: 't.captured_amount - t.refunded_amount - t.refund_pending_amount',
    allowed: `l.status = 'capture_succeeded'
              AND l.claim_amount BETWEEN 1 AND l.captured_amount - l.refunded_amount - l.refund_pending_amount`,
    reserve: 'refund_pending_amount = t.refund_pending_amount + a.claim_amount',
  },
  void: {
    left: 't.authorized_amount',
    allowed: `l.status = 'authorization_succeeded' AND NOT l.void_pending AND l.authorized_amount > 0
              AND l.captured_amount + l.capture_pending_amount = 0`,
    reserve: 'void_pending = true',
  },
} as const satisfies Record<FollowUpKind, { left: string; allowed: string; reserve: string }>;

/**
 * Locks the transaction, asks whether the operation may start, reserves its amount, and writes the pending operation and
 * the idempotency key: one statement, one commit. No row when it may not start or the key was used.
 * Two claims with one new key at once: the second fails with a unique violation and leaves nothing.
 */
export async function claimFollowUp(db: Db, claim: FollowUpClaim): Promise<Claimed | null> {
  const rows = await db.query<ClaimedRow>({
    name: `claim_${claim.kind}`,
    text: statements[claim.kind],
    values: [
      claim.merchantAccountId,
      claim.transactionId,
      claim.amount,
      claim.operationId,
      claim.externalIdentifier,
      claim.reason,
      claim.leaseUntil,
      claim.now,
      ...keyValues(claim.mutation, claim.key),
    ],
  });
  return rows[0] ? toClaimed(rows[0]) : null;
}

export type ClaimedRow = {
  readonly operation: JsonRow;
  readonly transaction: JsonRow;
  readonly connection: ConnectionRow;
};

export const toClaimed = (row: ClaimedRow): Claimed => ({
  operation: toOperation(row.operation),
  transaction: toTransaction(row.transaction),
  connection: row.connection,
});

export const keyValues = (mutation: string, key: KeyRow | null): readonly unknown[] => [
  mutation,
  key?.key ?? null,
  key?.fingerprint ?? null,
  key?.digests ?? null,
  key?.expiresAt ?? null,
];

/**
 * Expressions that take a key: `key_unused` is empty while a live record has it, and `key_written` inserts it.
 * An expired record is deleted first, which reading key_expired forces. Parameters: mutation, key, fingerprint, digests,
 * expires_at from $first on.
 */
export const keyExpressions = (first: number, now: string, from: string) => ({
  unused: `NOT EXISTS (SELECT 1 FROM idempotency_key k WHERE k.merchant_account_id = $1 AND k.operation = $${first}
                       AND k.key = $${first + 1} AND k.expires_at > ${now})`,
  expired: `key_expired AS (
    DELETE FROM idempotency_key k WHERE k.merchant_account_id = $1 AND k.operation = $${first}
      AND k.key = $${first + 1} AND k.expires_at <= ${now} RETURNING 1)`,
  written: `key_written AS (
    INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, created_at, expires_at)
    SELECT merchant_account_id, $${first}, $${first + 1}, $${first + 2}::text, $${first + 3}::text, id::text, ${now}, $${first + 4}::timestamptz
    FROM ${from} WHERE $${first + 1}::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0)`,
});

function followUpStatement(kind: FollowUpKind): string {
  const { left, allowed, reserve } = RULES[kind];
  const key = keyExpressions(9, '$8::timestamptz', 'started');
  return `
    WITH locked AS (
      SELECT t.*, coalesce($3::int, ${left}) AS claim_amount FROM transaction t
      WHERE t.merchant_account_id = $1 AND t.id = $2 FOR UPDATE),
    allowed AS (SELECT l.* FROM locked l WHERE ${allowed} AND ${key.unused}),
    ${key.expired},
    reserved AS (
      UPDATE transaction t SET ${reserve}, updated_at = $8 FROM allowed a
      WHERE t.merchant_account_id = a.merchant_account_id AND t.id = a.id RETURNING t.*),
    started AS (
      INSERT INTO operation (merchant_account_id, id, transaction_id, kind, amount, currency, idempotency_key,
                             external_identifier, reason, lease_until, next_attempt_at, created_at, updated_at)
      SELECT a.merchant_account_id, $4::uuid, a.id, '${kind}', a.claim_amount, a.currency, $10, $5, $6, $7, $7, $8, $8
      FROM allowed a RETURNING *),
    ${key.written}
    SELECT row_to_json(o) AS operation, row_to_json(r) AS transaction, ${CONNECTION_COLUMNS} AS connection
    FROM started o, reserved r
    JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = r.payment_service_id`;
}

const statements = {
  capture: followUpStatement('capture'),
  refund: followUpStatement('refund'),
  void: followUpStatement('void'),
} as const;
