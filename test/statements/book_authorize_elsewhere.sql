-- $1 account, $2 transaction, $3 version, $4 operation, $5 service, $6 amount, $7 final, $8 actor, $9 reference, $10 rawResponseCode, $11 rawResponseDescription, $12 now, $13 transactionStatus, $14 transactionIntentOutcome, $15 transactionAuthorizedAmount, $16 transactionIncreasedAmount, $17 transactionIncreasePendingAmount, $18 transactionReauthorizePending, $19 transactionCapturePendingAmount, $20 transactionCapturedAmount, $21 transactionRefundPendingAmount, $22 transactionRefundedAmount, $23 transactionVoidPending, $24 transactionCaptureClosed, $25 transactionCapturesAccepted, $26 transactionSchemeTransactionId, $27 transactionApprovalUrl, $28 transactionPaymentReference, $29 transactionBank, $30 transactionFraudReview, $31 transactionPaymentServiceTransactionId, $32 transactionErrorCode, $33 transactionRawResponseCode, $34 transactionRawResponseDescription, $35 transactionAuthResponseCode, $36 transactionAvsResponseCode, $37 transactionCvvResponseCode, $38 transactionCardScheme, $39 transactionCardBin, $40 transactionCardLastFour, $41 transactionCardExpirationDate, $42 transactionCardCountry, $43 transactionAuthorizedAt, $44 transactionReauthorizedAt, $45 transactionCapturedAt, $46 transactionVoidedAt, $47 transactionCanceledAt, $48 transactionUpdatedAt, $49 transactionOverCaptureAllowance, $50 transactionRefundExcessAmount, $51 transactionPaymentServiceId, $52 ledgerIds, $53 ledgerKinds, $54 ledgerAmounts, $55 eventIds, $56 eventNames, $57 targetTypes, $58 targetIds, $59 payloads, $60 historyId, $61 historyName, $62 historyContext, $63 isSure, $64 listedId, $65 finding, $66 source, $67 schemeTransactionId, $68 token, $69 sealedToken, $70 tokenDigest, $71 methodEvent, $72 environment, $73 tokenEvent
WITH 
locked AS (
  SELECT t.merchant_account_id, t.id, t.currency FROM transaction t
  WHERE t.merchant_account_id = $1 AND t.id = $2 AND t.xmin = $3::xid FOR NO KEY UPDATE),
settled AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, origin, status, amount, currency,
    final, actor, provider_reference, raw_response_code, raw_response_description, refund_captures, attempts, sent_at,
    settled_at, created_at, updated_at)
  SELECT l.merchant_account_id, $4::uuid, l.id, $5::uuid, 'authorize', (SELECT c.choice FROM operation c WHERE c.merchant_account_id = l.merchant_account_id
    AND c.transaction_id = l.id AND c.kind = 'authorize' AND c.payment_service_id = $5::uuid
  ORDER BY c.id DESC LIMIT 1), 'provider', 'succeeded', $6::int,
    l.currency, $7::boolean, coalesce($8::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $9::text, $10::text,
    $11::text, NULL::jsonb, 0, $12, $12, $12, $12
  FROM locked l
  ON CONFLICT DO NOTHING RETURNING *),
