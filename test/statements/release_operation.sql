-- $1 cause, $2 now, $3 account, $4 operation, $5 attempts, $6 nextAttemptAt, $7 historyId, $8 actor
WITH before AS (
  SELECT o.unknown_at, CASE WHEN o.accepted_at IS NULL THEN $1::text WHEN o.decision_until <= $2 THEN 'undecided' END AS why,
    CASE WHEN o.next_attempt_at < o.lease_until THEN o.next_attempt_at END AS due_at
  FROM operation o WHERE o.merchant_account_id = $3 AND o.id = $4
    AND o.status || '' = 'pending' AND o.attempts = $5 FOR UPDATE),
released AS (
  UPDATE operation o SET lease_until = NULL, updated_at = $2,
    next_attempt_at = coalesce(b.due_at, $6::timestamptz),
    unknown_at = CASE WHEN b.why IS NOT NULL THEN coalesce(o.unknown_at, $2) END, unknown_cause = b.why
  FROM before b WHERE o.merchant_account_id = $3 AND o.id = $4 AND o.status || '' = 'pending' RETURNING o.*)
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
SELECT r.merchant_account_id, $7::uuid, r.transaction_id, 'payment-connector-outcome-unknown',
  jsonb_build_object('operation_id', r.id, 'kind', r.kind, 'payment_service_id', r.payment_service_id, 'cause', b.why),
  coalesce($8::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $2
FROM released r, before b WHERE b.why IS NOT NULL AND b.unknown_at IS NULL
