-- By hand: validates the checks under a lock that lets payments go on.
ALTER TABLE "transaction" VALIDATE CONSTRAINT "transaction_splits_check";
ALTER TABLE "operation" VALIDATE CONSTRAINT "operation_splits_check";
