-- Writes the positions of the scenarios from 1, in the order of @ids, in one statement. Changes no scenario
-- that has its position already. The caller holds the locks of all scenarios.
UPDATE three_ds_scenario s SET position = o.position
FROM unnest(@ids::uuid[]) WITH ORDINALITY AS o (id, position)
WHERE s.merchant_account_id = @account::text AND s.id = o.id AND s.position <> o.position
