-- Reads the hold of payments after a restore. Answers no row while payments go on as usual. Locks nothing.
SELECT (value::json ->> 'restored_to')::timestamptz AS "restoredTo",
  (value::json ->> 'payments_since')::timestamptz AS "paymentsSince", created_at AS "startedAt"
FROM installation_fact WHERE name = 'payments_held'
