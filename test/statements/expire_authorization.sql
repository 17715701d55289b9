-- $1 account, $2 transaction, $3 version, $4 operationReversedAmount, $5 operationReversals, $6 operationUpdatedAt, $7 operation, $8 reversedBefore, $9 transactionStatus, $10 transactionIntentOutcome, $11 transactionCapturedAmount, $12 transactionCaptureReversedAmount, $13 transactionRefundedAmount, $14 transactionRefundReversedAmount, $15 transactionCaptureClosed, $16 transactionFraudReview, $17 transactionErrorCode, $18 transactionExpiredAt, $19 transactionUpdatedAt, $20 now, $21 ledgerIds, $22 ledgerKinds, $23 ledgerAmounts, $24 reversalKeys, $25 eventIds, $26 eventNames, $27 targetTypes, $28 targetIds, $29 payloads, $30 historyId, $31 historyName, $32 historyContext, $33 actor, $34 givesUpRedemptions
WITH 
locked AS (
  SELECT t.merchant_account_id, t.id FROM transaction t
  WHERE t.merchant_account_id = $1 AND t.id = $2 AND t.xmin = $3::xid FOR NO KEY UPDATE),
settled AS (
  UPDATE operation o SET reversed_amount = $4, reversals = $5, updated_at = $6
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $7 AND o.status = 'succeeded'
    AND o.reversed_amount = $8 RETURNING o.*),
changed AS (
  UPDATE transaction t SET status = $9, intent_outcome = $10, captured_amount = $11, capture_reversed_amount = $12, refunded_amount = $13, refund_reversed_amount = $14, capture_closed = $15, fraud_review = $16, error_code = $17, expired_at = $18, updated_at = $19
  FROM settled s WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id]) RETURNING t.*),
written AS (SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c),
ledger AS (
  INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, reversal_key,
    created_at)
  SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, e.amount, s.currency, e.reversal_key, $20
  FROM settled s CROSS JOIN unnest($21::uuid[], $22::text[], $23::int[], $24::text[])
    AS e (id, kind, amount, reversal_key)),
event_rows AS (
  SELECT s.merchant_account_id, e.*, $20::timestamptz AS created_at
  FROM settled s CROSS JOIN unnest($25::uuid[], $26::text[], $27::text[], $28::text[],
    $29::text[]) AS e (event_id, event_name, target_type, target_id, payload)),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_rows),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, $30::uuid, s.transaction_id, $31, $32::jsonb,
    coalesce($33::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $20 FROM settled s),
moved AS (
  UPDATE redemption r SET updated_at = $20,
    status = CASE r.status WHEN 'succeeded' THEN 'reversing' WHEN 'created' THEN 'skipped' ELSE r.status END,
    sealed_card = CASE r.status WHEN 'pending' THEN r.sealed_card END
  FROM changed c WHERE $34::boolean AND r.merchant_account_id = ANY (ARRAY[c.merchant_account_id])
    AND r.transaction_id = ANY (ARRAY[c.id]) AND r.status IN ('created', 'pending', 'succeeded')
    AND NOT EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = ANY (ARRAY[r.merchant_account_id]) AND o.id = ANY (ARRAY[r.reversal_id]))
  RETURNING r.*),
reversals AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, redemption_id,
    provider_key, actor, unsent, attempts, next_attempt_at, sent_at, created_at, updated_at)
  SELECT m.merchant_account_id, m.reversal_id, m.transaction_id, m.payment_service_id, 'unredeem', m.amount, m.currency,
    m.id, (SELECT md5('reversal of ' || o.provider_key)::uuid FROM operation o WHERE o.merchant_account_id = ANY (ARRAY[m.merchant_account_id]) AND o.id = ANY (ARRAY[m.id])), coalesce($33::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, true, 0, $20, $20, $20, $20 FROM moved m WHERE m.status = 'reversing'),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $20 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $20
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $20, turn_until = $20::timestamptz + interval '30000 milliseconds' FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $20 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id]))
   SELECT operation, transaction FROM written WHERE set_config('paygraph.actor', coalesce(coalesce($33::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
