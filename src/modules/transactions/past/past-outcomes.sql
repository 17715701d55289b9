-- Counts the first attempts of the latest payments of a merchant account, at most @limit of them. Groups
-- them by service, and by the values that rules of routing see. Locks nothing.
-- - `lastHours` is the shortest of the @periods that has the payment, in hours before @toAt.
-- - A later attempt is no case: another service refused such a payment before.
-- - An attempt without an outcome, or without a request to the service, is no case either.
-- - The provider tells the scheme of a wallet after the decision, so such a payment counts without a scheme.
-- - The inner LIMIT makes Postgres look each payment up by its key. A plan for any @limit could read the
--   whole table instead.
WITH latest AS (
  SELECT created_at, id FROM transaction
  WHERE merchant_account_id = @account::text AND created_at >= @fromAt::timestamptz
    AND created_at < @toAt::timestamptz
  ORDER BY created_at DESC, id DESC LIMIT @limit::int),
attempt AS (
  SELECT o.payment_service_id, o.status, t.method, t.country, t.currency, length(t.amount::text) AS digits,
    CASE
      WHEN (t.payment_method_id IS NOT NULL AND NOT t.store)
        OR t.instrument_type IN ('pan', 'network_token') THEN t.card_scheme END AS scheme,
    (
      SELECT min(p.hours) FROM unnest(@periods::int[]) AS p (hours)
      WHERE l.created_at >= @toAt - make_interval(hours => p.hours)) AS last_hours
  FROM latest l
  CROSS JOIN LATERAL (
    SELECT * FROM transaction s WHERE s.merchant_account_id = @account AND s.id = l.id LIMIT 1) t
  CROSS JOIN LATERAL (
    SELECT * FROM operation a
    WHERE a.merchant_account_id = @account AND a.transaction_id = l.id AND a.kind = 'authorize'
      AND a.origin = 'requested'
    ORDER BY a.created_at, a.id LIMIT 1) o
  WHERE o.status IN ('succeeded', 'declined', 'failed') AND o.attempts > 0 AND o.settled_at <= @toAt
    AND o.error_code IS DISTINCT FROM 'canceled')
SELECT payment_service_id AS "paymentServiceId", method, scheme, country, currency, digits::text,
  last_hours AS "lastHours", count(*) FILTER (WHERE status = 'succeeded')::int AS authorized,
  count(*) FILTER (WHERE status = 'declined')::int AS declined,
  count(*) FILTER (WHERE status = 'failed')::int AS failed
FROM attempt
WHERE last_hours IS NOT NULL
GROUP BY payment_service_id, method, scheme, country, currency, digits, last_hours
