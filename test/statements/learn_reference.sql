-- $1 reference, $2 now, $3 account, $4 operation
WITH learned AS (
   UPDATE operation o SET provider_reference = $1, updated_at = greatest(o.updated_at, $2)
   WHERE o.merchant_account_id = $3 AND o.id = $4 AND o.status <> 'pending'
     AND o.kind IN ('increase', 'reauthorize', 'capture', 'refund', 'void')
     AND (o.provider_reference IS NULL OR o.provider_reference IN (o.id::text, o.provider_key::text))
     AND o.provider_reference IS DISTINCT FROM $1::text
   RETURNING o.*),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $2, turn_until = $2::timestamptz + interval '30000 milliseconds' FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN learned s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $2 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id]))
 SELECT id FROM learned
