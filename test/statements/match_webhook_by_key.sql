-- $1 verb, $2 service, $3 own, $4 account, $5 now, $6 receivedAt, $7 id, $8 verbs, $9 key
SELECT row_to_json(t) AS transaction, CASE WHEN NOT o.unsent AND (o.kind = $1 OR ($1 IN ('cancel', 'void') AND o.kind = 'release') OR ($1 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'))) THEN row_to_json(o) ELSE (SELECT row_to_json(m) FROM operation m
WHERE m.merchant_account_id = o.merchant_account_id AND m.transaction_id = o.transaction_id AND m.kind = $1
  AND m.payment_service_id = $2 AND m.provider_reference = $3::text LIMIT 1) END AS operation,
   (
EXISTS (SELECT FROM inbound_webhook w WHERE w.merchant_account_id = $4 AND w.payment_service_id = $2
AND w.turn_until IS NOT NULL AND (w.turn_until > $5::timestamptz OR w.next_attempt_at <= $5::timestamptz)
AND (w.received_at, w.id) < ($6::timestamptz, $7::uuid) AND w.notice ->> 'verb' = ANY ($8::text[]) AND w.state || '' = 'parked' AND w.operation_id = ANY (ARRAY[$9::uuid]))
OR EXISTS (SELECT FROM inbound_webhook w WHERE w.merchant_account_id = $4 AND w.payment_service_id = $2
AND w.turn_until IS NOT NULL AND (w.turn_until > $5::timestamptz OR w.next_attempt_at <= $5::timestamptz)
AND (w.received_at, w.id) < ($6::timestamptz, $7::uuid) AND w.notice ->> 'verb' = ANY ($8::text[]) AND w.state = 'parked' AND w.operation_id IS NULL
  AND w.provider_reference = ANY (ARRAY[t.payment_service_transaction_id, o.provider_reference]) AND NOT coalesce(o.kind IN ('increase', 'capture', 'refund') AND w.notice ->> 'reference' <> $3::text, false))) AS "isBehind"
 FROM operation o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
 WHERE o.merchant_account_id = $4 AND (o.id = $9 AND o.provider_key IS NULL OR o.provider_key = $9)
   AND o.payment_service_id = $2 AND (NOT o.unsent OR o.kind <> $1)
