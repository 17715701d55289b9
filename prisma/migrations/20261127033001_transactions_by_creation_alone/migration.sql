DROP INDEX CONCURRENTLY "transaction_created_idx";
