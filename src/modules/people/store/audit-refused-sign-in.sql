-- Writes the entry of a refused sign-in in the audit log. Answers no row, and writes nothing, for an unknown
-- merchant account. IS NULL turns the void result of the function into a boolean.
SELECT write_audit_entry(m.id, 'dashboard-sign-in.refused', 'dashboard-person', @person::text, NULL,
  @fields::jsonb) IS NULL AS written
FROM merchant_account m WHERE m.id = @account::text
