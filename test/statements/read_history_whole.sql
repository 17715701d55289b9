-- $1 transactions, $2 cursors, $3 limits, $4 untils, $5 account
SELECT wanted.ordinal::int, h.id, h.transaction_id, h.name, h.created_at, h.context, h.actor
FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::int[]), (SELECT $4::timestamptz[]))
  WITH ORDINALITY AS wanted (transaction_id, cursor, "limit", until, ordinal)
CROSS JOIN LATERAL (
  SELECT * FROM history_entry h WHERE h.merchant_account_id = $5 AND h.transaction_id = wanted.transaction_id
    AND h.id < coalesce(wanted.cursor, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    AND h.created_at <= coalesce(wanted.until, 'infinity')
  ORDER BY h.id DESC LIMIT wanted."limit") h
ORDER BY wanted.ordinal, h.id DESC
