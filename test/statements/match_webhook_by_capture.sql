-- $1 account, $2 service, $3 now, $4 receivedAt, $5 id, $6 verbs, $7 own, $8 verb, $9 capture
SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation, (
EXISTS (SELECT FROM inbound_webhook w WHERE w.merchant_account_id = $1 AND w.payment_service_id = $2
AND w.turn_until IS NOT NULL AND (w.turn_until > $3::timestamptz OR w.next_attempt_at <= $3::timestamptz)
AND (w.received_at, w.id) < ($4::timestamptz, $5::uuid) AND w.notice ->> 'verb' = ANY ($6::text[]) AND w.state || '' = 'parked' AND w.operation_id = ANY (ARRAY[coalesce(o.provider_key, o.id)]))
OR EXISTS (SELECT FROM inbound_webhook w WHERE w.merchant_account_id = $1 AND w.payment_service_id = $2
AND w.turn_until IS NOT NULL AND (w.turn_until > $3::timestamptz OR w.next_attempt_at <= $3::timestamptz)
AND (w.received_at, w.id) < ($4::timestamptz, $5::uuid) AND w.notice ->> 'verb' = ANY ($6::text[]) AND w.state = 'parked' AND w.operation_id IS NULL
  AND w.provider_reference = ANY (ARRAY[t.payment_service_transaction_id, o.provider_reference]) AND NOT coalesce(o.kind IN ('increase', 'capture', 'refund') AND w.notice ->> 'reference' <> $7::text, false))) AS "isBehind"
 FROM operation c
 JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND t.id = ANY (ARRAY[c.transaction_id])
 LEFT JOIN operation o ON o.merchant_account_id = c.merchant_account_id AND o.transaction_id = c.transaction_id
   AND o.payment_service_id = $2 AND NOT o.unsent AND (o.kind = $8 OR ($8 IN ('cancel', 'void') AND o.kind = 'release') OR ($8 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'))) AND o.created_at <= $4::timestamptz + interval '15 minutes' AND ($7::text IS NULL OR o.provider_reference IS NULL OR o.provider_reference = $7
OR o.provider_reference IN (o.id::text, o.provider_key::text) OR (o.kind = 'cancel' AND o.status = 'pending')
OR ($8 = 'capture' AND o.kind = 'authorize'))
 WHERE c.merchant_account_id = $1 AND c.provider_reference = $9 AND c.payment_service_id = $2
   AND c.kind IN ('authorize', 'capture')
 LIMIT 50
