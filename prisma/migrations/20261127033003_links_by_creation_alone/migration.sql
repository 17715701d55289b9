DROP INDEX CONCURRENTLY "payment_link_created_idx";
