-- Ends the hold that began at @startedAt, and writes an audit entry for each merchant account. Answers
-- false, and writes nothing, when there is no such hold.
SELECT release_payments(@startedAt::timestamptz, @state::jsonb) AS ended
