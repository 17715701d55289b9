-- AlterTable
ALTER TABLE "dispute" ADD COLUMN     "decided_stage" TEXT;

-- Only a decision books a loss. With a loss and no end, the stage before decided.
UPDATE "dispute" SET "decided_stage" = CASE
  WHEN "status" IN ('won', 'lost', 'accepted') THEN "stage"
  WHEN "lost_amount" > 0 AND "stage" = 'pre_arbitration' THEN 'chargeback'
  WHEN "lost_amount" > 0 THEN 'inquiry'
END;

ALTER TABLE "dispute"
    ADD CONSTRAINT "dispute_decided_check" CHECK (
        CASE WHEN "decided_stage" IS NULL THEN "lost_amount" = 0
        ELSE "decided_stage" IN ('inquiry', 'chargeback', 'pre_arbitration') END
    );
