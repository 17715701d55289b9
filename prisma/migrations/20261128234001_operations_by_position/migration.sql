-- The reports read the operations by their positions. Operations from before have none.
CREATE UNIQUE INDEX CONCURRENTLY "operation_position_key" ON "operation"("position") WHERE "position" IS NOT NULL;
