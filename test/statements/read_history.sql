-- $1 transactions, $2 cursors, $3 limits, $4 account
SELECT wanted.ordinal::int, row_to_json(h) AS entry
FROM unnest($1::uuid[], $2::uuid[], $3::int[]) WITH ORDINALITY
  AS wanted (transaction_id, cursor, "limit", ordinal)
CROSS JOIN LATERAL (
  SELECT * FROM history_entry h WHERE h.merchant_account_id = $4 AND h.transaction_id = wanted.transaction_id
    AND h.id < coalesce(wanted.cursor, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  ORDER BY h.id DESC LIMIT wanted."limit") h
ORDER BY wanted.ordinal, h.id DESC
