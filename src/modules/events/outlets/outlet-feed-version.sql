-- Reads the version of the relay's cursor. It changes with every event that enters the feed. Answers one row.
SELECT xmin::text AS version FROM log_cursor WHERE name = 'feed'
