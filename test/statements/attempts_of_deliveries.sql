-- $1 endpoints, $2 positions, $3 account
SELECT wanted.ordinal::int, a.number, a.started_at AS "startedAt", a.duration_ms AS "durationMs",
  a.lookup_ms AS "lookupMs", a.connect_ms AS "connectMs", a.tls_ms AS "tlsMs", a.first_byte_ms AS "firstByteMs",
  a.status_code AS "statusCode", a.error, a.reply_start AS "replyStart", a.probe
FROM unnest((SELECT $1::uuid[]), (SELECT $2::bigint[])) WITH ORDINALITY AS wanted (endpoint_id, position, ordinal)
CROSS JOIN LATERAL (
  SELECT * FROM delivery_attempt b
  WHERE b.merchant_account_id = $3 AND b.endpoint_id = wanted.endpoint_id AND b.position = wanted.position
  ORDER BY b.number DESC LIMIT 50) a
ORDER BY wanted.ordinal, a.number DESC
