-- By hand: a payment is released once, by a void or by a cancel, whatever the code forgets to ask.
CREATE UNIQUE INDEX "operation_one_release_key" ON "operation" ("merchant_account_id", "transaction_id")
    WHERE "kind" IN ('void', 'cancel') AND "status" IN ('pending', 'succeeded');
