-- By hand: the payments of a payment service, newest first. A payment by gift cards alone has no service.
CREATE INDEX CONCURRENTLY "transaction_payment_service_idx"
    ON "transaction" ("merchant_account_id", "payment_service_id", "created_at", "id") WHERE "payment_service_id" IS NOT NULL;
