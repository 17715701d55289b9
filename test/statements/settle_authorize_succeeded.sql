-- $1 account, $2 transaction, $3 version, $4 operationStatus, $5 operationProviderReference, $6 operationErrorCode, $7 operationRawResponseCode, $8 operationRawResponseDescription, $9 operationAuthResponseCode, $10 operationMerchantAdviceCode, $11 operationSealedForm, $12 operationAcceptedAt, $13 operationDecisionUntil, $14 operationSettledAt, $15 operationNextAttemptAt, $16 operationUpdatedAt, $17 operation, $18 ofSending, $19 transactionStatus, $20 transactionIntentOutcome, $21 transactionAuthorizedAmount, $22 transactionIncreasedAmount, $23 transactionIncreasePendingAmount, $24 transactionReauthorizePending, $25 transactionCapturePendingAmount, $26 transactionCapturedAmount, $27 transactionRefundPendingAmount, $28 transactionRefundedAmount, $29 transactionVoidPending, $30 transactionCaptureClosed, $31 transactionCapturesAccepted, $32 transactionSchemeTransactionId, $33 transactionApprovalUrl, $34 transactionPaymentReference, $35 transactionBank, $36 transactionFraudReview, $37 transactionPaymentServiceTransactionId, $38 transactionErrorCode, $39 transactionRawResponseCode, $40 transactionRawResponseDescription, $41 transactionAuthResponseCode, $42 transactionAvsResponseCode, $43 transactionCvvResponseCode, $44 transactionCardScheme, $45 transactionCardBin, $46 transactionCardLastFour, $47 transactionCardExpirationDate, $48 transactionCardCountry, $49 transactionAuthorizedAt, $50 transactionReauthorizedAt, $51 transactionCapturedAt, $52 transactionVoidedAt, $53 transactionCanceledAt, $54 transactionUpdatedAt, $55 now, $56 ledgerIds, $57 ledgerKinds, $58 ledgerAmounts, $59 eventIds, $60 eventNames, $61 targetTypes, $62 targetIds, $63 payloads, $64 historyId, $65 historyName, $66 historyContext, $67 actor, $68 schemeTransactionId, $69 token, $70 sealedToken, $71 methodEvent, $72 environment, $73 tokenEvent, $74 answersKeyOf
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
ledger AS (
  INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
  SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, $55
  FROM settled s CROSS JOIN unnest($56::uuid[], $57::text[], $58::int[]) AS e (id, kind, amount)),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $55::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($59::uuid[], $60::text[], $61::text[], $62::text[],
    $63::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $64::uuid, s.transaction_id, $65, $66::jsonb,
    coalesce($67::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $55 FROM settled s),
method_before AS (
  SELECT m.merchant_account_id, m.id, m.status, CASE m.status WHEN 'processing' THEN 'succeeded' WHEN 'buyer_approval_required' THEN 'succeeded' ELSE m.status END AS after, ($68::text IS NOT NULL AND m.scheme_transaction_id IS NULL AND coalesce(m.scheme, t.card_scheme) IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS stores_scheme_id, t.merchant_initiated,
    (m.instrument_type = 'card_token' AND m.last_four IS NULL AND t.card_last_four IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS completes_card, t.card_scheme, t.card_bin, t.card_last_four, t.card_expiration_date
  FROM changed t
  JOIN payment_method m ON m.merchant_account_id = ANY (ARRAY[t.merchant_account_id]) AND m.id = ANY (ARRAY[t.payment_method_id])
  FOR NO KEY UPDATE OF m),
method_settled AS (
  UPDATE payment_method m SET status = b.after,
    usage_count = m.usage_count + 1, last_used_at = greatest(m.last_used_at, $55::timestamptz),
    cit_usage_count = m.cit_usage_count + (NOT b.merchant_initiated)::int,
    cit_last_used_at = CASE WHEN b.merchant_initiated THEN m.cit_last_used_at
      ELSE greatest(m.cit_last_used_at, $55::timestamptz) END,
    scheme_transaction_id = CASE WHEN b.stores_scheme_id THEN $68 ELSE m.scheme_transaction_id END,
    scheme_transaction_id_scheme = CASE WHEN b.stores_scheme_id THEN coalesce(m.scheme, b.card_scheme) ELSE m.scheme_transaction_id_scheme END,
    scheme = CASE WHEN b.completes_card THEN b.card_scheme ELSE m.scheme END, bin = CASE WHEN b.completes_card THEN b.card_bin ELSE m.bin END, last_four = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.last_four END, expiration_date = CASE WHEN b.completes_card THEN b.card_expiration_date ELSE m.expiration_date END, label = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.label END,
    scheme_transaction_service_id = CASE WHEN b.stores_scheme_id THEN s.payment_service_id ELSE m.scheme_transaction_service_id END,
    updated_at = CASE WHEN (b.after <> b.status OR b.stores_scheme_id OR b.completes_card) THEN $55::timestamptz ELSE m.updated_at END
  FROM method_before b CROSS JOIN settled s WHERE m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) RETURNING m.*),
completed_terms AS (
  INSERT INTO payment_method_term (merchant_account_id, term, payment_method_id)
  SELECT DISTINCT m.merchant_account_id, lower(known.term), m.id
  FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) AND b.completes_card
  CROSS JOIN unnest(ARRAY[m.last_four, m.bin, m.scheme]) AS known (term)
  WHERE known.term IS NOT NULL ON CONFLICT DO NOTHING),
stored_token AS (
  INSERT INTO payment_method_token (merchant_account_id, id, payment_method_id, payment_service_id, sealed_token, mandate,
    status, created_at, updated_at)
  SELECT m.merchant_account_id, $69::uuid, m.id, s.payment_service_id, $70::text, false, 'active',
    $55::timestamptz, $55::timestamptz
  FROM method_settled m CROSS JOIN settled s
  WHERE $70::text IS NOT NULL AND m.status NOT IN ('deleting', 'deleted')
  ON CONFLICT (merchant_account_id, payment_method_id, payment_service_id) DO NOTHING RETURNING *),
method_events AS (SELECT * FROM (SELECT 0 AS ordinal, m.merchant_account_id, $71::uuid AS event_id,
  'payment-method.updated' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $55::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $71::uuid, 'name', 'payment-method.updated', 'created_at', to_char($55::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', m.merchant_account_id, 'environment', $72::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) WHERE (b.after <> b.status OR b.stores_scheme_id OR b.completes_card) UNION ALL
  SELECT 1, m.merchant_account_id, $73::uuid AS event_id,
  'recurring.token.created' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $55::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $73::uuid, 'name', 'recurring.token.created', 'created_at', to_char($55::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', m.merchant_account_id, 'environment', $72::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'payment_service_id', k.payment_service_id))::text AS payload
  FROM method_settled m JOIN stored_token k ON k.merchant_account_id = m.merchant_account_id AND k.payment_method_id = m.id
  ) AS rows ORDER BY ordinal),
method_event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM method_events
  RETURNING position),
method_event_marked AS (INSERT INTO event_pending (position) SELECT position FROM method_event_written),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $55 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $55
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
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
  WHERE k.merchant_account_id = s.merchant_account_id AND k.operation = ANY ($74) AND k.key = s.idempotency_key
    AND k.resource_id = s.id::text)
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($67::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
