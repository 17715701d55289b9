-- $1 account, $2 subject, $3 from, $4 to, $5 cursor, $6 actorId, $7 targetId, $8 action, $9 noun, $10 limit
SELECT e.id FROM audit_entry e
WHERE e.merchant_account_id = $1 AND e.actor::jsonb ->> 'subject' IS NOT NULL
  AND lower(left(e.actor::jsonb ->> 'subject', 255)) = lower($2::text)
  AND e.id BETWEEN $3::uuid AND $4::uuid
  AND ($5::uuid IS NULL OR e.id > $5::uuid)
  AND ($6::text IS NULL OR e.actor_id = $6::text)
  AND ($7::text IS NULL OR e.target_id = $7::text)
  AND ($8::text IS NULL OR e.action = $8::text)
  AND starts_with(e.action, $9::text)
ORDER BY e.id ASC LIMIT $10
