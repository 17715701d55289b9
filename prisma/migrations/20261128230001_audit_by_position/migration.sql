-- The chain reads the entries by their positions. Entries from before that are in the chain have none.
CREATE UNIQUE INDEX CONCURRENTLY "audit_entry_position_key" ON "audit_entry"("position") WHERE "position" IS NOT NULL;
