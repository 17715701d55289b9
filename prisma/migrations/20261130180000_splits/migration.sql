-- AlterTable
ALTER TABLE "transaction" ADD COLUMN     "splits" JSONB;

-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "splits" JSONB;

-- AlterTable
ALTER TABLE "payment_link" ADD COLUMN     "splits" JSONB;

-- By hand from here: what the models cannot say.

-- Makes the form of a payment's shares for events. The file outcome-records.ts makes the same form.
CREATE FUNCTION "published_splits"("splits" jsonb) RETURNS json LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT json_agg(json_build_object('kind', s.share -> 'kind', 'account', s.share -> 'account',
        'amount', s.share -> 'amount', 'reference', s.share -> 'reference',
        'captured_amount', s.share -> 'capturedAmount', 'refunded_amount', s.share -> 'refundedAmount') ORDER BY s.nth)
    FROM jsonb_array_elements("splits") WITH ORDINALITY AS s (share, nth)
$$;

-- Returns the sum of shares. Null if a share is below nothing.
CREATE FUNCTION "splits_sum"("shares" jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN bool_and((e.share ->> 'amount')::int >= 0) THEN sum((e.share ->> 'amount')::int) END
    FROM jsonb_array_elements("shares") AS e (share)
$$;

-- True if shares make an amount, if captures and refunds keep within them, and if operations under way have reserved as much of
-- the shares as of the payment. So a process of a version without shares can claim and settle no capture and no refund.
CREATE FUNCTION "splits_fit"("shares" jsonb, "whole" integer, "capturing" integer, "refunding" integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce("splits_sum"("shares") = "whole" AND sum(s."capturing") = "splits_fit"."capturing"
        AND sum(s."refunding") = "splits_fit"."refunding"
        AND bool_and(s."capturing" >= 0 AND s."captured" >= 0 AND s."refunding" >= 0
            AND s."captured" + s."capturing" <= s."amount"), false)
    FROM (
        SELECT (e.share ->> 'amount')::int AS "amount",
            coalesce((e.share ->> 'capturePendingAmount')::int, 0) AS "capturing",
            coalesce((e.share ->> 'capturedAmount')::int, 0) AS "captured",
            coalesce((e.share ->> 'refundPendingAmount')::int, 0) AS "refunding"
        FROM jsonb_array_elements("shares") AS e (share)
    ) s
$$;

-- True if the parts of a refund are of the captures that the refund is of, with the same amounts.
CREATE FUNCTION "splits_follow"("parts" jsonb, "allocated" jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(
        (SELECT jsonb_agg(jsonb_build_array(p.part -> 'operationId', p.part -> 'amount') ORDER BY p.nth)
            FROM jsonb_array_elements("parts") WITH ORDINALITY AS p (part, nth))
        = (SELECT jsonb_agg(jsonb_build_array(a.part -> 'operationId', a.part -> 'amount') ORDER BY a.nth)
            FROM jsonb_array_elements("allocated") WITH ORDINALITY AS a (part, nth)), false)
$$;

-- NOT VALID, because reading every row under this lock would stop payments. The next migration reads them.
ALTER TABLE "transaction"
    ADD CONSTRAINT "transaction_splits_check" CHECK (
        "splits" IS NULL OR "splits_fit"("splits", "amount", "capture_pending_amount", "refund_pending_amount")
    ) NOT VALID;

-- An operation that was made at the provider may exceed the shares.
ALTER TABLE "operation"
    ADD CONSTRAINT "operation_splits_check" CHECK (
        "splits" IS NULL OR ("kind" IN ('capture', 'refund') AND CASE
            WHEN "origin" = 'provider' THEN coalesce("splits_sum"("splits" -> 'shares') <= "amount", false)
            ELSE coalesce("splits_sum"("splits" -> 'shares') = "amount", false)
                AND ("kind" = 'capture' OR "splits_follow"("splits" -> 'captures', "refund_captures")) END)
    ) NOT VALID;
