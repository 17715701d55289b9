-- $1 verb, $2 account, $3 service, $4 now, $5 receivedAt, $6 id, $7 verbs, $8 key, $9 own
SELECT row_to_json(t) AS transaction, CASE WHEN NOT o.unsent AND (o.kind = $1 OR ($1 IN ('cancel', 'void') AND o.kind = 'release') OR ($1 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'))) THEN row_to_json(o) END AS operation,
   (
EXISTS (SELECT FROM inbound_webhook w WHERE w.merchant_account_id = $2 AND w.payment_service_id = $3
AND w.turn_until IS NOT NULL AND (w.turn_until > $4::timestamptz OR w.next_attempt_at <= $4::timestamptz)
AND (w.received_at, w.id) < ($5::timestamptz, $6::uuid) AND w.notice ->> 'verb' = ANY ($7::text[]) AND w.state || '' = 'parked' AND w.operation_id = ANY (ARRAY[$8::uuid]))
OR EXISTS (SELECT FROM inbound_webhook w WHERE w.merchant_account_id = $2 AND w.payment_service_id = $3
AND w.turn_until IS NOT NULL AND (w.turn_until > $4::timestamptz OR w.next_attempt_at <= $4::timestamptz)
AND (w.received_at, w.id) < ($5::timestamptz, $6::uuid) AND w.notice ->> 'verb' = ANY ($7::text[]) AND w.state = 'parked' AND w.operation_id IS NULL
  AND w.provider_reference = ANY (ARRAY[t.payment_service_transaction_id, o.provider_reference]) AND NOT coalesce(o.kind IN ('increase', 'capture', 'refund') AND w.notice ->> 'reference' <> $9::text, false))) AS "isBehind"
 FROM operation o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
 WHERE o.merchant_account_id = $2 AND (o.id = $8 AND o.provider_key IS NULL OR o.provider_key = $8)
   AND o.payment_service_id = $3 AND (NOT o.unsent OR o.kind <> $1)
