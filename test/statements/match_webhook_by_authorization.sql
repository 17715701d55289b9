-- $1 account, $2 service, $3 now, $4 receivedAt, $5 id, $6 verbs, $7 key, $8 own, $9 verb
SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation, (
EXISTS (SELECT FROM inbound_webhook w WHERE w.merchant_account_id = $1 AND w.payment_service_id = $2
AND w.turn_until IS NOT NULL AND (w.turn_until > $3::timestamptz OR w.next_attempt_at <= $3::timestamptz)
AND (w.received_at, w.id) < ($4::timestamptz, $5::uuid) AND w.notice ->> 'verb' = ANY ($6::text[]) AND w.state || '' = 'parked' AND w.operation_id = ANY (ARRAY[coalesce(o.provider_key, o.id), $7::uuid]))
OR EXISTS (SELECT FROM inbound_webhook w WHERE w.merchant_account_id = $1 AND w.payment_service_id = $2
AND w.turn_until IS NOT NULL AND (w.turn_until > $3::timestamptz OR w.next_attempt_at <= $3::timestamptz)
AND (w.received_at, w.id) < ($4::timestamptz, $5::uuid) AND w.notice ->> 'verb' = ANY ($6::text[]) AND w.state = 'parked' AND w.operation_id IS NULL
  AND w.provider_reference = ANY (ARRAY[t.payment_service_transaction_id, o.provider_reference]) AND NOT coalesce(o.kind IN ('increase', 'capture', 'refund') AND w.notice ->> 'reference' <> $8::text, false))) AS "isBehind"
 FROM operation a
 JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.transaction_id])
 LEFT JOIN operation o ON o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.transaction_id
   AND o.payment_service_id = $2 AND NOT o.unsent AND (o.kind = $9 OR ($9 IN ('cancel', 'void') AND o.kind = 'release') OR ($9 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'))) AND o.created_at <= $4::timestamptz + interval '15 minutes' AND ($8::text IS NULL OR o.provider_reference IS NULL OR o.provider_reference = $8
OR o.provider_reference IN (o.id::text, o.provider_key::text) OR (o.kind = 'cancel' AND o.status = 'pending')
OR ($9 = 'capture' AND o.kind = 'authorize'))
 WHERE a.merchant_account_id = $1 AND (a.id = $7 AND a.provider_key IS NULL OR a.provider_key = $7)
   AND a.payment_service_id = $2 AND a.kind = 'authorize'
 LIMIT 50
