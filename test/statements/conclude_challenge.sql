-- $1 ways, $2 account, $3 transaction, $4 operation, $5 held, $6 attempts, $7 threeDSecure, $8 now, $9 actor, $10 steps, $11 eventA, $12 environment
WITH locked AS (
  SELECT t.merchant_account_id, t.id, CASE WHEN $1::jsonb IS NULL THEN t.status ELSE $1::jsonb ->> t.status END AS after
  FROM transaction t WHERE t.merchant_account_id = $2 AND t.id = $3 FOR NO KEY UPDATE),
held AS (
  SELECT o.* FROM operation o JOIN locked l ON l.id = o.transaction_id
  WHERE o.merchant_account_id = $2 AND o.id = $4 AND o.status || '' = 'pending' AND o.unsent
    AND o.lease_until = $5 AND o.attempts = $6 AND l.after IS NOT NULL FOR NO KEY UPDATE OF o),
changed AS (
  UPDATE transaction t SET three_d_secure = $7::jsonb, status = l.after, updated_at = $8
  FROM held h, locked l WHERE t.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND t.id = ANY (ARRAY[l.id]) RETURNING t.*),
steps AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, h.id, s.transaction_id, h.name, h.context, coalesce($9::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $8::timestamptz
  FROM held s CROSS JOIN jsonb_to_recordset($10::jsonb) AS h (id uuid, name text, context jsonb)),
event_row AS (
SELECT c.merchant_account_id, $11::uuid AS event_id, 'transaction.authenticated' AS event_name,
  'transaction' AS target_type, c.id::text AS target_id, $8::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $11::uuid, 'name', 'transaction.authenticated',
    'created_at', to_char($8::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', c.merchant_account_id,
    'environment', $12::text, 'target', json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
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
FROM changed c WHERE c.three_d_secure ->> 'status' = 'complete'),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_row)
SELECT row_to_json(c) AS transaction FROM changed c
WHERE set_config('paygraph.actor', coalesce(coalesce($9::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
