-- $1 person, $2 fields, $3 account
SELECT write_audit_entry(m.id, 'dashboard-sign-in.refused', 'dashboard-person', $1::text, NULL, $2::jsonb) IS NULL AS written
FROM merchant_account m WHERE m.id = $3
