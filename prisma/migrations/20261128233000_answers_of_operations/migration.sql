-- The outcome of an operation keeps what may change later of its answer. Until now the record of the idempotency key got a copy of both
-- rows, three kilobytes in a second version. Records from before keep their copy.
ALTER TABLE "operation" ADD COLUMN "answer" TEXT;
