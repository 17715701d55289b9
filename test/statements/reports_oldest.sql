SELECT created_at FROM report_pending ORDER BY position LIMIT 1
