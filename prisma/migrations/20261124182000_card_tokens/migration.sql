-- By hand: what the models cannot say.
ALTER TABLE "payment_method"
    DROP CONSTRAINT "payment_method_instrument_type_check",
    ADD CONSTRAINT "payment_method_instrument_type_check" CHECK (
        "instrument_type" IN ('pan', 'network_token', 'card_token', 'bank', 'redirect', 'redirect_token')
    );
