-- By hand: what a stored buyer has paid, and what a stored payment method has, newest first. Most payments have neither.
CREATE INDEX "transaction_buyer_idx" ON "transaction" ("merchant_account_id", "buyer_id", "created_at", "id")
    WHERE "buyer_id" IS NOT NULL;
CREATE INDEX "transaction_payment_method_idx" ON "transaction" ("merchant_account_id", "payment_method_id", "created_at", "id")
    WHERE "payment_method_id" IS NOT NULL;
