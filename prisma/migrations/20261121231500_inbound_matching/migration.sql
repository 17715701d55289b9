-- By hand: what a provider's webhook finds its operation by, and what a new reference finds parked webhooks by.
CREATE INDEX "operation_provider_idx" ON "operation" ("merchant_account_id", "provider_reference")
    WHERE "provider_reference" IS NOT NULL;
CREATE INDEX "inbound_webhook_reference_idx" ON "inbound_webhook" ("merchant_account_id", "payment_service_id", "provider_reference")
    WHERE "state" = 'parked';
