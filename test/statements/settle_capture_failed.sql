-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAcceptedAt, $10 operationSettledAt, $11 operationNextAttemptAt, $12 operationUpdatedAt, $13 operation, $14 ofSending, $15 transactionStatus, $16 transactionIntentOutcome, $17 transactionAuthorizedAmount, $18 transactionCapturePendingAmount, $19 transactionCapturedAmount, $20 transactionRefundPendingAmount, $21 transactionRefundedAmount, $22 transactionVoidPending, $23 transactionCaptureClosed, $24 transactionCapturesAccepted, $25 transactionSchemeTransactionId, $26 transactionApprovalUrl, $27 transactionPaymentReference, $28 transactionFraudReview, $29 transactionPaymentServiceTransactionId, $30 transactionErrorCode, $31 transactionRawResponseCode, $32 transactionRawResponseDescription, $33 transactionAuthResponseCode, $34 transactionAvsResponseCode, $35 transactionCvvResponseCode, $36 transactionAuthorizedAt, $37 transactionCapturedAt, $38 transactionVoidedAt, $39 transactionCanceledAt, $40 transactionUpdatedAt, $41 now, $42 eventIds, $43 eventNames, $44 targetTypes, $45 targetIds, $46 payloads, $47 historyId, $48 historyName, $49 historyContext, $50 answersKeyOf
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
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($50) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written
