-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN     "draining_since" TIMESTAMPTZ(3);

-- By hand from here: what the models cannot say.

-- Deliveries of paused and disabled endpoints that are past their deadline.
CREATE INDEX "delivery_deadline_idx" ON "delivery" ("endpoint_id", "deadline") WHERE "state" = 'pending';
CREATE INDEX "webhook_endpoint_draining_idx" ON "webhook_endpoint" ("draining_since") WHERE "draining_since" IS NOT NULL;
