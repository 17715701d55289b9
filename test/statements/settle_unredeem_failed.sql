-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationNetworkResponseCode, $11 operationMerchantAdviceCode, $12 operationSealedForm, $13 operationAcceptedAt, $14 operationDecisionUntil, $15 operationSettledAt, $16 operationNextAttemptAt, $17 operationUpdatedAt, $18 answer, $19 operation, $20 ofSending, $21 transactionStatus, $22 transactionIntentOutcome, $23 transactionAuthorizedAmount, $24 transactionIncreasedAmount, $25 transactionIncreasePendingAmount, $26 transactionReauthorizePending, $27 transactionCapturePendingAmount, $28 transactionCapturedAmount, $29 transactionRefundPendingAmount, $30 transactionRefundedAmount, $31 transactionVoidPending, $32 transactionCaptureClosed, $33 transactionCapturesAccepted, $34 transactionSchemeTransactionId, $35 transactionApprovalUrl, $36 transactionPaymentReference, $37 transactionBank, $38 transactionFraudReview, $39 transactionPaymentServiceTransactionId, $40 transactionErrorCode, $41 transactionRawResponseCode, $42 transactionRawResponseDescription, $43 transactionAuthResponseCode, $44 transactionAvsResponseCode, $45 transactionCvvResponseCode, $46 transactionCardScheme, $47 transactionCardBin, $48 transactionCardLastFour, $49 transactionCardExpirationDate, $50 transactionCardCountry, $51 transactionAuthorizedAt, $52 transactionReauthorizedAt, $53 transactionCapturedAt, $54 transactionVoidedAt, $55 transactionCanceledAt, $56 transactionUpdatedAt, $57 historyId, $58 historyName, $59 historyContext, $60 actor, $61 now, $62 redemptionStatus
WITH 
locked AS (
  SELECT t.merchant_account_id, t.id FROM transaction t
  WHERE t.merchant_account_id = $1 AND t.id = $2 AND t.xmin = $3::xid FOR NO KEY UPDATE),
settled AS (
  UPDATE operation o SET status = $4, provider_reference = $5, error_code = $6, raw_response_code = $7, raw_response_description = $8, auth_response_code = $9, network_response_code = $10, merchant_advice_code = $11, sealed_form = $12, accepted_at = $13, decision_until = $14, settled_at = $15, next_attempt_at = $16, updated_at = $17, answer = CASE WHEN o.idempotency_key IS NOT NULL THEN $18::text END,
    lease_until = NULL, sealed_card = NULL, sealed_returned = NULL, unknown_at = NULL, unknown_cause = NULL
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $19 AND o.status || '' = 'pending'
    AND ($20::timestamptz IS NULL OR o.sent_at = $20) RETURNING o.*),
changed AS (
  UPDATE transaction t SET status = $21, intent_outcome = $22, authorized_amount = $23, increased_amount = $24, increase_pending_amount = $25, reauthorize_pending = $26, capture_pending_amount = $27, captured_amount = $28, refund_pending_amount = $29, refunded_amount = $30, void_pending = $31, capture_closed = $32, captures_accepted = $33, scheme_transaction_id = $34, approval_url = $35, payment_reference = $36, bank = $37, fraud_review = $38, payment_service_transaction_id = $39, error_code = $40, raw_response_code = $41, raw_response_description = $42, auth_response_code = $43, avs_response_code = $44, cvv_response_code = $45, card_scheme = $46, card_bin = $47, card_last_four = $48, card_expiration_date = $49, card_country = $50, authorized_at = $51, reauthorized_at = $52, captured_at = $53, voided_at = $54, canceled_at = $55, updated_at = $56
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $57::uuid, s.transaction_id, $58, $59::jsonb,
    coalesce($60::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $61 FROM settled s),
moved AS (
  UPDATE redemption r SET status = $62, updated_at = $61
  FROM settled s WHERE r.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND r.id = ANY (ARRAY[s.redemption_id]) RETURNING r.*),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $61, turn_until = $61::timestamptz + interval '30000 milliseconds' FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $61 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id]))
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($60::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
