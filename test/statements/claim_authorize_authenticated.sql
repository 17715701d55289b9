-- $1 account, $2 mutation, $3 key, $4 now, $5 transaction, $6 status, $7 columns, $8 operation, $9 choice, $10 providerKeys, $11 actor, $12 sealedCard, $13 tokenizes, $14 unsent, $15 attempts, $16 leaseUntil, $17 fingerprint, $18 digests, $19 keyExpiresAt, $20 steps, $21 eventA, $22 environment, $23 approvalToken, $24 challengeExpiresAt
WITH key_expired AS (
DELETE FROM idempotency_key k WHERE k.merchant_account_id = $1 AND k.operation = $2 AND k.key = $3
  AND k.expires_at <= $4 RETURNING 1),
made AS (
  INSERT INTO transaction (merchant_account_id, id, status, created_at, updated_at, intent, amount, gift_card_amount, currency, country, external_identifier, merchant_reference, payment_source, merchant_initiated, is_subsequent_payment, store, installment_count, three_d_secure_request, three_d_secure_amount, three_d_secure, approval_expires_at, approval_url, method, instrument_type, bank, card_scheme, card_network, card_bin, card_last_four, card_expiration_date, card_fingerprint, payment_method_id, previous_scheme_transaction_id, buyer_id, buyer, shipping_details, ip_address, browser_info, cart_items, statement_descriptor, metadata, connection_options, integration_client, redirect_url, anti_fraud_fingerprint, anti_fraud_service_id, anti_fraud_decision, payment_link_id, payment_link_attempt_id, payment_service_id)
  SELECT $1, $5::uuid, $6, $4::timestamptz, $4::timestamptz, given.intent, given.amount, given.gift_card_amount, given.currency, given.country, given.external_identifier, given.merchant_reference, given.payment_source, given.merchant_initiated, given.is_subsequent_payment, given.store, given.installment_count, given.three_d_secure_request, given.three_d_secure_amount, given.three_d_secure, given.approval_expires_at, given.approval_url, given.method, given.instrument_type, given.bank, given.card_scheme, given.card_network, given.card_bin, given.card_last_four, given.card_expiration_date, given.card_fingerprint, given.payment_method_id, given.previous_scheme_transaction_id, given.buyer_id, given.buyer, given.shipping_details, given.ip_address, given.browser_info, given.cart_items, given.statement_descriptor, given.metadata, given.connection_options, given.integration_client, given.redirect_url, given.anti_fraud_fingerprint, given.anti_fraud_service_id, given.anti_fraud_decision, given.payment_link_id, given.payment_link_attempt_id, given.payment_service_id
  FROM jsonb_populate_record(NULL::transaction, $7::jsonb) AS given
  WHERE NOT EXISTS (SELECT 1 FROM idempotency_key k WHERE k.merchant_account_id = $1
AND k.operation = $2 AND k.key = $3 AND k.expires_at > $4)
  RETURNING *),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount, currency,
    idempotency_key, provider_key, actor, sealed_card, tokenizes, unsent, attempts, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT merchant_account_id, $8::uuid, id, payment_service_id, 'authorize', $9, amount - gift_card_amount, currency, $3,
    (
SELECT derived.key FROM unnest($10::uuid[]) WITH ORDINALITY AS derived (key, nth)
WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = $1 AND p.provider_key = ANY (ARRAY[derived.key]))
ORDER BY derived.nth LIMIT 1), coalesce($11::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $12, $13::boolean, $14::boolean OR gift_card_amount > 0 OR anti_fraud_service_id IS NOT NULL, $15::int, $16::timestamptz, $16, $4, $4, $4 FROM made
  RETURNING *),
key_written AS (
INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result, created_at,
  expires_at)
SELECT merchant_account_id, $2, $3, $17::text, $18::text, id::text, NULL, $4,
  $19::timestamptz
FROM started WHERE $3::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0),
steps AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, h.id, s.transaction_id, h.name, h.context, coalesce($11::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $4::timestamptz
  FROM started s CROSS JOIN jsonb_to_recordset($20::jsonb) AS h (id uuid, name text, context jsonb)),
event_row AS (
SELECT c.merchant_account_id, $21::uuid AS event_id, CASE c.status WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending' ELSE 'transaction.authenticated' END AS event_name,
  'transaction' AS target_type, c.id::text AS target_id, $4::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $21::uuid, 'name', CASE c.status WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending' ELSE 'transaction.authenticated' END,
    'created_at', to_char($4::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', c.merchant_account_id,
    'environment', $22::text, 'target', json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
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
FROM made c WHERE (c.status = 'buyer_approval_pending' OR c.three_d_secure ->> 'status' = 'complete')),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_row),
awaited AS (
  INSERT INTO approval (merchant_account_id, operation_id, kind, token, expires_at, created_at)
  SELECT s.merchant_account_id, s.id, 'challenge', $23, $24, $4 FROM started s
  WHERE $23::text IS NOT NULL)
SELECT row_to_json(m) AS transaction, (SELECT pg_current_xact_id()::xid::text) AS version, row_to_json(o) AS operation FROM made m, started o
WHERE set_config('paygraph.actor', coalesce(coalesce($11::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
