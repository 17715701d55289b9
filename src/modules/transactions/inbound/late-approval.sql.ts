import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import type { Db } from '../../../platform/database/db.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { lateAuthorizationEvent } from '../engine/claim-events.sql.ts';
import type { Operation } from '../model/operation.ts';

/** The facts that decide about a late approval, as they are now. */
export type LateApproval = {
  /** True if the merchant account accepts late approvals. */
  readonly accepts: boolean;
  /** True if another authorisation of the payment is under way or has succeeded. */
  readonly hasAnother: boolean;
  /** True if a cancel of the payment succeeded, or if the authorisation expired. The provider then holds nothing. */
  readonly isOver: boolean;
  /** True if the provider took back what the authorisation had captured. */
  readonly isReversed: boolean;
};

const OTHERS = `o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.transaction_id`;

/** Tells whether a webhook told an event of the authorisation. The approval may come after the events that followed it. */
const isTold = (event: string): string => `EXISTS (SELECT FROM history_entry h
  WHERE h.merchant_account_id = a.merchant_account_id AND h.transaction_id = a.transaction_id
    AND h.context ->> 'webhook_event' = '${event}' AND h.context ->> 'operation_id' = a.id::text)`;

const readStatement = prepare(
  'read_late_approval',
  `SELECT m.late_authorizations = 'accept' AS accepts,
     EXISTS (SELECT FROM operation o WHERE ${OTHERS} AND o.kind = 'authorize'
       AND o.status IN ('pending', 'succeeded')) AS "hasAnother",
     (EXISTS (SELECT FROM operation o WHERE ${OTHERS} AND o.kind = 'cancel' AND o.status = 'succeeded')
       OR a.error_code IS NOT DISTINCT FROM 'expired_authorization' OR ${isTold('authorize.expired')}) AS "isOver",
     ${isTold('capture.reversed')} AS "isReversed"
   FROM operation a JOIN merchant_account m ON m.id = a.merchant_account_id
   WHERE a.merchant_account_id = @account AND a.id = @operation`,
);

/** Reads the facts about a late approval of an operation. */
export async function readLateApproval(
  db: Db,
  { merchantAccountId: account, id: operation }: Operation,
): Promise<LateApproval> {
  const [row] = await db.query<LateApproval>(readStatement({ account, operation }));
  if (!row) throw new Error(`Operation ${operation} is gone`);
  return row;
}

// Read from the locked row. So a booking of the approval at the same moment is seen.
const IS_ACCEPTED = `(t.payment_service_id = o.payment_service_id AND t.payment_service_transaction_id = @reference::text
  AND t.status NOT IN ('authorization_declined', 'authorization_failed'))`;

// The key at the provider follows from the key of the authorisation, so a restore does not change the key.
const releaseStatement = prepare(
  'release_late_approval',
  `WITH refused AS (
     SELECT o.* FROM operation o JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
     WHERE o.merchant_account_id = @account AND o.id = @operation AND o.status IN ('declined', 'failed') AND NOT ${IS_ACCEPTED}
     FOR NO KEY UPDATE OF t),
   started AS (
     INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, releases_id,
       provider_key, provider_reference, actor, unsent, attempts, next_attempt_at, sent_at, created_at, updated_at)
     SELECT r.merchant_account_id, @release::uuid, r.transaction_id, r.payment_service_id, 'release', @amount::int, r.currency,
       r.id, md5('release of ' || coalesce(r.provider_key, r.id))::uuid, @reference::text, ${ACTOR}::jsonb, true, 0,
       @now, @now, @now, @now
     FROM refused r ON CONFLICT DO NOTHING RETURNING *),
   late AS (
     UPDATE transaction t SET updated_at = @now FROM started s WHERE ${rowOf('t', 's', 'transaction_id')} RETURNING t.*),
   ${lateAuthorizationEvent('late c')},
   history_written AS (
     INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
     SELECT s.merchant_account_id, @historyId::uuid, s.transaction_id, 'payment-connector-late-authorization',
       jsonb_build_object('operation_id', s.id, 'releases_id', s.releases_id, 'amount', s.amount, 'currency', s.currency,
         'payment_service_id', s.payment_service_id, 'payment_service_reference', s.provider_reference),
       ${ACTOR}::jsonb, @now FROM started s)
   SELECT id FROM started WHERE ${ACTS}`,
);

export type Release = {
  readonly operation: Operation;
  /** The provider's id of the late authorisation, and the held amount in minor units. */
  readonly reference: string;
  readonly amount: number;
  readonly releaseId: string;
  readonly historyId: string;
  readonly eventId: string;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
};

/**
 * Starts the release of a late approval, which reconciliation sends at once. One commit: the operation, the event and the history.
 * The payment gets a new version. False if the release was started before, or if the payment is authorised by the approval.
 */
export async function startRelease(db: Db, { operation, ...given }: Release): Promise<boolean> {
  const { reference, amount, releaseId: release, historyId, eventId: eventA, environment, now } = given;
  const rows = await db.query(
    releaseStatement({
      ...{ account: operation.merchantAccountId, operation: operation.id, reference, amount, release },
      ...{ historyId, eventA, environment, now },
    }),
  );
  return rows.length > 0;
}
