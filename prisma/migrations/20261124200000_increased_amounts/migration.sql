-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "increased_amount" INTEGER NOT NULL DEFAULT 0;

-- By hand from here: what the models cannot say.

-- Gift cards pay no more than there is to pay. The payment method first authorises no more than the rest, and increases
-- add to that. NOT VALID, because reading every row under this lock would stop payments. The next migration reads them.
ALTER TABLE "transaction"
    DROP CONSTRAINT "transaction_gift_cards_check",
    ADD CONSTRAINT "transaction_gift_cards_check" CHECK (
        "gift_card_amount" BETWEEN 0 AND "amount"
        AND ("gift_card_amount" = 0 OR "authorized_amount" - "increased_amount" <= "amount" - "gift_card_amount")
    ) NOT VALID,
    ADD CONSTRAINT "transaction_increased_check" CHECK (
        "increased_amount" BETWEEN 0 AND "authorized_amount"
    ) NOT VALID;
