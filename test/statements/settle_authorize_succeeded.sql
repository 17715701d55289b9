-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationNetworkResponseCode, $11 operationMerchantAdviceCode, $12 operationSealedForm, $13 operationAcceptedAt, $14 operationDecisionUntil, $15 operationSettledAt, $16 operationNextAttemptAt, $17 operationUpdatedAt, $18 answer, $19 operation, $20 ofSending, $21 transactionStatus, $22 transactionIntentOutcome, $23 transactionAuthorizedAmount, $24 transactionIncreasedAmount, $25 transactionIncreasePendingAmount, $26 transactionReauthorizePending, $27 transactionCapturePendingAmount, $28 transactionCapturedAmount, $29 transactionRefundPendingAmount, $30 transactionRefundedAmount, $31 transactionVoidPending, $32 transactionCaptureClosed, $33 transactionCapturesAccepted, $34 transactionSchemeTransactionId, $35 transactionApprovalUrl, $36 transactionPaymentReference, $37 transactionBank, $38 transactionFraudReview, $39 transactionPaymentServiceTransactionId, $40 transactionErrorCode, $41 transactionRawResponseCode, $42 transactionRawResponseDescription, $43 transactionAuthResponseCode, $44 transactionAvsResponseCode, $45 transactionCvvResponseCode, $46 transactionCardScheme, $47 transactionCardBin, $48 transactionCardLastFour, $49 transactionCardExpirationDate, $50 transactionCardCountry, $51 transactionAuthorizedAt, $52 transactionReauthorizedAt, $53 transactionCapturedAt, $54 transactionVoidedAt, $55 transactionCanceledAt, $56 transactionUpdatedAt, $57 now, $58 ledgerIds, $59 ledgerKinds, $60 ledgerAmounts, $61 eventIds, $62 eventNames, $63 targetTypes, $64 targetIds, $65 payloads, $66 historyId, $67 historyName, $68 historyContext, $69 actor, $70 schemeTransactionId, $71 token, $72 sealedToken, $73 tokenDigest, $74 methodEvent, $75 environment, $76 tokenEvent
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
ledger AS (
  INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
  SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, $57
  FROM settled s CROSS JOIN unnest($58::uuid[], $59::text[], $60::int[]) AS e (id, kind, amount)),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $57::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($61::uuid[], $62::text[], $63::text[], $64::text[],
    $65::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $66::uuid, s.transaction_id, $67, $68::jsonb,
    coalesce($69::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $57 FROM settled s),
method_before AS (
  SELECT m.merchant_account_id, m.id, m.status, CASE m.status WHEN 'processing' THEN 'succeeded' WHEN 'buyer_approval_required' THEN 'succeeded' ELSE m.status END AS after, ($70::text IS NOT NULL AND m.scheme_transaction_id IS NULL AND coalesce(m.scheme, t.card_scheme) IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS stores_scheme_id, t.merchant_initiated,
    (m.instrument_type = 'card_token' AND m.last_four IS NULL AND t.card_last_four IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS completes_card, t.card_scheme, t.card_bin, t.card_last_four, t.card_expiration_date
  FROM changed t
  JOIN payment_method m ON m.merchant_account_id = ANY (ARRAY[t.merchant_account_id]) AND m.id = ANY (ARRAY[t.payment_method_id])
  FOR NO KEY UPDATE OF m),
method_settled AS (
  UPDATE payment_method m SET status = b.after,
    usage_count = m.usage_count + 1, last_used_at = greatest(m.last_used_at, $57::timestamptz),
    cit_usage_count = m.cit_usage_count + (NOT b.merchant_initiated)::int,
    cit_last_used_at = CASE WHEN b.merchant_initiated THEN m.cit_last_used_at
      ELSE greatest(m.cit_last_used_at, $57::timestamptz) END,
    scheme_transaction_id = CASE WHEN b.stores_scheme_id THEN $70 ELSE m.scheme_transaction_id END,
    scheme_transaction_id_scheme = CASE WHEN b.stores_scheme_id THEN coalesce(m.scheme, b.card_scheme) ELSE m.scheme_transaction_id_scheme END,
    scheme = CASE WHEN b.completes_card THEN b.card_scheme ELSE m.scheme END, bin = CASE WHEN b.completes_card THEN b.card_bin ELSE m.bin END, last_four = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.last_four END, expiration_date = CASE WHEN b.completes_card THEN b.card_expiration_date ELSE m.expiration_date END, label = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.label END,
    scheme_transaction_service_id = CASE WHEN b.stores_scheme_id THEN s.payment_service_id ELSE m.scheme_transaction_service_id END,
    updated_at = CASE WHEN (b.after <> b.status OR b.stores_scheme_id OR b.completes_card) THEN $57::timestamptz ELSE m.updated_at END
  FROM method_before b CROSS JOIN settled s WHERE m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) RETURNING m.*),
completed_terms AS (
  INSERT INTO payment_method_term (merchant_account_id, term, payment_method_id)
  SELECT DISTINCT m.merchant_account_id, lower(known.term), m.id
  FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) AND b.completes_card
  CROSS JOIN unnest(ARRAY[m.last_four, m.bin, m.scheme]) AS known (term)
  WHERE known.term IS NOT NULL ON CONFLICT DO NOTHING),
stored_token AS (
  INSERT INTO payment_method_token AS known (merchant_account_id, id, payment_method_id, payment_service_id, sealed_token,
    token_digest, mandate, status, created_at, updated_at)
  SELECT m.merchant_account_id, $71::uuid, m.id, s.payment_service_id, $72::text, $73::text, false,
    'active', $57::timestamptz, $57::timestamptz
  FROM method_settled m CROSS JOIN settled s
  WHERE $72::text IS NOT NULL AND m.status NOT IN ('deleting', 'deleted')
  ON CONFLICT (merchant_account_id, payment_method_id, payment_service_id) DO UPDATE SET id = excluded.id,
    sealed_token = excluded.sealed_token, token_digest = excluded.token_digest, mandate = false, status = 'active',
    reported_at = NULL, created_at = excluded.created_at, updated_at = excluded.updated_at
  WHERE known.status = 'disabled' AND known.token_digest IS DISTINCT FROM excluded.token_digest RETURNING known.*),
method_events AS (SELECT * FROM (SELECT 0 AS ordinal, m.merchant_account_id, $74::uuid AS event_id,
  'payment-method.updated' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $57::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $74::uuid, 'name', 'payment-method.updated',
    'created_at', to_char($57::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', m.merchant_account_id,
    'environment', $75::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) WHERE (b.after <> b.status OR b.stores_scheme_id OR b.completes_card) UNION ALL
  SELECT 1, m.merchant_account_id, $76::uuid AS event_id,
  'recurring.token.created' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $57::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $76::uuid, 'name', 'recurring.token.created',
    'created_at', to_char($57::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', m.merchant_account_id,
    'environment', $75::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'payment_service_id', k.payment_service_id))::text AS payload
  FROM method_settled m JOIN stored_token k ON k.merchant_account_id = m.merchant_account_id AND k.payment_method_id = m.id
  ) AS rows ORDER BY ordinal),
method_event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM method_events),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $57 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $57
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $57, turn_until = $57::timestamptz + interval '30000 milliseconds' FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $57 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id]))
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($69::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
