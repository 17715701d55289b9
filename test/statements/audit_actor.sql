-- $1 actor
SELECT set_config('paygraph.actor', coalesce(coalesce($1::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL AS announced
