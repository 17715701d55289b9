-- By hand: what the models cannot say.
ALTER TABLE "transaction"
    DROP CONSTRAINT "transaction_instrument_type_check",
    ADD CONSTRAINT "transaction_instrument_type_check" CHECK (
        "instrument_type" IN (
            'pan', 'applepay', 'googlepay', 'network_token', 'card_token', 'bank', 'redirect', 'redirect_token'
        )
    );
