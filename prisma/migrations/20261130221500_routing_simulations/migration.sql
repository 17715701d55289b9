-- CreateTable
CREATE TABLE "routing_simulation" (
    "merchant_account_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "version_id" UUID NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "sample" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "scanned" INTEGER NOT NULL DEFAULT 0,
    "place_at" TIMESTAMPTZ(3),
    "place_id" UUID,
    "tally" TEXT,
    "result" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "lease" UUID,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "routing_simulation_pkey" PRIMARY KEY ("merchant_account_id","id")
);

-- AddForeignKey
ALTER TABLE "routing_simulation" ADD CONSTRAINT "routing_simulation_merchant_account_id_version_id_fkey" FOREIGN KEY ("merchant_account_id", "version_id") REFERENCES "routing_rule_set_version"("merchant_account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what the models cannot say.

ALTER TABLE "routing_simulation"
    ADD CONSTRAINT "routing_simulation_range_check" CHECK ("from_at" < "to_at" AND "sample" BETWEEN 1 AND 100),
    ADD CONSTRAINT "routing_simulation_status_check" CHECK (
        "status" IN ('pending', 'running', 'succeeded', 'canceled', 'failed')
    ),
    ADD CONSTRAINT "routing_simulation_progress_check" CHECK (
        "scanned" >= 0 AND "failures" >= 0 AND ("place_at" IS NULL) = ("place_id" IS NULL)
    ),
    -- The counts so far name payments, so they go with the end of the work.
    ADD CONSTRAINT "routing_simulation_end_check" CHECK (
        ("status" IN ('pending', 'running')) = ("ended_at" IS NULL)
            AND ("ended_at" IS NULL OR "tally" IS NULL)
            AND ("status" = 'succeeded') = ("result" IS NOT NULL)
    );

-- The worker finds the next simulation.
CREATE INDEX "routing_simulation_unfinished_idx" ON "routing_simulation"("next_at")
    WHERE "status" IN ('pending', 'running');

-- The audit log shows each request, and its end.
CREATE TRIGGER "routing_simulation_audited" AFTER INSERT OR DELETE ON "routing_simulation"
    FOR EACH ROW EXECUTE FUNCTION "audit_change"('routing-simulation', 'routing-simulation', 'id', 'version_id,from_at,to_at,sample,status', '');
CREATE TRIGGER "routing_simulation_change_audited" AFTER UPDATE ON "routing_simulation"
    FOR EACH ROW WHEN (OLD."status" IS DISTINCT FROM NEW."status")
    EXECUTE FUNCTION "audit_change"('routing-simulation', 'routing-simulation', 'id', 'status,scanned', '');
