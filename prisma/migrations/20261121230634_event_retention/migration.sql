-- CreateIndex
CREATE INDEX "delivery_position_idx" ON "delivery"("position");

-- By hand from here: what the models cannot say.

-- Events stay as they were written, until the retention removes them: its transactions say so with
-- SET LOCAL paygraph.retention = 'on'. They are never changed, and never all removed at once.
CREATE FUNCTION "refuse_event_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('paygraph.retention', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END
$$;

DROP TRIGGER "event_append_only" ON "event";
CREATE TRIGGER "event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "event"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_event_change"();
