-- The reports read the entries by their positions.
CREATE UNIQUE INDEX CONCURRENTLY "ledger_entry_position_key" ON "ledger_entry"("position");
