import { ACTOR } from '../../../platform/database/acting.ts';
import { byKey, rowOf } from '../../../platform/database/statement.ts';
import { METHOD_LOCKED, methodFailed, methodSucceeded } from '../../payment-methods/index.ts';
import { rematchExpression, rematchReviewsExpression } from './rematch.sql.ts';
import { ANSWER_KEPT } from '../rows/fragments.sql.ts';
import type { OperationKind } from '../model/operation.ts';
import type { RecordedOutcome } from './changes.ts';

// These effects change rows that the version of a transaction does not guard. Each effect is a relative statement of
// its own. It is a common table expression over the written operation, `settled`, and its written transaction,
// `changed`.

/**
 * Ends the redemptions of a payment without success. A succeeded redemption is reversed, and a created one is skipped.
 * A pending one is reversed after its outcome. A redemption whose reversal a person declared failed stays.
 */
const REDEMPTIONS_GIVEN_UP = `
  moved AS (
    UPDATE redemption r SET updated_at = @now,
      status = CASE r.status WHEN 'succeeded' THEN 'reversing' WHEN 'created' THEN 'skipped' ELSE r.status END,
      sealed_card = CASE r.status WHEN 'pending' THEN r.sealed_card END
    FROM changed c WHERE @givesUpRedemptions::boolean AND ${byKey('r.merchant_account_id', 'c.merchant_account_id')}
      AND ${byKey('r.transaction_id', 'c.id')} AND r.status IN ('created', 'pending', 'succeeded')
      AND NOT EXISTS (SELECT FROM operation o WHERE ${rowOf('o', 'r', 'reversal_id')})
    RETURNING r.*)`;

/**
 * Starts the reversals, for reconciliation or a faster caller. Their ids were chosen with the redemptions. A reversal's
 * key at the provider follows from the key of its redemption. So a restore does not change the key.
 */
const REVERSALS_STARTED = `
  reversals AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, redemption_id,
      provider_key, actor, unsent, attempts, next_attempt_at, sent_at, created_at, updated_at)
    SELECT m.merchant_account_id, m.reversal_id, m.transaction_id, m.payment_service_id, 'unredeem', m.amount, m.currency,
      m.id, (SELECT md5('reversal of ' || o.provider_key)::uuid FROM operation o WHERE ${rowOf('o', 'm')}), ${ACTOR}::jsonb, true, 0, @now, @now, @now, @now FROM moved m WHERE m.status = 'reversing')`;

/** Makes the authorisation due that waits for a redemption, unless a process has a lease on it. */
const HELD_AUTHORIZATION_WOKEN = `
  woken AS (
    UPDATE operation o SET next_attempt_at = @now FROM settled s
    WHERE ${byKey('o.merchant_account_id', 's.merchant_account_id')}
      AND ${byKey('o.transaction_id', 's.transaction_id')} AND o.kind = 'authorize'
      AND o.status = 'pending' AND o.unsent AND (o.lease_until IS NULL OR o.lease_until <= @now))`;

/** Ends the pending authorisation. A late answer to it changes nothing. */
const AUTHORIZATION_ENDED = `
  ended AS (
    UPDATE operation o SET status = 'failed', error_code = 'canceled', settled_at = @now, ${ANSWER_KEPT}, updated_at = @now, lease_until = NULL,
      next_attempt_at = NULL, sealed_card = NULL, sealed_returned = NULL, sealed_form = NULL, unknown_at = NULL, unknown_cause = NULL
    FROM settled s WHERE ${byKey('o.merchant_account_id', 's.merchant_account_id')}
      AND ${byKey('o.transaction_id', 's.transaction_id')}
      AND o.kind = 'authorize' AND o.status = 'pending')`;

const APPROVAL_AWAITED = `
  awaited AS (
    INSERT INTO approval (merchant_account_id, operation_id, kind, token, session_digest, completion_digest, return_digest, expires_at, created_at)
    SELECT s.merchant_account_id, s.id, @approvalKind, @approvalToken, @sessionDigest, @completionDigest, @returnDigest, @approvalExpiresAt::timestamptz, @now
    FROM settled s WHERE @approvalToken::text IS NOT NULL)`;

/** Deletes number and PIN, because no later step needs them. */
const REDEEM_ENDED = `raw_response_code = s.raw_response_code, raw_response_description = s.raw_response_description,
      sealed_card = NULL, updated_at = @now`;

const redemptionMoved = (set: string): string => `
  moved AS (
    UPDATE redemption r SET ${set}
    FROM settled s WHERE ${rowOf('r', 's', 'redemption_id')} RETURNING r.*)`;

