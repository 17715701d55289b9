-- Reads the names and times of the migrations, oldest first. Locks nothing.
SELECT migration_name::text AS name, finished_at AS applied FROM _prisma_migrations ORDER BY started_at
