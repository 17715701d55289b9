-- $1 now
UPDATE export SET status = 'expired' WHERE status = 'succeeded' AND expires_at <= $1
