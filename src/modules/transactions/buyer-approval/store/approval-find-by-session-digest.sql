-- Reads the approval with the digest of its session token, whatever its state. A unique index allows one
-- row at most.
--
-- - `state` is `expired` after the time limit or the operation's end. A session is `approved` first, and
--   `completed` after the client's call.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT a.merchant_account_id AS "merchantAccountId", a.operation_id AS "operationId",
  a.expires_at AS "expiresAt", a.kind,
  CASE
    WHEN a.state <> 'pending' THEN a.state
    WHEN a.expires_at <= @now::timestamptz OR o.status <> 'pending' THEN 'expired'
    WHEN a.approved_at IS NOT NULL THEN 'approved'
    ELSE a.state END AS state, a.kind = 'session' AND a.state = 'approved' AS completed,
  a.return_digest IS NOT NULL AS "isAtProvider", o.sealed_form AS "sealedForm",
  a.session_data AS "sessionData", row_to_json(t) AS transaction,
  coalesce(l.merchant_name, m.display_name) AS "merchantName"
FROM approval a
JOIN operation o ON o.merchant_account_id = ANY (ARRAY[a.merchant_account_id])
  AND o.id = ANY (ARRAY[a.operation_id])
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
  AND t.id = ANY (ARRAY[o.transaction_id])
JOIN merchant_account m ON m.id = a.merchant_account_id
LEFT JOIN payment_link l ON l.merchant_account_id = ANY (ARRAY[t.merchant_account_id])
  AND l.id = ANY (ARRAY[t.payment_link_id])
WHERE a.session_digest = @key::text
