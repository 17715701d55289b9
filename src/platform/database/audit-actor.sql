-- Sets the actor of the transaction, as the triggers of the audit log read it. Always answers true. Keeps an
-- actor that the transaction has when @actor is null. The triggers run at the end of a statement.
SELECT set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL AS announced
