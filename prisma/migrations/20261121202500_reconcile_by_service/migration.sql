-- Reconciliation takes some of each payment service, oldest first, however many wait at one of them.
DROP INDEX "operation_due_idx";
CREATE INDEX "operation_due_idx" ON "operation" ("payment_service_id", "next_attempt_at") WHERE "status" = 'pending';
