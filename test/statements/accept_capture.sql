-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationMerchantAdviceCode, $11 operationSealedForm, $12 operationAcceptedAt, $13 operationDecisionUntil, $14 operationSettledAt, $15 operationNextAttemptAt, $16 operationUpdatedAt, $17 operation, $18 ofSending, $19 transactionStatus, $20 transactionIntentOutcome, $21 transactionAuthorizedAmount, $22 transactionIncreasedAmount, $23 transactionIncreasePendingAmount, $24 transactionReauthorizePending, $25 transactionCapturePendingAmount, $26 transactionCapturedAmount, $27 transactionRefundPendingAmount, $28 transactionRefundedAmount, $29 transactionVoidPending, $30 transactionCaptureClosed, $31 transactionCapturesAccepted, $32 transactionSchemeTransactionId, $33 transactionApprovalUrl, $34 transactionPaymentReference, $35 transactionBank, $36 transactionFraudReview, $37 transactionPaymentServiceTransactionId, $38 transactionErrorCode, $39 transactionRawResponseCode, $40 transactionRawResponseDescription, $41 transactionAuthResponseCode, $42 transactionAvsResponseCode, $43 transactionCvvResponseCode, $44 transactionCardScheme, $45 transactionCardBin, $46 transactionCardLastFour, $47 transactionCardExpirationDate, $48 transactionCardCountry, $49 transactionAuthorizedAt, $50 transactionReauthorizedAt, $51 transactionCapturedAt, $52 transactionVoidedAt, $53 transactionCanceledAt, $54 transactionUpdatedAt, $55 now, $56 eventIds, $57 eventNames, $58 targetTypes, $59 targetIds, $60 payloads, $61 historyId, $62 historyName, $63 historyContext, $64 actor
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
  UPDATE transaction t SET status = $19, intent_outcome = $20, authorized_amount = $21, increased_amount = $22, increase_pending_amount = $23, reauthorize_pending = $24, capture_pending_amount = $25, captured_amount = $26, refund_pending_amount = $27, refunded_amount = $28, void_pending = $29, capture_closed = $30, captures_accepted = $31, scheme_transaction_id = $32, approval_url = $33, payment_reference = $34, bank = $35, fraud_review = $36, payment_service_transaction_id = $37, error_code = $38, raw_response_code = $39, raw_response_description = $40, auth_response_code = $41, avs_response_code = $42, cvv_response_code = $43, card_scheme = $44, card_bin = $45, card_last_four = $46, card_expiration_date = $47, card_country = $48, authorized_at = $49, reauthorized_at = $50, captured_at = $51, voided_at = $52, canceled_at = $53, updated_at = $54
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $55::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($56::uuid[], $57::text[], $58::text[], $59::text[],
    $60::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $61::uuid, s.transaction_id, $62, $63::jsonb,
    coalesce($64::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $55 FROM settled s),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $55 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $55 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id]))
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($64::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
