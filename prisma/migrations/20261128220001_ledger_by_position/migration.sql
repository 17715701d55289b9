-- The reports read the entries by their positions. Entries from before have none.
CREATE UNIQUE INDEX CONCURRENTLY "ledger_entry_position_key" ON "ledger_entry"("position") WHERE "position" IS NOT NULL;
