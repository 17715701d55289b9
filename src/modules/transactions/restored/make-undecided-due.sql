-- Makes the sent operations without an outcome due, of all merchant accounts, so that reconciliation asks
-- about each once. Every process is stopped after a restore, so no lease counts.
UPDATE operation SET next_attempt_at = @now::timestamptz
WHERE status = 'pending' AND NOT unsent AND origin = 'requested'
  AND (next_attempt_at IS NULL OR next_attempt_at > @now)
