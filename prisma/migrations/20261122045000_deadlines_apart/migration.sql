-- By hand: who claims deliveries asks for pending ones, too, and must not be led there by deadline, which says nothing of
-- when they are due. Every deadline is later than that; who asks for deadlines says so.
DROP INDEX "delivery_deadline_idx";
CREATE INDEX "delivery_deadline_idx" ON "delivery" ("endpoint_id", "deadline")
    WHERE "state" = 'pending' AND "deadline" > '-infinity';
