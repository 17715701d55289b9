-- By hand: what the models cannot say.

-- Lists the payments of a payment service that are open to be compared with their provider.
-- - A payment without a reference of the provider is left out. So is a closed payment whose captured money is all
--   refunded, because nothing is left to move.
-- - A void that was made elsewhere may have released the rest of a capture that nobody told.
-- Postgres takes the body into the calling statement, so the conditions and the order of the caller lead to an index.
-- That needs a stable function without settings of its own.
CREATE FUNCTION "payments_to_compare"("account" text, "service" uuid) RETURNS SETOF "transaction"
    LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT t.* FROM "transaction" t
    WHERE t."merchant_account_id" = "account" AND t."payment_service_id" = "service"
      AND t."payment_service_transaction_id" IS NOT NULL
      AND (t."status" IN ('authorization_succeeded', 'authorization_void_pending', 'capture_pending', 'capture_succeeded')
        OR (t."status" = 'authorization_voided' AND EXISTS (
          SELECT FROM "operation" v
          WHERE v."merchant_account_id" = t."merchant_account_id" AND v."transaction_id" = t."id"
            AND v."kind" = 'void' AND v."origin" = 'provider')))
      AND NOT (t."capture_closed" AND t."captured_amount" > 0 AND t."refunded_amount" = t."captured_amount")
$$;
