-- By hand: the key of a partitioned table includes the position. Postgres builds this index while deliveries go on.
CREATE UNIQUE INDEX CONCURRENTLY "delivery_attempt_from_0_pkey" ON "delivery_attempt" ("merchant_account_id", "id", "position");