changed AS (
  UPDATE transaction t SET status = $13, intent_outcome = $14, authorized_amount = $15, increased_amount = $16, increase_pending_amount = $17, reauthorize_pending = $18, capture_pending_amount = $19, captured_amount = $20, refund_pending_amount = $21, refunded_amount = $22, void_pending = $23, capture_closed = $24, captures_accepted = $25, scheme_transaction_id = $26, approval_url = $27, payment_reference = $28, bank = $29, fraud_review = $30, payment_service_transaction_id = $31, error_code = $32, raw_response_code = $33, raw_response_description = $34, auth_response_code = $35, avs_response_code = $36, cvv_response_code = $37, card_scheme = $38, card_bin = $39, card_last_four = $40, card_expiration_date = $41, card_country = $42, authorized_at = $43, reauthorized_at = $44, captured_at = $45, voided_at = $46, canceled_at = $47, updated_at = $48, over_capture_allowance = $49, refund_excess_amount = $50, payment_service_id = $51
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
ledger AS (
  INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
  SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, $12
  FROM settled s CROSS JOIN unnest($52::uuid[], $53::text[], $54::int[]) AS e (id, kind, amount)),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $12::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($55::uuid[], $56::text[], $57::text[], $58::text[],
    $59::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $60::uuid, s.transaction_id, $61, $62::jsonb,
    coalesce($8::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $12 FROM settled s),
resolved AS (
  UPDATE difference d SET state = 'resolved', ended_at = $12 FROM settled s
  WHERE d.merchant_account_id = s.merchant_account_id AND d.transaction_id = s.transaction_id AND d.state = 'open'
    AND d.payment_service_id = s.payment_service_id AND d.subject = s.provider_reference AND NOT $63::boolean
    AND (d.made ->> 'kind' = s.kind OR d.made IS NULL AND d.kind = s.kind AND d.finding NOT IN ('unknown_operation', 'several_operations', 'undecided', 'possible_repeat'))),
listed AS (
  INSERT INTO difference (merchant_account_id, id, transaction_id, payment_service_id, finding, source, subject, operation_id,
    kind, reported_amount, reported_currency, found_at)
  SELECT s.merchant_account_id, $64::uuid, s.transaction_id, s.payment_service_id, $65::text, $66::text,
    coalesce(s.provider_reference, s.id::text), s.id, s.kind, s.amount, s.currency, $12
  FROM settled s WHERE $65::text IS NOT NULL
  ON CONFLICT DO NOTHING),
method_before AS (
  SELECT m.merchant_account_id, m.id, m.status, CASE m.status WHEN 'processing' THEN 'succeeded' WHEN 'buyer_approval_required' THEN 'succeeded' ELSE m.status END AS after, ($67::text IS NOT NULL AND m.scheme_transaction_id IS NULL AND coalesce(m.scheme, t.card_scheme) IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS stores_scheme_id, t.merchant_initiated,
    (m.instrument_type = 'card_token' AND m.last_four IS NULL AND t.card_last_four IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS completes_card, t.card_scheme, t.card_bin, t.card_last_four, t.card_expiration_date
  FROM changed t
  JOIN payment_method m ON m.merchant_account_id = ANY (ARRAY[t.merchant_account_id]) AND m.id = ANY (ARRAY[t.payment_method_id])
  FOR NO KEY UPDATE OF m),
method_settled AS (
  UPDATE payment_method m SET status = b.after,
    usage_count = m.usage_count + 1, last_used_at = greatest(m.last_used_at, $12::timestamptz),
    cit_usage_count = m.cit_usage_count + (NOT b.merchant_initiated)::int,
    cit_last_used_at = CASE WHEN b.merchant_initiated THEN m.cit_last_used_at
      ELSE greatest(m.cit_last_used_at, $12::timestamptz) END,
    scheme_transaction_id = CASE WHEN b.stores_scheme_id THEN $67 ELSE m.scheme_transaction_id END,
    scheme_transaction_id_scheme = CASE WHEN b.stores_scheme_id THEN coalesce(m.scheme, b.card_scheme) ELSE m.scheme_transaction_id_scheme END,
    scheme = CASE WHEN b.completes_card THEN b.card_scheme ELSE m.scheme END, bin = CASE WHEN b.completes_card THEN b.card_bin ELSE m.bin END, last_four = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.last_four END, expiration_date = CASE WHEN b.completes_card THEN b.card_expiration_date ELSE m.expiration_date END, label = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.label END,
    scheme_transaction_service_id = CASE WHEN b.stores_scheme_id THEN s.payment_service_id ELSE m.scheme_transaction_service_id END,
    updated_at = CASE WHEN (b.after <> b.status OR b.stores_scheme_id OR b.completes_card) THEN $12::timestamptz ELSE m.updated_at END
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
  SELECT m.merchant_account_id, $68::uuid, m.id, s.payment_service_id, $69::text, $70::text, false,
    'active', $12::timestamptz, $12::timestamptz
  FROM method_settled m CROSS JOIN settled s
  WHERE $69::text IS NOT NULL AND m.status NOT IN ('deleting', 'deleted')
  ON CONFLICT (merchant_account_id, payment_method_id, payment_service_id) DO UPDATE SET id = excluded.id,
    sealed_token = excluded.sealed_token, token_digest = excluded.token_digest, mandate = false, status = 'active',
    reported_at = NULL, created_at = excluded.created_at, updated_at = excluded.updated_at
  WHERE known.status = 'disabled' AND known.token_digest IS DISTINCT FROM excluded.token_digest RETURNING known.*),
method_events AS (SELECT * FROM (SELECT 0 AS ordinal, m.merchant_account_id, $71::uuid AS event_id,
  'payment-method.updated' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $12::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $71::uuid, 'name', 'payment-method.updated',
    'created_at', to_char($12::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', m.merchant_account_id,
    'environment', $72::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) WHERE (b.after <> b.status OR b.stores_scheme_id OR b.completes_card) UNION ALL
  SELECT 1, m.merchant_account_id, $73::uuid AS event_id,
  'recurring.token.created' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $12::timestamptz AS created_at,
  json_build_object('version', 1, 'type', 'event', 'id', $73::uuid, 'name', 'recurring.token.created',
    'created_at', to_char($12::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'merchant_account_id', m.merchant_account_id,
    'environment', $72::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'payment_service_id', k.payment_service_id))::text AS payload
  FROM method_settled m JOIN stored_token k ON k.merchant_account_id = m.merchant_account_id AND k.payment_method_id = m.id
  ) AS rows ORDER BY ordinal),
method_event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM method_events),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $12 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $12
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $12, turn_until = $12::timestamptz + interval '30000 milliseconds' FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $12 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id]))
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($8::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