const REDEEMED = redemptionMoved(
  `status = @redemptionStatus, provider_reference = s.provider_reference, ${REDEEM_ENDED}`,
);
const NOT_REDEEMED = redemptionMoved(
  `status = @redemptionStatus, error_code = s.error_code, ${REDEEM_ENDED}`,
);
const UNREDEEMED = redemptionMoved('status = @redemptionStatus, updated_at = @now');
const REFUND_DECIDED = 'refund_pending_amount = r.refund_pending_amount - s.amount, updated_at = @now';
const REFUNDED_TO_CARD = redemptionMoved(`refunded_amount = r.refunded_amount + s.amount, ${REFUND_DECIDED}`);
const REFUND_REFUSED_TO_CARD = redemptionMoved(REFUND_DECIDED);

const METHOD_USED = methodSucceeded('changed', 'settled');
const METHOD_FAILED = methodFailed('changed');
const WEBHOOKS_REMATCHED = rematchExpression('settled');
const REVIEWS_REMATCHED = rematchReviewsExpression('changed');

/** Lists the money of a late approval that the provider kept. A person can accept the payment, or dismiss the difference. */
const RELEASE_REFUSED = `
  kept AS (
    INSERT INTO difference (merchant_account_id, id, transaction_id, payment_service_id, finding, source, subject, operation_id,
      kind, reported_amount, reported_currency, made, found_at)
    SELECT s.merchant_account_id, s.id, s.transaction_id, s.payment_service_id, 'late_authorization', 'notice',
      s.provider_reference, s.id, 'authorize', s.amount, s.currency, jsonb_build_object('kind', 'authorize',
        'reference', s.provider_reference, 'money', jsonb_build_object('amount', s.amount, 'currency', s.currency),
        'total', NULL, 'final', NULL, 'captureReference', NULL, 'occurredAt', NULL, 'rawResponseCode', NULL,
        'rawResponseDescription', NULL), @now
    FROM settled s ON CONFLICT DO NOTHING)`;

type Parts = Readonly<Record<'accepted' | 'succeeded' | 'refused', readonly string[]>>;

/** The effects, by kind and outcome. */
const EFFECTS: Readonly<Record<OperationKind, Parts>> = {
  authorize: {
    accepted: [APPROVAL_AWAITED],
    succeeded: [METHOD_USED, REVIEWS_REMATCHED],
    refused: [REDEMPTIONS_GIVEN_UP, REVERSALS_STARTED, METHOD_FAILED, REVIEWS_REMATCHED],
  },
  increase: { accepted: [], succeeded: [], refused: [] },
  reauthorize: { accepted: [], succeeded: [], refused: [] },
  capture: { accepted: [], succeeded: [], refused: [] },
  refund: { accepted: [], succeeded: [REFUNDED_TO_CARD], refused: [REFUND_REFUSED_TO_CARD] },
  void: {
    accepted: [],
    succeeded: [REDEMPTIONS_GIVEN_UP, REVERSALS_STARTED, REVIEWS_REMATCHED],
    refused: [REVIEWS_REMATCHED],
  },
  cancel: {
    accepted: [],
    succeeded: [
      AUTHORIZATION_ENDED,
      REDEMPTIONS_GIVEN_UP,
      REVERSALS_STARTED,
      METHOD_FAILED,
      REVIEWS_REMATCHED,
    ],
    refused: [REVIEWS_REMATCHED],
  },
  release: { accepted: [], succeeded: [], refused: [RELEASE_REFUSED] },
  redeem: {
    accepted: [],
    succeeded: [REDEEMED, REVERSALS_STARTED, HELD_AUTHORIZATION_WOKEN],
    refused: [NOT_REDEEMED, HELD_AUTHORIZATION_WOKEN],
  },
  unredeem: { accepted: [], succeeded: [UNREDEEMED], refused: [UNREDEEMED] },
};

const effectsOf = (kind: OperationKind, outcome: RecordedOutcome): readonly string[] =>
  EFFECTS[kind][outcome === 'declined' || outcome === 'failed' ? 'refused' : outcome];

/** Returns the effects of an outcome as parts of the statement that applies its changes. */
export const effectExpressions = (kind: OperationKind, outcome: RecordedOutcome): readonly string[] => [
  ...effectsOf(kind, outcome),
  WEBHOOKS_REMATCHED,
];

/** Locks the payment method in a part of its own, if an outcome changes it. The payment's lock waits by a condition. */
export const methodFirst = (kind: OperationKind, outcome: RecordedOutcome) =>
  [METHOD_USED, METHOD_FAILED].some((effect) => effectsOf(kind, outcome).includes(effect))
    ? { part: `${METHOD_LOCKED},`, condition: 'AND (SELECT count(*) FROM method_locked) >= 0' }
    : { part: '', condition: '' };
