-- The index of digests begins with the same columns.
DROP INDEX CONCURRENTLY "payment_method_token_merchant_account_id_payment_service_id_idx";
