-- Reads the next payments of a merchant account in the order of their creation, at most @limit, with their
-- authorisations. Locks nothing.
-- A payment outside the sample has no values but its place. The last bytes of an id are random, so they draw
-- the sample, and each run draws the same payments.
-- - The later tries of a plan are no attempts of the payment's route.
-- - The inner LIMIT makes Postgres look each payment up by its key. A plan for any @limit could read the
--   whole table instead.
WITH page AS (
  SELECT created_at, id FROM transaction
  WHERE merchant_account_id = @account::text AND created_at >= @fromAt::timestamptz
    AND created_at < @toAt::timestamptz AND (created_at, id) > (@placeAt::timestamptz, @placeId::uuid)
  ORDER BY created_at, id LIMIT @limit::int)
SELECT p.created_at AS "createdAt", p.id, t.id IS NOT NULL AS "isSampled", t.amount, t.currency, t.country,
  t.method, t.instrument_type AS "instrumentType", t.intent, t.payment_source AS "paymentSource",
  t.merchant_initiated AS "merchantInitiated", t.is_subsequent_payment AS "isSubsequentPayment",
  t.payment_method_id AS "paymentMethodId", t.store, t.payment_link_id AS "paymentLinkId",
  t.buyer_id AS "buyerId", t.card_scheme AS "cardScheme", t.card_bin AS "cardBin",
  t.card_network AS "cardNetwork", t.gift_card_amount AS "giftCardAmount",
  t.installment_count AS "installmentCount", t.three_d_secure_request AS "threeDSecureRequest",
  t.three_d_secure ->> 'source' AS "threeDSecureSource", t.metadata,
  t.connection_options AS "connectionOptions", t.external_identifier AS "externalIdentifier", t.routing,
  t.splits IS NOT NULL AS "hasSplits", t.captured_amount AS "capturedAmount",
  t.refunded_amount AS "refundedAmount", o.attempts
FROM page p
LEFT JOIN LATERAL (
  SELECT * FROM transaction s
  WHERE s.merchant_account_id = @account AND s.id = p.id
    AND get_byte(uuid_send(p.id), 15) * 256 + get_byte(uuid_send(p.id), 14) < @drawsBelow::int
  LIMIT 1) t ON true
LEFT JOIN transaction_retry_plan r ON r.merchant_account_id = @account AND r.transaction_id = t.id
LEFT JOIN LATERAL (
  SELECT jsonb_agg(jsonb_build_object('paymentServiceId', a.payment_service_id, 'status', a.status,
    'errorCode', a.error_code, 'choice', a.choice,
    'wasAsked', a.attempts > 0, 'wasOpen', a.accepted_at IS NOT NULL OR a.attempts > 1)
    ORDER BY a.created_at, a.id) AS attempts
  FROM operation a
  WHERE a.merchant_account_id = @account AND a.transaction_id = t.id AND a.kind = 'authorize'
    AND a.origin = 'requested' AND (r.declined_at IS NULL OR a.created_at <= r.declined_at)) o ON true
ORDER BY p.created_at, p.id
