-- $1 account, $2 transaction, $3 version, $4 operation, $5 service, $6 amount, $7 final, $8 actor, $9 reference, $10 rawResponseCode, $11 rawResponseDescription, $12 captureReference, $13 isCarried, $14 now, $15 transactionStatus, $16 transactionIntentOutcome, $17 transactionAuthorizedAmount, $18 transactionIncreasedAmount, $19 transactionIncreasePendingAmount, $20 transactionReauthorizePending, $21 transactionCapturePendingAmount, $22 transactionCapturedAmount, $23 transactionRefundPendingAmount, $24 transactionRefundedAmount, $25 transactionVoidPending, $26 transactionCaptureClosed, $27 transactionCapturesAccepted, $28 transactionSchemeTransactionId, $29 transactionApprovalUrl, $30 transactionPaymentReference, $31 transactionBank, $32 transactionFraudReview, $33 transactionPaymentServiceTransactionId, $34 transactionErrorCode, $35 transactionRawResponseCode, $36 transactionRawResponseDescription, $37 transactionAuthResponseCode, $38 transactionAvsResponseCode, $39 transactionCvvResponseCode, $40 transactionCardScheme, $41 transactionCardBin, $42 transactionCardLastFour, $43 transactionCardExpirationDate, $44 transactionCardCountry, $45 transactionAuthorizedAt, $46 transactionReauthorizedAt, $47 transactionCapturedAt, $48 transactionVoidedAt, $49 transactionCanceledAt, $50 transactionUpdatedAt, $51 transactionOverCaptureAllowance, $52 transactionRefundExcessAmount, $53 transactionPaymentServiceId, $54 ledgerIds, $55 ledgerKinds, $56 ledgerAmounts, $57 eventIds, $58 eventNames, $59 targetTypes, $60 targetIds, $61 payloads, $62 historyId, $63 historyName, $64 historyContext, $65 isSure, $66 listedId, $67 finding, $68 source
WITH 
locked AS (
  SELECT t.merchant_account_id, t.id, t.currency FROM transaction t
  WHERE t.merchant_account_id = $1 AND t.id = $2 AND t.xmin = $3::xid FOR NO KEY UPDATE),
settled AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, origin, status, amount, currency,
    final, actor, provider_reference, raw_response_code, raw_response_description, refund_captures, attempts, sent_at,
    settled_at, created_at, updated_at)
  SELECT l.merchant_account_id, $4::uuid, l.id, $5::uuid, 'refund', NULL, 'provider', 'succeeded', $6::int,
    l.currency, $7::boolean, coalesce($8::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $9::text, $10::text,
    $11::text, coalesce(
    (SELECT jsonb_build_array(jsonb_build_object('operationId', c.id, 'key', coalesce(c.provider_key, c.id),
       'reference', c.provider_reference, 'amount', $6::int))
     FROM captures_of(l.merchant_account_id, l.id) c
     WHERE c.provider_reference = $12::text AND c.amount - c.reversed_amount >= $6::int LIMIT 1),
    CASE WHEN $13::boolean THEN allocate_refund(l.merchant_account_id, l.id, $6::int) END), 0, $14, $14, $14, $14
  FROM locked l
  ON CONFLICT DO NOTHING RETURNING *),
changed AS (
  UPDATE transaction t SET status = $15, intent_outcome = $16, authorized_amount = $17, increased_amount = $18, increase_pending_amount = $19, reauthorize_pending = $20, capture_pending_amount = $21, captured_amount = $22, refund_pending_amount = $23, refunded_amount = $24, void_pending = $25, capture_closed = $26, captures_accepted = $27, scheme_transaction_id = $28, approval_url = $29, payment_reference = $30, bank = $31, fraud_review = $32, payment_service_transaction_id = $33, error_code = $34, raw_response_code = $35, raw_response_description = $36, auth_response_code = $37, avs_response_code = $38, cvv_response_code = $39, card_scheme = $40, card_bin = $41, card_last_four = $42, card_expiration_date = $43, card_country = $44, authorized_at = $45, reauthorized_at = $46, captured_at = $47, voided_at = $48, canceled_at = $49, updated_at = $50, over_capture_allowance = $51, refund_excess_amount = $52, payment_service_id = $53
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
ledger AS (
  INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
  SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, $14
  FROM settled s CROSS JOIN unnest($54::uuid[], $55::text[], $56::int[]) AS e (id, kind, amount)),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $14::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($57::uuid[], $58::text[], $59::text[], $60::text[],
    $61::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $62::uuid, s.transaction_id, $63, $64::jsonb,
    coalesce($8::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $14 FROM settled s),
resolved AS (
  UPDATE difference d SET state = 'resolved', ended_at = $14 FROM settled s
  WHERE d.merchant_account_id = s.merchant_account_id AND d.transaction_id = s.transaction_id AND d.state = 'open'
    AND d.payment_service_id = s.payment_service_id AND d.subject = s.provider_reference AND NOT $65::boolean
    AND (d.made ->> 'kind' = s.kind OR d.made IS NULL AND d.kind = s.kind AND d.finding NOT IN ('unknown_operation', 'several_operations', 'undecided', 'possible_repeat'))),
listed AS (
  INSERT INTO difference (merchant_account_id, id, transaction_id, payment_service_id, finding, source, subject, operation_id,
    kind, reported_amount, reported_currency, found_at)
  SELECT s.merchant_account_id, $66::uuid, s.transaction_id, s.payment_service_id, $67::text, $68::text,
    coalesce(s.provider_reference, s.id::text), s.id, s.kind, s.amount, s.currency, $14
  FROM settled s WHERE $67::text IS NOT NULL
  ON CONFLICT DO NOTHING),
moved AS (
  UPDATE redemption r SET refunded_amount = r.refunded_amount + s.amount, refund_pending_amount = r.refund_pending_amount - s.amount, updated_at = $14
  FROM settled s WHERE r.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND r.id = ANY (ARRAY[s.redemption_id]) RETURNING r.*),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $14, turn_until = $14::timestamptz + interval '30000 milliseconds' FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $14 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id]))
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($8::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
