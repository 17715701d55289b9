-- By hand: sums of six hours, which cover most of a day in any time zone.

ALTER TABLE "report_bucket" DROP CONSTRAINT "report_bucket_grain_check";
ALTER TABLE "report_bucket"
    ADD CONSTRAINT "report_bucket_grain_check" CHECK ("grain" IN ('quarter', 'hour', 'six_hours', 'day'));

ALTER TABLE "report_histogram" DROP CONSTRAINT "report_histogram_grain_check";
ALTER TABLE "report_histogram"
    ADD CONSTRAINT "report_histogram_grain_check" CHECK ("grain" IN ('quarter', 'hour', 'six_hours', 'day'));

-- The sums of the past come from those of its hours. The lock waits for the commit of a projection, and excludes further ones.
-- Processes of an earlier version add no sums of six hours. After an upgrade without a stop, run `paygraph rebuild-reports --write`.
SELECT pg_advisory_xact_lock(7020584530100317);

INSERT INTO "report_bucket" ("merchant_account_id", "dimension", "grain", "starts_at", "value", "currency",
    "created_count", "created_amount", "authorized_count", "authorized_amount", "captured_count", "captured_amount",
    "refunded_count", "refunded_amount", "voided_count", "voided_amount", "expired_count", "expired_amount",
    "declined_count", "declined_amount", "failed_count", "failed_amount", "capture_reversed_count", "capture_reversed_amount",
    "refund_reversed_count", "refund_reversed_amount", "dispute_lost_count", "dispute_lost_amount")
SELECT "merchant_account_id", "dimension", 'six_hours', date_bin('6 hours', "starts_at", '2000-01-01Z'), "value", "currency",
    sum("created_count"), sum("created_amount"), sum("authorized_count"), sum("authorized_amount"), sum("captured_count"), sum("captured_amount"),
    sum("refunded_count"), sum("refunded_amount"), sum("voided_count"), sum("voided_amount"), sum("expired_count"), sum("expired_amount"),
    sum("declined_count"), sum("declined_amount"), sum("failed_count"), sum("failed_amount"), sum("capture_reversed_count"), sum("capture_reversed_amount"),
    sum("refund_reversed_count"), sum("refund_reversed_amount"), sum("dispute_lost_count"), sum("dispute_lost_amount")
FROM "report_bucket" WHERE "grain" = 'hour'
GROUP BY 1, 2, 4, 5, 6;

INSERT INTO "report_histogram" ("merchant_account_id", "dimension", "grain", "starts_at", "value", "currency", "amount_bins", "answer_bins")
SELECT "merchant_account_id", "dimension", 'six_hours', "starts_at", "value", "currency",
    coalesce(array_agg(("bin" << 32) + "count" ORDER BY "bin") FILTER (WHERE "kind" = 'amount'), '{}'),
    coalesce(array_agg(("bin" << 32) + "count" ORDER BY "bin") FILTER (WHERE "kind" = 'answer'), '{}')
FROM (
    SELECT h."merchant_account_id", h."dimension", date_bin('6 hours', h."starts_at", '2000-01-01Z') AS "starts_at", h."value",
        h."currency", e."kind", e."element" >> 32 AS "bin", sum(e."element" & 4294967295)::bigint AS "count"
    FROM "report_histogram" h CROSS JOIN LATERAL (
        SELECT 'amount' AS "kind", unnest(h."amount_bins") AS "element"
        UNION ALL SELECT 'answer', unnest(h."answer_bins")) AS e
    WHERE h."grain" = 'hour'
    GROUP BY 1, 2, 3, 4, 5, 6, 7) AS "binned"
GROUP BY 1, 2, 4, 5, 6;
