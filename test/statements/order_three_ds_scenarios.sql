-- $1 ids, $2 account
UPDATE three_ds_scenario s SET position = o.position
FROM unnest($1::uuid[]) WITH ORDINALITY AS o (id, position)
WHERE s.merchant_account_id = $2 AND s.id = o.id AND s.position <> o.position
