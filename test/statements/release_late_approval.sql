-- $1 account, $2 operation, $3 reference, $4 release, $5 amount, $6 actor, $7 now, $8 eventA, $9 environment, $10 historyId
WITH refused AS (
   SELECT o.* FROM operation o JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
   WHERE o.merchant_account_id = $1 AND o.id = $2 AND o.status IN ('declined', 'failed') AND NOT (t.payment_service_id = o.payment_service_id AND t.payment_service_transaction_id = $3::text
AND t.status NOT IN ('authorization_declined', 'authorization_failed'))
   FOR NO KEY UPDATE OF t),
 started AS (
   INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, releases_id,
     provider_key, provider_reference, actor, unsent, attempts, next_attempt_at, sent_at, created_at, updated_at)
   SELECT r.merchant_account_id, $4::uuid, r.transaction_id, r.payment_service_id, 'release', $5::int, r.currency,
     r.id, md5('release of ' || coalesce(r.provider_key, r.id))::uuid, $3::text, coalesce($6::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, true, 0,
     $7, $7, $7, $7
   FROM refused r ON CONFLICT DO NOTHING RETURNING *),
 late AS (
   UPDATE transaction t SET updated_at = $7 FROM started s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
 event_row AS (
SELECT c.merchant_account_id, $8::uuid AS event_id, 'transaction.late-authorization' AS event_name,
  'transaction' AS target_type, c.id::text AS target_id, $7::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $8::uuid, 'name', 'transaction.late-authorization',
    'created_at', to_char($7::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', c.merchant_account_id,
    'environment', $9::text, 'target', json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
  'payment_method', json_build_object('method', c.method), 'bank', CASE WHEN c.bank IS NOT NULL THEN json_build_object('scheme', c.bank ->> 'scheme', 'last_four', c.bank ->> 'lastFour',
  'mandate_reference', coalesce(c.bank #>> '{debit,mandateReference}', c.bank #>> '{mandate,reference}'),
  'debits_on', c.bank #>> '{debit,debitsOn}', 'creditor_id', c.bank #>> '{debit,creditorId}') END, 'external_identifier', c.external_identifier,
  'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
  'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount,
  'payment_service_transaction_id', c.payment_service_transaction_id, 'payment_link_id', c.payment_link_id,
  'anti_fraud_decision', c.anti_fraud_decision, 'pending_review', coalesce(c.fraud_review = 'pending', false),
  'has_gift_card_redemptions', c.gift_card_amount > 0,
  'error_code', c.error_code,
  'metadata', c.metadata, 'origin', 'provider', 'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM late c),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_row),
 history_written AS (
   INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
   SELECT s.merchant_account_id, $10::uuid, s.transaction_id, 'payment-connector-late-authorization',
     jsonb_build_object('operation_id', s.id, 'releases_id', s.releases_id, 'amount', s.amount, 'currency', s.currency,
       'payment_service_id', s.payment_service_id, 'payment_service_reference', s.provider_reference),
     coalesce($6::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $7 FROM started s)
 SELECT id FROM started WHERE set_config('paygraph.actor', coalesce(coalesce($6::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
