-- An older refusal counts by the values that its payment has now. So sums from before may differ from their facts. Once after this
-- migration, `paygraph rebuild-reports` names such sums, and `paygraph rebuild-reports --write` mends them.

-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "report_values" JSONB;
