-- Reads the settings of Postgres by the names of @names. Locks nothing.
SELECT name, setting, unit FROM pg_settings WHERE name = ANY (@names::text[]) ORDER BY name
