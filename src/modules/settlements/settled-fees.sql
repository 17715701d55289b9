-- Sums the fees of the latest charges on settlements, at most @limit of them. Groups them by service, and by
-- the values of their payments that rules of routing see. Locks nothing.
-- - An entry that does not fit the books does not count.
-- - An entry in another currency counts by the part of its amount that the fee is.
-- - The provider tells the card of a wallet after the decision, so such a payment counts without its card.
-- - The inner LIMIT makes Postgres look each payment up by its key.
WITH latest AS (
  SELECT * FROM settlement
  WHERE merchant_account_id = @account::text AND kind = 'charge' ORDER BY id DESC LIMIT @limit::int),
charge AS (
  SELECT l.payment_service_id, l.transaction_id, t.method, t.country, t.currency,
    length(t.amount::text) AS digits, t.card_scheme, t.card_bin,
    (t.payment_method_id IS NOT NULL AND NOT t.store) OR t.instrument_type IN ('pan', 'network_token')
      AS has_known_card,
    CASE WHEN l.currency = t.currency THEN l.gross ELSE l.original_amount END AS amount,
    CASE
      WHEN l.currency = t.currency THEN l.fee
      ELSE round(l.fee::numeric * l.original_amount / l.gross)::bigint END AS fee
  FROM latest l
  CROSS JOIN LATERAL (
    SELECT * FROM transaction s
    WHERE s.merchant_account_id = @account AND s.id = l.transaction_id LIMIT 1) t
  WHERE l.difference IS NULL AND l.gross > 0 AND l.settled_on >= @fromDay::date
    AND l.created_at <= @toAt::timestamptz
    AND (l.currency = t.currency OR (l.original_currency = t.currency AND l.original_amount > 0)))
SELECT payment_service_id AS "paymentServiceId", method,
  CASE WHEN has_known_card THEN card_scheme END AS scheme,
  country, CASE WHEN has_known_card THEN left(card_bin, 6) END AS bin, currency, digits::text,
  count(DISTINCT transaction_id)::int AS payments, sum(amount)::bigint::text AS amount,
  sum(fee)::bigint::text AS fees
FROM charge
GROUP BY 1, 2, 3, 4, 5, 6, 7
