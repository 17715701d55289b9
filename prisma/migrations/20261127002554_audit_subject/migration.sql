-- By hand: entries by the subject of their actor, in upper or lower case. Entries of background work have none. A subject has
-- at most 255 characters, and the limit keeps any other text within the limit of an index.
CREATE INDEX "audit_entry_subject_idx" ON "audit_entry"
    ("merchant_account_id", lower(left("actor"::jsonb ->> 'subject', 255)), "id")
    WHERE "actor"::jsonb ->> 'subject' IS NOT NULL;
