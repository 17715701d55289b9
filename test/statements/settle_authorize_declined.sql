-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAcceptedAt, $10 operationSettledAt, $11 operationNextAttemptAt, $12 operationUpdatedAt, $13 operation, $14 ofSending, $15 transactionStatus, $16 transactionIntentOutcome, $17 transactionAuthorizedAmount, $18 transactionCapturePendingAmount, $19 transactionCapturedAmount, $20 transactionRefundPendingAmount, $21 transactionRefundedAmount, $22 transactionVoidPending, $23 transactionCaptureClosed, $24 transactionCapturesAccepted, $25 transactionSchemeTransactionId, $26 transactionApprovalUrl, $27 transactionPaymentReference, $28 transactionFraudReview, $29 transactionPaymentServiceTransactionId, $30 transactionErrorCode, $31 transactionRawResponseCode, $32 transactionRawResponseDescription, $33 transactionAuthResponseCode, $34 transactionAvsResponseCode, $35 transactionCvvResponseCode, $36 transactionAuthorizedAt, $37 transactionCapturedAt, $38 transactionVoidedAt, $39 transactionCanceledAt, $40 transactionUpdatedAt, $41 now, $42 eventIds, $43 eventNames, $44 targetTypes, $45 targetIds, $46 payloads, $47 historyId, $48 historyName, $49 historyContext, $50 givesUpRedemptions, $51 methodEvent, $52 environment, $53 answersKeyOf
WITH 
locked AS (
  SELECT t.merchant_account_id, t.id FROM transaction t
  WHERE t.merchant_account_id = $1 AND t.id = $2 AND t.xmin = $3::xid FOR NO KEY UPDATE),
settled AS (
  UPDATE operation o SET status = $4, provider_reference = $5, error_code = $6, raw_response_code = $7, raw_response_description = $8, accepted_at = $9, settled_at = $10, next_attempt_at = $11, updated_at = $12,
    lease_until = NULL, sealed_card = NULL, unknown_at = NULL, unknown_cause = NULL
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $13 AND o.status || '' = 'pending'
    AND ($14::timestamptz IS NULL OR o.sent_at = $14) RETURNING o.*),
changed AS (
  UPDATE transaction t SET status = $15, intent_outcome = $16, authorized_amount = $17, capture_pending_amount = $18, captured_amount = $19, refund_pending_amount = $20, refunded_amount = $21, void_pending = $22, capture_closed = $23, captures_accepted = $24, scheme_transaction_id = $25, approval_url = $26, payment_reference = $27, fraud_review = $28, payment_service_transaction_id = $29, error_code = $30, raw_response_code = $31, raw_response_description = $32, auth_response_code = $33, avs_response_code = $34, cvv_response_code = $35, authorized_at = $36, captured_at = $37, voided_at = $38, canceled_at = $39, updated_at = $40
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $41::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($42::uuid[], $43::text[], $44::text[], $45::text[],
    $46::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
  SELECT s.merchant_account_id, $47::uuid, s.transaction_id, $48, $49::jsonb, $41 FROM settled s),
moved AS (
  UPDATE redemption r SET updated_at = $41,
    status = CASE r.status WHEN 'succeeded' THEN 'reversing' WHEN 'created' THEN 'skipped' ELSE r.status END,
    sealed_card = CASE r.status WHEN 'pending' THEN r.sealed_card END
  FROM changed c WHERE $50::boolean AND r.merchant_account_id = ANY (ARRAY[c.merchant_account_id])
    AND r.transaction_id = ANY (ARRAY[c.id]) AND r.status IN ('created', 'pending', 'succeeded')
    AND NOT EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = ANY (ARRAY[r.merchant_account_id]) AND o.id = ANY (ARRAY[r.reversal_id]))
  RETURNING r.*),
reversals AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, redemption_id,
    unsent, attempts, next_attempt_at, sent_at, created_at, updated_at)
  SELECT m.merchant_account_id, m.reversal_id, m.transaction_id, m.payment_service_id, 'unredeem', m.amount, m.currency,
    m.id, true, 0, $41, $41, $41, $41 FROM moved m WHERE m.status = 'reversing'),
method_before AS (
  SELECT m.merchant_account_id, m.id, m.status, CASE WHEN t.store THEN CASE m.status WHEN 'processing' THEN 'failed' WHEN 'buyer_approval_required' THEN 'failed' ELSE m.status END ELSE m.status END AS after, false AS stores_scheme_id, t.merchant_initiated
  FROM changed t
  JOIN payment_method m ON m.merchant_account_id = ANY (ARRAY[t.merchant_account_id]) AND m.id = ANY (ARRAY[t.payment_method_id])
  FOR NO KEY UPDATE OF m),
method_settled AS (
  UPDATE payment_method m SET status = b.after, updated_at = $41 FROM method_before b
  WHERE m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) AND (b.after <> b.status OR b.stores_scheme_id) RETURNING m.*),
method_events AS (SELECT 0 AS ordinal, m.merchant_account_id, $51::uuid AS event_id,
  'payment-method.updated' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $41::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $51::uuid, 'name', 'payment-method.updated', 'created_at', to_char($41::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', m.merchant_account_id, 'environment', $52::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) WHERE (b.after <> b.status OR b.stores_scheme_id)),
method_event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM method_events
  RETURNING position),
method_event_marked AS (INSERT INTO event_pending (position) SELECT position FROM method_event_written),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $41 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $41
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $41 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $41 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
answered AS (
  UPDATE idempotency_key k
  SET result = json_build_object('operation', w.operation, 'transaction', w.transaction)::text
  FROM settled s, written w
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($53) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written
