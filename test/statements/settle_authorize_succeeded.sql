-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationNetworkResponseCode, $11 operationMerchantAdviceCode, $12 operationSealedForm, $13 operationAcceptedAt, $14 operationDecisionUntil, $15 operationSettledAt, $16 operationNextAttemptAt, $17 operationUpdatedAt, $18 operation, $19 ofSending, $20 transactionStatus, $21 transactionIntentOutcome, $22 transactionAuthorizedAmount, $23 transactionIncreasedAmount, $24 transactionIncreasePendingAmount, $25 transactionReauthorizePending, $26 transactionCapturePendingAmount, $27 transactionCapturedAmount, $28 transactionRefundPendingAmount, $29 transactionRefundedAmount, $30 transactionVoidPending, $31 transactionCaptureClosed, $32 transactionCapturesAccepted, $33 transactionSchemeTransactionId, $34 transactionApprovalUrl, $35 transactionPaymentReference, $36 transactionBank, $37 transactionFraudReview, $38 transactionPaymentServiceTransactionId, $39 transactionErrorCode, $40 transactionRawResponseCode, $41 transactionRawResponseDescription, $42 transactionAuthResponseCode, $43 transactionAvsResponseCode, $44 transactionCvvResponseCode, $45 transactionCardScheme, $46 transactionCardBin, $47 transactionCardLastFour, $48 transactionCardExpirationDate, $49 transactionCardCountry, $50 transactionAuthorizedAt, $51 transactionReauthorizedAt, $52 transactionCapturedAt, $53 transactionVoidedAt, $54 transactionCanceledAt, $55 transactionUpdatedAt, $56 now, $57 ledgerIds, $58 ledgerKinds, $59 ledgerAmounts, $60 eventIds, $61 eventNames, $62 targetTypes, $63 targetIds, $64 payloads, $65 historyId, $66 historyName, $67 historyContext, $68 actor, $69 schemeTransactionId, $70 token, $71 sealedToken, $72 tokenDigest, $73 methodEvent, $74 environment, $75 tokenEvent, $76 answersKeyOf
WITH 
locked AS (
  SELECT t.merchant_account_id, t.id FROM transaction t
  WHERE t.merchant_account_id = $1 AND t.id = $2 AND t.xmin = $3::xid FOR NO KEY UPDATE),
settled AS (
  UPDATE operation o SET status = $4, provider_reference = $5, error_code = $6, raw_response_code = $7, raw_response_description = $8, auth_response_code = $9, network_response_code = $10, merchant_advice_code = $11, sealed_form = $12, accepted_at = $13, decision_until = $14, settled_at = $15, next_attempt_at = $16, updated_at = $17,
    lease_until = NULL, sealed_card = NULL, sealed_returned = NULL, unknown_at = NULL, unknown_cause = NULL
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $18 AND o.status || '' = 'pending'
    AND ($19::timestamptz IS NULL OR o.sent_at = $19) RETURNING o.*),
