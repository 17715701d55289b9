-- $1 account, $2 transaction, $3 leaseUntil, $4 now, $5 operation, $6 held, $7 attempts, $8 decision, $9 historyId, $10 historyName, $11 context, $12 actor, $13 eventA, $14 environment
WITH locked AS (
  SELECT t.* FROM transaction t WHERE t.merchant_account_id = $1 AND t.id = $2 FOR NO KEY UPDATE),
held AS (
  UPDATE operation o SET lease_until = $3, next_attempt_at = $3, updated_at = $4
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $5 AND o.status || '' = 'pending'
    AND o.unsent AND o.lease_until = $6 AND o.attempts = $7 RETURNING o.*),
screened AS (
  UPDATE transaction t SET anti_fraud_decision = $8, updated_at = $4
  FROM locked l WHERE t.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND t.id = ANY (ARRAY[l.id]) AND l.anti_fraud_decision = 'pending'
  RETURNING t.*),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT j.merchant_account_id, $9::uuid, j.id, $10,
    jsonb_strip_nulls($11::jsonb || jsonb_build_object('anti_fraud_service_id', a.id,
      'anti_fraud_service_display_name', a.display_name, 'anti_fraud_service_definition_id', a.definition_id)), coalesce($12::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $4
  FROM screened j
  JOIN anti_fraud_service a ON a.merchant_account_id = j.merchant_account_id AND a.id = j.anti_fraud_service_id),
event_row AS (
SELECT c.merchant_account_id, $13::uuid AS event_id, 'transaction.anti-fraud-decided' AS event_name,
  'transaction' AS target_type, c.id::text AS target_id, $4::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $13::uuid, 'name', 'transaction.anti-fraud-decided',
    'created_at', to_char($4::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', c.merchant_account_id,
    'environment', $14::text, 'target', json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
  'payment_method', json_build_object('method', c.method), 'bank', CASE WHEN c.bank IS NOT NULL THEN json_build_object('scheme', c.bank ->> 'scheme', 'last_four', c.bank ->> 'lastFour',
  'mandate_reference', coalesce(c.bank #>> '{debit,mandateReference}', c.bank #>> '{mandate,reference}'),
  'debits_on', c.bank #>> '{debit,debitsOn}', 'creditor_id', c.bank #>> '{debit,creditorId}') END, 'external_identifier', c.external_identifier,
  'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
  'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount,
  'payment_service_transaction_id', c.payment_service_transaction_id, 'payment_link_id', c.payment_link_id,
  'anti_fraud_decision', c.anti_fraud_decision, 'pending_review', coalesce(c.fraud_review = 'pending', false),
  'has_gift_card_redemptions', c.gift_card_amount > 0,
  'error_code', c.error_code,
  'metadata', c.metadata, 'origin', 'requested', 'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM screened c),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_row)
SELECT CASE WHEN j.id IS NULL THEN row_to_json(l) ELSE row_to_json(j) END AS transaction,
  (SELECT row_to_json(h) FROM held h) AS operation
FROM locked l LEFT JOIN screened j ON true
WHERE set_config('paygraph.actor', coalesce(coalesce($12::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
