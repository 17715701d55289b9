-- $1 ordinals, $2 types, $3 ids, $4 afters, $5 steps, $6 limits, $7 account
SELECT * FROM (
  SELECT wanted.ordinal, f.merchant_account_id, f.sequence, e.id, e.name, e.target_type, e.target_id, e.created_at, wanted."limit",
    row_number() OVER (PARTITION BY wanted.ordinal ORDER BY f.sequence * wanted.step) AS nth
  FROM unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::int[], $6::int[])
    AS wanted (ordinal, type, id, after, step, "limit")
  CROSS JOIN LATERAL (
    SELECT * FROM event WHERE merchant_account_id = $7 AND target_type = wanted.type AND target_id = wanted.id
    ORDER BY position OFFSET 0) e
  CROSS JOIN LATERAL (SELECT merchant_account_id, sequence FROM feed_entry WHERE position = e.position OFFSET 0) f
  WHERE wanted.after IS NULL OR (f.sequence - wanted.after) * wanted.step > 0) found
WHERE nth <= "limit" ORDER BY ordinal, nth
