-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "refund_captures" JSONB;

-- By hand from here: what the models cannot say.

-- Lists the captures of a payment, oldest first. The authorisation of a sale counts as its capture.
CREATE FUNCTION "captures_of"("account" text, "payment" uuid) RETURNS SETOF "operation" LANGUAGE sql VOLATILE AS $$
    SELECT o.* FROM "operation" o
    JOIN "transaction" t ON t."merchant_account_id" = o."merchant_account_id" AND t."id" = o."transaction_id"
    WHERE o."merchant_account_id" = "account" AND o."transaction_id" = "payment" AND o."status" = 'succeeded'
      AND (o."kind" = 'capture' OR (o."kind" = 'authorize' AND t."intent" = 'capture'
        AND t."anti_fraud_decision" IS DISTINCT FROM 'review'))
    ORDER BY o."id"
$$;

-- Allocates a new refund to the captures of its payment, oldest first. The caller has locked the payment. A volatile
-- function reads everything that was committed before the lock, even in a statement that waited for the lock.
--
-- A capture has left: its amount, minus its reversals, lost disputes and refunds. A refund counts unless it was refused.
-- A reversed refund keeps its first captures, so a partial reversal frees the last of them first.
-- Fails if the captures cannot carry the amount. The condition of the claim rules that out.
CREATE FUNCTION "allocate_refund"("account" text, "payment" uuid, "wanted" integer) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "parts" jsonb;
    "carried" integer;
BEGIN
    WITH part AS (
        SELECT (p.part ->> 'operationId')::uuid AS capture, (p.part ->> 'amount')::int AS amount,
            o."amount" - o."reversed_amount" AS kept,
            coalesce(sum((p.part ->> 'amount')::int) OVER (PARTITION BY o."id" ORDER BY p.nth
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
        FROM "operation" o CROSS JOIN LATERAL jsonb_array_elements(o."refund_captures") WITH ORDINALITY AS p (part, nth)
        WHERE o."merchant_account_id" = "account" AND o."transaction_id" = "payment" AND o."kind" = 'refund'
          AND o."status" IN ('pending', 'succeeded')),
    refunded AS (
        SELECT capture, sum(least(amount, greatest(kept - before, 0))) AS amount FROM part GROUP BY capture),
    lost AS (
        SELECT d."operation_id" AS capture, sum(d."lost_amount") AS amount FROM "dispute" d
        WHERE d."merchant_account_id" = "account" AND d."transaction_id" = "payment" AND d."lost_amount" > 0
        GROUP BY d."operation_id"),
    capture AS (
        SELECT c."id", coalesce(c."provider_key", c."id") AS key, c."provider_reference" AS reference,
            greatest(c."amount" - c."reversed_amount" - coalesce(r.amount, 0) - coalesce(l.amount, 0), 0) AS remaining
        FROM "captures_of"("account", "payment") c
        LEFT JOIN refunded r ON r.capture = c."id"
        LEFT JOIN lost l ON l.capture = c."id"),
    ordered AS (
        SELECT c.*, sum(c.remaining) OVER (ORDER BY c."id") - c.remaining AS before FROM capture c),
    allocated AS (
        SELECT o.*, least(o.remaining, "wanted" - o.before)::int AS amount FROM ordered o
        WHERE o.remaining > 0 AND o.before < "wanted")
    SELECT jsonb_agg(jsonb_build_object('operationId', a."id", 'key', a.key, 'reference', a.reference,
        'amount', a.amount) ORDER BY a."id"), sum(a.amount)
    INTO "parts", "carried" FROM allocated a;
    IF "carried" IS DISTINCT FROM "wanted" THEN
        RAISE EXCEPTION 'The captures of payment % carry % of a refund of %', "payment", coalesce("carried", 0), "wanted";
    END IF;
    RETURN "parts";
END
$$;

-- Returns the sum of the parts. Null if a part is less than 1.
CREATE FUNCTION "refund_captures_sum"("parts" jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN min((p.part ->> 'amount')::int) >= 1 THEN sum((p.part ->> 'amount')::int) END
    FROM jsonb_array_elements("parts") AS p (part)
$$;

-- Earlier refunds of the payment method come one after the other, and each takes up the captures in their order.
WITH refund AS (
    SELECT r."merchant_account_id", r."transaction_id", r."id", r."amount",
        coalesce(sum(CASE WHEN r."status" IN ('pending', 'succeeded') THEN r."amount" - r."reversed_amount" ELSE 0 END)
            OVER (PARTITION BY r."merchant_account_id", r."transaction_id" ORDER BY r."id"
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM "operation" r WHERE r."kind" = 'refund' AND r."redemption_id" IS NULL),
allocated AS (
    SELECT r."merchant_account_id", r."id", jsonb_agg(jsonb_build_object('operationId', c."id",
        'key', coalesce(c."provider_key", c."id"), 'reference', c."provider_reference",
        'amount', (least(c.upto, r.before + r."amount") - greatest(c.upto - c."amount", r.before))::int) ORDER BY c."id") AS parts
    FROM refund r CROSS JOIN LATERAL (
        SELECT o.*, sum(o."amount") OVER (ORDER BY o."id") AS upto
        FROM "captures_of"(r."merchant_account_id", r."transaction_id") o) c
    WHERE c.upto > r.before AND c.upto - c."amount" < r.before + r."amount"
    GROUP BY r."merchant_account_id", r."id")
UPDATE "operation" o SET "refund_captures" = a.parts FROM allocated a
WHERE o."merchant_account_id" = a."merchant_account_id" AND o."id" = a."id"
  AND "refund_captures_sum"(a.parts) = o."amount";

ALTER TABLE "operation"
    ADD CONSTRAINT "operation_refund_captures_check" CHECK (
        "refund_captures" IS NULL OR ("kind" = 'refund' AND "redemption_id" IS NULL
            AND coalesce("refund_captures_sum"("refund_captures") = "amount", false))
    );
