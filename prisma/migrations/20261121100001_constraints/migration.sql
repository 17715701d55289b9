-- The second wall behind the code: what Prisma's models cannot say, written by hand.

-- Amounts are minor units, 0 to 99 999 999; nothing is captured, refunded or voided twice.
ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_amounts_check" CHECK (
        "amount" BETWEEN 0 AND 99999999
        AND "authorized_amount" BETWEEN 0 AND 99999999
        AND "capture_pending_amount" BETWEEN 0 AND 99999999
        AND "captured_amount" BETWEEN 0 AND 99999999
        AND "refund_pending_amount" BETWEEN 0 AND 99999999
        AND "refunded_amount" BETWEEN 0 AND 99999999
    ),
    ADD CONSTRAINT "transaction_captured_check"
        CHECK ("captured_amount" + "capture_pending_amount" <= "authorized_amount"),
    ADD CONSTRAINT "transaction_refunded_check"
        CHECK ("refunded_amount" + "refund_pending_amount" <= "captured_amount"),
    ADD CONSTRAINT "transaction_void_pending_check"
        CHECK (NOT ("void_pending" AND "captured_amount" + "capture_pending_amount" > 0)),
    ADD CONSTRAINT "transaction_voided_check"
        CHECK (NOT ("status" = 'authorization_voided' AND "captured_amount" + "capture_pending_amount" > 0)),
    ADD CONSTRAINT "transaction_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "transaction_country_check" CHECK ("country" ~ '^[A-Z]{2}$'),
    ADD CONSTRAINT "transaction_status_check" CHECK ("status" IN (
        'processing', 'buyer_approval_pending', 'authorization_succeeded', 'authorization_declined',
        'authorization_failed', 'authorization_void_pending', 'authorization_voided', 'capture_pending',
        'capture_succeeded'
    )),
    ADD CONSTRAINT "transaction_intent_check" CHECK ("intent" IN ('authorize', 'capture')),
    ADD CONSTRAINT "transaction_intent_outcome_check"
        CHECK ("intent_outcome" IN ('pending', 'succeeded', 'failed')),
    ADD CONSTRAINT "transaction_payment_source_check"
        CHECK ("payment_source" IN ('ecommerce', 'moto', 'recurring', 'installment', 'card_on_file')),
    ADD CONSTRAINT "transaction_instrument_type_check" CHECK ("instrument_type" IN ('pan'));

ALTER TABLE "operation"
    ADD CONSTRAINT "operation_amount_check" CHECK ("amount" BETWEEN 0 AND 99999999),
    ADD CONSTRAINT "operation_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "operation_kind_check" CHECK ("kind" IN ('authorize', 'capture', 'refund', 'void')),
    ADD CONSTRAINT "operation_status_check" CHECK ("status" IN ('pending', 'succeeded', 'declined', 'failed'));

ALTER TABLE "ledger_entry"
    ADD CONSTRAINT "ledger_entry_amount_check" CHECK ("amount" BETWEEN 0 AND 99999999),
    ADD CONSTRAINT "ledger_entry_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "ledger_entry_kind_check" CHECK ("kind" IN ('authorize', 'capture', 'refund', 'void'));

ALTER TABLE "payment_service"
    ADD CONSTRAINT "payment_service_status_check" CHECK ("status" IN ('pending', 'created', 'failed'));

ALTER TABLE "api_key_pair"
    ADD CONSTRAINT "api_key_pair_algorithm_check" CHECK ("algorithm" IN ('es256', 'es512', 'eddsa', 'rs512'));

ALTER TABLE "webhook_endpoint"
    ADD CONSTRAINT "webhook_endpoint_state_check" CHECK ("state" IN ('active', 'failing', 'paused', 'disabled'));

ALTER TABLE "delivery"
    ADD CONSTRAINT "delivery_state_check" CHECK ("state" IN ('pending', 'leased', 'done', 'expired', 'cancelled'));

-- What happened stays as it was written. A statement is refused also when it would touch no row.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

CREATE TRIGGER "event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "event"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();

-- At most one void of a transaction is under way or done.
CREATE UNIQUE INDEX "operation_one_void_key" ON "operation" ("merchant_account_id", "transaction_id")
    WHERE "kind" = 'void' AND "status" IN ('pending', 'succeeded');

-- What the background loops look for; small, because almost every row is done.
CREATE INDEX "operation_due_idx" ON "operation" ("next_attempt_at") WHERE "status" = 'pending';
CREATE INDEX "delivery_due_idx" ON "delivery" ("endpoint_id", "next_at", "position") WHERE "state" = 'pending';
CREATE INDEX "delivery_leased_idx" ON "delivery" ("endpoint_id") WHERE "state" = 'leased';

-- A queue: every row is deleted soon after it is written, so it is vacuumed by count, not by share.
ALTER TABLE "event_pending" SET (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 1000
);