changed AS (
  UPDATE transaction t SET status = $20, intent_outcome = $21, authorized_amount = $22, increased_amount = $23, increase_pending_amount = $24, reauthorize_pending = $25, capture_pending_amount = $26, captured_amount = $27, refund_pending_amount = $28, refunded_amount = $29, void_pending = $30, capture_closed = $31, captures_accepted = $32, scheme_transaction_id = $33, approval_url = $34, payment_reference = $35, bank = $36, fraud_review = $37, payment_service_transaction_id = $38, error_code = $39, raw_response_code = $40, raw_response_description = $41, auth_response_code = $42, avs_response_code = $43, cvv_response_code = $44, card_scheme = $45, card_bin = $46, card_last_four = $47, card_expiration_date = $48, card_country = $49, authorized_at = $50, reauthorized_at = $51, captured_at = $52, voided_at = $53, canceled_at = $54, updated_at = $55
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
ledger AS (
  INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
  SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, $56
  FROM settled s CROSS JOIN unnest($57::uuid[], $58::text[], $59::int[]) AS e (id, kind, amount)),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $56::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($60::uuid[], $61::text[], $62::text[], $63::text[],
    $64::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $65::uuid, s.transaction_id, $66, $67::jsonb,
    coalesce($68::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $56 FROM settled s),
method_before AS (
  SELECT m.merchant_account_id, m.id, m.status, CASE m.status WHEN 'processing' THEN 'succeeded' WHEN 'buyer_approval_required' THEN 'succeeded' ELSE m.status END AS after, ($69::text IS NOT NULL AND m.scheme_transaction_id IS NULL AND coalesce(m.scheme, t.card_scheme) IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS stores_scheme_id, t.merchant_initiated,
    (m.instrument_type = 'card_token' AND m.last_four IS NULL AND t.card_last_four IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS completes_card, t.card_scheme, t.card_bin, t.card_last_four, t.card_expiration_date
  FROM changed t
  JOIN payment_method m ON m.merchant_account_id = ANY (ARRAY[t.merchant_account_id]) AND m.id = ANY (ARRAY[t.payment_method_id])
  FOR NO KEY UPDATE OF m),
method_settled AS (
  UPDATE payment_method m SET status = b.after,
    usage_count = m.usage_count + 1, last_used_at = greatest(m.last_used_at, $56::timestamptz),
    cit_usage_count = m.cit_usage_count + (NOT b.merchant_initiated)::int,
    cit_last_used_at = CASE WHEN b.merchant_initiated THEN m.cit_last_used_at
      ELSE greatest(m.cit_last_used_at, $56::timestamptz) END,
    scheme_transaction_id = CASE WHEN b.stores_scheme_id THEN $69 ELSE m.scheme_transaction_id END,
    scheme_transaction_id_scheme = CASE WHEN b.stores_scheme_id THEN coalesce(m.scheme, b.card_scheme) ELSE m.scheme_transaction_id_scheme END,
    scheme = CASE WHEN b.completes_card THEN b.card_scheme ELSE m.scheme END, bin = CASE WHEN b.completes_card THEN b.card_bin ELSE m.bin END, last_four = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.last_four END, expiration_date = CASE WHEN b.completes_card THEN b.card_expiration_date ELSE m.expiration_date END, label = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.label END,
    scheme_transaction_service_id = CASE WHEN b.stores_scheme_id THEN s.payment_service_id ELSE m.scheme_transaction_service_id END,
    updated_at = CASE WHEN (b.after <> b.status OR b.stores_scheme_id OR b.completes_card) THEN $56::timestamptz ELSE m.updated_at END
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
  SELECT m.merchant_account_id, $70::uuid, m.id, s.payment_service_id, $71::text, $72::text, false,
    'active', $56::timestamptz, $56::timestamptz
  FROM method_settled m CROSS JOIN settled s
  WHERE $71::text IS NOT NULL AND m.status NOT IN ('deleting', 'deleted')
  ON CONFLICT (merchant_account_id, payment_method_id, payment_service_id) DO UPDATE SET id = excluded.id,
    sealed_token = excluded.sealed_token, token_digest = excluded.token_digest, mandate = false, status = 'active',
    reported_at = NULL, created_at = excluded.created_at, updated_at = excluded.updated_at
  WHERE known.status = 'disabled' AND known.token_digest IS DISTINCT FROM excluded.token_digest RETURNING known.*),
method_events AS (SELECT * FROM (SELECT 0 AS ordinal, m.merchant_account_id, $73::uuid AS event_id,
  'payment-method.updated' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $56::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $73::uuid, 'name', 'payment-method.updated',
    'created_at', to_char($56::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', m.merchant_account_id,
    'environment', $74::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) WHERE (b.after <> b.status OR b.stores_scheme_id OR b.completes_card) UNION ALL
  SELECT 1, m.merchant_account_id, $75::uuid AS event_id,
  'recurring.token.created' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $56::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $75::uuid, 'name', 'recurring.token.created',
    'created_at', to_char($56::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', m.merchant_account_id,
    'environment', $74::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'payment_service_id', k.payment_service_id))::text AS payload
  FROM method_settled m JOIN stored_token k ON k.merchant_account_id = m.merchant_account_id AND k.payment_method_id = m.id
  ) AS rows ORDER BY ordinal),
method_event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM method_events),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $56 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $56
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $56, turn_until = $56::timestamptz + interval '30000 milliseconds' FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $56 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
answered AS (
  UPDATE idempotency_key k
  SET result = json_build_object('operation', w.operation, 'transaction', w.transaction)::text
  FROM settled s, written w
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($76) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($68::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
