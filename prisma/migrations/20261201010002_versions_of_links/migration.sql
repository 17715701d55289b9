-- By hand: the worker that counts for rules finds the versions of the links that can still be paid.
CREATE INDEX CONCURRENTLY "payment_link_routing_version_idx" ON "payment_link" ("merchant_account_id", "routing_version_id") WHERE "routing_version_id" IS NOT NULL AND "status" IN ('active', 'processing');
