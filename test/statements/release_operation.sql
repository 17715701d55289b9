-- $1 account, $2 operation, $3 attempts, $4 now, $5 nextAttemptAt, $6 cause, $7 historyId, $8 actor
WITH before AS (
  SELECT o.unknown_at, o.accepted_at IS NULL AS undecided,
    CASE WHEN o.next_attempt_at < o.lease_until THEN o.next_attempt_at END AS due_at
  FROM operation o WHERE o.merchant_account_id = $1 AND o.id = $2
    AND o.status || '' = 'pending' AND o.attempts = $3 FOR UPDATE),
released AS (
  UPDATE operation o SET lease_until = NULL, updated_at = $4,
    next_attempt_at = coalesce(b.due_at, $5::timestamptz),
    unknown_at = CASE WHEN ($6::text IS NOT NULL AND b.undecided) THEN coalesce(o.unknown_at, $4) END, unknown_cause = CASE WHEN ($6::text IS NOT NULL AND b.undecided) THEN $6 END
  FROM before b WHERE o.merchant_account_id = $1 AND o.id = $2 AND o.status || '' = 'pending' RETURNING o.*)
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
SELECT r.merchant_account_id, $7::uuid, r.transaction_id, 'payment-connector-outcome-unknown',
  jsonb_build_object('operation_id', r.id, 'kind', r.kind, 'payment_service_id', r.payment_service_id, 'cause', $6::text),
  coalesce($8::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $4
FROM released r, before b WHERE ($6::text IS NOT NULL AND b.undecided) AND b.unknown_at IS NULL
