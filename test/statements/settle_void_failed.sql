-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationMerchantAdviceCode, $11 operationSealedForm, $12 operationAcceptedAt, $13 operationDecisionUntil, $14 operationSettledAt, $15 operationNextAttemptAt, $16 operationUpdatedAt, $17 operation, $18 ofSending, $19 transactionStatus, $20 transactionIntentOutcome, $21 transactionAuthorizedAmount, $22 transactionIncreasePendingAmount, $23 transactionReauthorizePending, $24 transactionCapturePendingAmount, $25 transactionCapturedAmount, $26 transactionRefundPendingAmount, $27 transactionRefundedAmount, $28 transactionVoidPending, $29 transactionCaptureClosed, $30 transactionCapturesAccepted, $31 transactionSchemeTransactionId, $32 transactionApprovalUrl, $33 transactionPaymentReference, $34 transactionBank, $35 transactionFraudReview, $36 transactionPaymentServiceTransactionId, $37 transactionErrorCode, $38 transactionRawResponseCode, $39 transactionRawResponseDescription, $40 transactionAuthResponseCode, $41 transactionAvsResponseCode, $42 transactionCvvResponseCode, $43 transactionCardScheme, $44 transactionCardBin, $45 transactionCardLastFour, $46 transactionCardExpirationDate, $47 transactionCardCountry, $48 transactionAuthorizedAt, $49 transactionReauthorizedAt, $50 transactionCapturedAt, $51 transactionVoidedAt, $52 transactionCanceledAt, $53 transactionUpdatedAt, $54 now, $55 eventIds, $56 eventNames, $57 targetTypes, $58 targetIds, $59 payloads, $60 historyId, $61 historyName, $62 historyContext, $63 actor, $64 answersKeyOf
WITH 
locked AS (
  SELECT t.merchant_account_id, t.id FROM transaction t
  WHERE t.merchant_account_id = $1 AND t.id = $2 AND t.xmin = $3::xid FOR NO KEY UPDATE),
settled AS (
  UPDATE operation o SET status = $4, provider_reference = $5, error_code = $6, raw_response_code = $7, raw_response_description = $8, auth_response_code = $9, merchant_advice_code = $10, sealed_form = $11, accepted_at = $12, decision_until = $13, settled_at = $14, next_attempt_at = $15, updated_at = $16,
    lease_until = NULL, sealed_card = NULL, sealed_returned = NULL, unknown_at = NULL, unknown_cause = NULL
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $17 AND o.status || '' = 'pending'
    AND ($18::timestamptz IS NULL OR o.sent_at = $18) RETURNING o.*),
changed AS (
  UPDATE transaction t SET status = $19, intent_outcome = $20, authorized_amount = $21, increase_pending_amount = $22, reauthorize_pending = $23, capture_pending_amount = $24, captured_amount = $25, refund_pending_amount = $26, refunded_amount = $27, void_pending = $28, capture_closed = $29, captures_accepted = $30, scheme_transaction_id = $31, approval_url = $32, payment_reference = $33, bank = $34, fraud_review = $35, payment_service_transaction_id = $36, error_code = $37, raw_response_code = $38, raw_response_description = $39, auth_response_code = $40, avs_response_code = $41, cvv_response_code = $42, card_scheme = $43, card_bin = $44, card_last_four = $45, card_expiration_date = $46, card_country = $47, authorized_at = $48, reauthorized_at = $49, captured_at = $50, voided_at = $51, canceled_at = $52, updated_at = $53
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $54::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($55::uuid[], $56::text[], $57::text[], $58::text[],
    $59::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $60::uuid, s.transaction_id, $61, $62::jsonb,
    coalesce($63::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $54 FROM settled s),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $54 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $54
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $54 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $54 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
answered AS (
  UPDATE idempotency_key k
  SET result = json_build_object('operation', w.operation, 'transaction', w.transaction)::text
  FROM settled s, written w
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($64) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($63::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
