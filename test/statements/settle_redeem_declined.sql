-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationMerchantAdviceCode, $11 operationSealedForm, $12 operationAcceptedAt, $13 operationDecisionUntil, $14 operationSettledAt, $15 operationNextAttemptAt, $16 operationUpdatedAt, $17 operation, $18 ofSending, $19 transactionStatus, $20 transactionIntentOutcome, $21 transactionAuthorizedAmount, $22 transactionIncreasedAmount, $23 transactionIncreasePendingAmount, $24 transactionReauthorizePending, $25 transactionCapturePendingAmount, $26 transactionCapturedAmount, $27 transactionRefundPendingAmount, $28 transactionRefundedAmount, $29 transactionVoidPending, $30 transactionCaptureClosed, $31 transactionCapturesAccepted, $32 transactionSchemeTransactionId, $33 transactionApprovalUrl, $34 transactionPaymentReference, $35 transactionBank, $36 transactionFraudReview, $37 transactionPaymentServiceTransactionId, $38 transactionErrorCode, $39 transactionRawResponseCode, $40 transactionRawResponseDescription, $41 transactionAuthResponseCode, $42 transactionAvsResponseCode, $43 transactionCvvResponseCode, $44 transactionCardScheme, $45 transactionCardBin, $46 transactionCardLastFour, $47 transactionCardExpirationDate, $48 transactionCardCountry, $49 transactionAuthorizedAt, $50 transactionReauthorizedAt, $51 transactionCapturedAt, $52 transactionVoidedAt, $53 transactionCanceledAt, $54 transactionUpdatedAt, $55 historyId, $56 historyName, $57 historyContext, $58 actor, $59 now, $60 redemptionStatus, $61 answersKeyOf
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
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $55::uuid, s.transaction_id, $56, $57::jsonb,
    coalesce($58::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $59 FROM settled s),
moved AS (
  UPDATE redemption r SET status = $60, error_code = s.error_code, raw_response_code = s.raw_response_code, raw_response_description = s.raw_response_description,
    sealed_card = NULL, updated_at = $59
  FROM settled s WHERE r.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND r.id = ANY (ARRAY[s.redemption_id]) RETURNING r.*),
woken AS (
  UPDATE operation o SET next_attempt_at = $59 FROM settled s
  WHERE o.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
    AND o.transaction_id = ANY (ARRAY[s.transaction_id]) AND o.kind = 'authorize'
    AND o.status = 'pending' AND o.unsent AND (o.lease_until IS NULL OR o.lease_until <= $59)),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $59 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $59 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
answered AS (
  UPDATE idempotency_key k
  SET result = json_build_object('operation', w.operation, 'transaction', w.transaction)::text
  FROM settled s, written w
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($61) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($58::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
