-- By hand: lists of payments with gift cards or 3-D Secure read few rows, because each index holds those payments alone.
CREATE INDEX "transaction_gift_cards_idx" ON "transaction" ("merchant_account_id", "created_at", "id")
    WHERE "gift_card_amount" > 0;
CREATE INDEX "transaction_three_ds_idx" ON "transaction" ("merchant_account_id", "created_at", "id")
    WHERE "three_d_secure"->>'source' <> 'none';
