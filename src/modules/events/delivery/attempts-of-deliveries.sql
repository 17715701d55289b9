-- Reads the latest 50 attempts of each delivery, newest first, in the order of the given deliveries.
-- The subqueries hide the lists from Postgres while it plans. A visible list of one id makes the plan for
-- that list look cheaper than a plan for any list. Postgres would then plan each run anew, which takes twice
-- as long as the look-up.
SELECT wanted.ordinal::int, a.number, a.started_at AS "startedAt", a.duration_ms AS "durationMs",
  a.lookup_ms AS "lookupMs", a.connect_ms AS "connectMs", a.tls_ms AS "tlsMs",
  a.first_byte_ms AS "firstByteMs", a.status_code AS "statusCode", a.error, a.reply_start AS "replyStart",
  a.probe
FROM unnest((SELECT @endpoints::uuid[]), (SELECT @positions::bigint[])) WITH ORDINALITY
  AS wanted (endpoint_id, position, ordinal)
CROSS JOIN LATERAL (
  SELECT * FROM delivery_attempt b
  WHERE b.merchant_account_id = @account::text AND b.endpoint_id = wanted.endpoint_id
    AND b.position = wanted.position
  ORDER BY b.number DESC LIMIT 50) a
ORDER BY wanted.ordinal, a.number DESC
