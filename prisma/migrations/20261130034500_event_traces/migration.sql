-- The place in the trace of a change. Older events have none.
ALTER TABLE "event" ADD COLUMN "traceparent" TEXT;
