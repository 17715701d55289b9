-- Ends the lease of an outlet, if it is the given one. Answers no row. The column rounds to milliseconds, so
-- the end is a millisecond ago.
UPDATE outlet SET lease_until = clock_timestamp() - interval '1 millisecond'
WHERE name = @outlet::text AND lease = @lease::uuid
