-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationMerchantAdviceCode, $11 operationSealedForm, $12 operationAcceptedAt, $13 operationDecisionUntil, $14 operationSettledAt, $15 operationNextAttemptAt, $16 operationUpdatedAt, $17 operation, $18 ofSending, $19 transactionStatus, $20 transactionIntentOutcome, $21 transactionAuthorizedAmount, $22 transactionCapturePendingAmount, $23 transactionCapturedAmount, $24 transactionRefundPendingAmount, $25 transactionRefundedAmount, $26 transactionVoidPending, $27 transactionCaptureClosed, $28 transactionCapturesAccepted, $29 transactionSchemeTransactionId, $30 transactionApprovalUrl, $31 transactionPaymentReference, $32 transactionBank, $33 transactionFraudReview, $34 transactionPaymentServiceTransactionId, $35 transactionErrorCode, $36 transactionRawResponseCode, $37 transactionRawResponseDescription, $38 transactionAuthResponseCode, $39 transactionAvsResponseCode, $40 transactionCvvResponseCode, $41 transactionCardScheme, $42 transactionCardBin, $43 transactionCardLastFour, $44 transactionCardExpirationDate, $45 transactionCardCountry, $46 transactionAuthorizedAt, $47 transactionCapturedAt, $48 transactionVoidedAt, $49 transactionCanceledAt, $50 transactionUpdatedAt, $51 historyId, $52 historyName, $53 historyContext, $54 actor, $55 now, $56 redemptionStatus, $57 answersKeyOf
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
  UPDATE transaction t SET status = $19, intent_outcome = $20, authorized_amount = $21, capture_pending_amount = $22, captured_amount = $23, refund_pending_amount = $24, refunded_amount = $25, void_pending = $26, capture_closed = $27, captures_accepted = $28, scheme_transaction_id = $29, approval_url = $30, payment_reference = $31, bank = $32, fraud_review = $33, payment_service_transaction_id = $34, error_code = $35, raw_response_code = $36, raw_response_description = $37, auth_response_code = $38, avs_response_code = $39, cvv_response_code = $40, card_scheme = $41, card_bin = $42, card_last_four = $43, card_expiration_date = $44, card_country = $45, authorized_at = $46, captured_at = $47, voided_at = $48, canceled_at = $49, updated_at = $50
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $51::uuid, s.transaction_id, $52, $53::jsonb,
    coalesce($54::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $55 FROM settled s),
moved AS (
  UPDATE redemption r SET status = $56, error_code = s.error_code, raw_response_code = s.raw_response_code, raw_response_description = s.raw_response_description,
    sealed_card = NULL, updated_at = $55
  FROM settled s WHERE r.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND r.id = ANY (ARRAY[s.redemption_id]) RETURNING r.*),
woken AS (
  UPDATE operation o SET next_attempt_at = $55 FROM settled s
  WHERE o.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
    AND o.transaction_id = ANY (ARRAY[s.transaction_id]) AND o.kind = 'authorize'
    AND o.status = 'pending' AND o.unsent AND (o.lease_until IS NULL OR o.lease_until <= $55)),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $55 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $55 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
answered AS (
  UPDATE idempotency_key k
  SET result = json_build_object('operation', w.operation, 'transaction', w.transaction)::text
  FROM settled s, written w
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($57) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($54::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
