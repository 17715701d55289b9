-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationMerchantAdviceCode, $11 operationSealedForm, $12 operationAcceptedAt, $13 operationSettledAt, $14 operationNextAttemptAt, $15 operationUpdatedAt, $16 operation, $17 ofSending, $18 transactionStatus, $19 transactionIntentOutcome, $20 transactionAuthorizedAmount, $21 transactionCapturePendingAmount, $22 transactionCapturedAmount, $23 transactionRefundPendingAmount, $24 transactionRefundedAmount, $25 transactionVoidPending, $26 transactionCaptureClosed, $27 transactionCapturesAccepted, $28 transactionSchemeTransactionId, $29 transactionApprovalUrl, $30 transactionPaymentReference, $31 transactionBank, $32 transactionFraudReview, $33 transactionPaymentServiceTransactionId, $34 transactionErrorCode, $35 transactionRawResponseCode, $36 transactionRawResponseDescription, $37 transactionAuthResponseCode, $38 transactionAvsResponseCode, $39 transactionCvvResponseCode, $40 transactionCardCountry, $41 transactionAuthorizedAt, $42 transactionCapturedAt, $43 transactionVoidedAt, $44 transactionCanceledAt, $45 transactionUpdatedAt, $46 now, $47 ledgerIds, $48 ledgerKinds, $49 ledgerAmounts, $50 eventIds, $51 eventNames, $52 targetTypes, $53 targetIds, $54 payloads, $55 historyId, $56 historyName, $57 historyContext, $58 actor, $59 schemeTransactionId, $60 token, $61 sealedToken, $62 methodEvent, $63 environment, $64 tokenEvent, $65 answersKeyOf
WITH 
locked AS (
  SELECT t.merchant_account_id, t.id FROM transaction t
  WHERE t.merchant_account_id = $1 AND t.id = $2 AND t.xmin = $3::xid FOR NO KEY UPDATE),
settled AS (
  UPDATE operation o SET status = $4, provider_reference = $5, error_code = $6, raw_response_code = $7, raw_response_description = $8, auth_response_code = $9, merchant_advice_code = $10, sealed_form = $11, accepted_at = $12, settled_at = $13, next_attempt_at = $14, updated_at = $15,
    lease_until = NULL, sealed_card = NULL, sealed_returned = NULL, unknown_at = NULL, unknown_cause = NULL
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $16 AND o.status || '' = 'pending'
    AND ($17::timestamptz IS NULL OR o.sent_at = $17) RETURNING o.*),
changed AS (
  UPDATE transaction t SET status = $18, intent_outcome = $19, authorized_amount = $20, capture_pending_amount = $21, captured_amount = $22, refund_pending_amount = $23, refunded_amount = $24, void_pending = $25, capture_closed = $26, captures_accepted = $27, scheme_transaction_id = $28, approval_url = $29, payment_reference = $30, bank = $31, fraud_review = $32, payment_service_transaction_id = $33, error_code = $34, raw_response_code = $35, raw_response_description = $36, auth_response_code = $37, avs_response_code = $38, cvv_response_code = $39, card_country = $40, authorized_at = $41, captured_at = $42, voided_at = $43, canceled_at = $44, updated_at = $45
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
ledger AS (
  INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
  SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, $46
  FROM settled s CROSS JOIN unnest($47::uuid[], $48::text[], $49::int[]) AS e (id, kind, amount)),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $46::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($50::uuid[], $51::text[], $52::text[], $53::text[],
    $54::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $55::uuid, s.transaction_id, $56, $57::jsonb,
    coalesce($58::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $46 FROM settled s),
method_before AS (
  SELECT m.merchant_account_id, m.id, m.status, CASE m.status WHEN 'processing' THEN 'succeeded' WHEN 'buyer_approval_required' THEN 'succeeded' ELSE m.status END AS after, ($59::text IS NOT NULL AND m.scheme_transaction_id IS NULL AND m.scheme IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS stores_scheme_id, t.merchant_initiated
  FROM changed t
  JOIN payment_method m ON m.merchant_account_id = ANY (ARRAY[t.merchant_account_id]) AND m.id = ANY (ARRAY[t.payment_method_id])
  FOR NO KEY UPDATE OF m),
method_settled AS (
  UPDATE payment_method m SET status = b.after,
    usage_count = m.usage_count + 1, last_used_at = greatest(m.last_used_at, $46::timestamptz),
    cit_usage_count = m.cit_usage_count + (NOT b.merchant_initiated)::int,
    cit_last_used_at = CASE WHEN b.merchant_initiated THEN m.cit_last_used_at
      ELSE greatest(m.cit_last_used_at, $46::timestamptz) END,
    scheme_transaction_id = CASE WHEN b.stores_scheme_id THEN $59 ELSE m.scheme_transaction_id END,
    scheme_transaction_id_scheme = CASE WHEN b.stores_scheme_id THEN m.scheme ELSE m.scheme_transaction_id_scheme END,
    updated_at = CASE WHEN (b.after <> b.status OR b.stores_scheme_id) THEN $46::timestamptz ELSE m.updated_at END
  FROM method_before b WHERE m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) RETURNING m.*),
stored_token AS (
  INSERT INTO payment_method_token (merchant_account_id, id, payment_method_id, payment_service_id, sealed_token, mandate,
    status, created_at, updated_at)
  SELECT m.merchant_account_id, $60::uuid, m.id, s.payment_service_id, $61::text, false, 'active',
    $46::timestamptz, $46::timestamptz
  FROM method_settled m CROSS JOIN settled s
  WHERE $61::text IS NOT NULL AND m.status NOT IN ('deleting', 'deleted')
  ON CONFLICT (merchant_account_id, payment_method_id, payment_service_id) DO NOTHING RETURNING *),
method_events AS (SELECT * FROM (SELECT 0 AS ordinal, m.merchant_account_id, $62::uuid AS event_id,
  'payment-method.updated' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $46::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $62::uuid, 'name', 'payment-method.updated', 'created_at', to_char($46::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', m.merchant_account_id, 'environment', $63::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) WHERE (b.after <> b.status OR b.stores_scheme_id) UNION ALL
  SELECT 1, m.merchant_account_id, $64::uuid AS event_id,
  'recurring.token.created' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $46::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $64::uuid, 'name', 'recurring.token.created', 'created_at', to_char($46::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', m.merchant_account_id, 'environment', $63::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'payment_service_id', k.payment_service_id))::text AS payload
  FROM method_settled m JOIN stored_token k ON k.merchant_account_id = m.merchant_account_id AND k.payment_method_id = m.id
  ) AS rows ORDER BY ordinal),
method_event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM method_events
  RETURNING position),
method_event_marked AS (INSERT INTO event_pending (position) SELECT position FROM method_event_written),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $46 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $46
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $46 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $46 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
answered AS (
  UPDATE idempotency_key k
  SET result = json_build_object('operation', w.operation, 'transaction', w.transaction)::text
  FROM settled s, written w
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($65) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($58::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
