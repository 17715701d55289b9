ALTER TABLE "report_bucket" VALIDATE CONSTRAINT "report_bucket_dimension_check";
