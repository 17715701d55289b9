-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationMerchantAdviceCode, $11 operationSealedForm, $12 operationAcceptedAt, $13 operationSettledAt, $14 operationNextAttemptAt, $15 operationUpdatedAt, $16 operation, $17 ofSending, $18 transactionStatus, $19 transactionIntentOutcome, $20 transactionAuthorizedAmount, $21 transactionCapturePendingAmount, $22 transactionCapturedAmount, $23 transactionRefundPendingAmount, $24 transactionRefundedAmount, $25 transactionVoidPending, $26 transactionCaptureClosed, $27 transactionCapturesAccepted, $28 transactionSchemeTransactionId, $29 transactionApprovalUrl, $30 transactionPaymentReference, $31 transactionBank, $32 transactionFraudReview, $33 transactionPaymentServiceTransactionId, $34 transactionErrorCode, $35 transactionRawResponseCode, $36 transactionRawResponseDescription, $37 transactionAuthResponseCode, $38 transactionAvsResponseCode, $39 transactionCvvResponseCode, $40 transactionCardCountry, $41 transactionAuthorizedAt, $42 transactionCapturedAt, $43 transactionVoidedAt, $44 transactionCanceledAt, $45 transactionUpdatedAt, $46 now, $47 eventIds, $48 eventNames, $49 targetTypes, $50 targetIds, $51 payloads, $52 historyId, $53 historyName, $54 historyContext, $55 actor, $56 answersKeyOf
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
event_rows AS (
  SELECT s.merchant_account_id, e.*, $46::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($47::uuid[], $48::text[], $49::text[], $50::text[],
    $51::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $52::uuid, s.transaction_id, $53, $54::jsonb,
    coalesce($55::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $46 FROM settled s),
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
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($56) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($55::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
