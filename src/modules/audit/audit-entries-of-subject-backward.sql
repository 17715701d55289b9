-- Reads the ids of the entries of an actor's subject, oldest first from the cursor, up to the limit.
-- The expressions of the subject are those of the index. A null value or an empty prefix is no condition.
SELECT e.id FROM audit_entry e
WHERE e.merchant_account_id = @account::text AND e.actor::jsonb ->> 'subject' IS NOT NULL
  AND lower(left(e.actor::jsonb ->> 'subject', 255)) = lower(@subject::text)
  AND e.id BETWEEN @from::uuid AND @to::uuid AND (@cursor::uuid IS NULL OR e.id > @cursor::uuid)
  AND (@actorId::text IS NULL OR e.actor_id = @actorId::text)
  AND (@targetId::text IS NULL OR e.target_id = @targetId::text)
  AND (@action::text IS NULL OR e.action = @action::text) AND starts_with(e.action, @noun::text)
ORDER BY e.id ASC LIMIT @limit::bigint
