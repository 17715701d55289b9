-- Deletes all sums of one merchant account: the histograms, the buyers and the buckets. The data-modifying
-- expressions run although nothing reads them.
WITH removed AS (DELETE FROM report_histogram WHERE merchant_account_id = @account::text),
forgotten AS (DELETE FROM report_buyer WHERE merchant_account_id = @account)
DELETE FROM report_bucket WHERE merchant_account_id = @account
