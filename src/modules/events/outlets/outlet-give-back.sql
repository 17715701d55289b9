-- Ends the lease of an outlet, if it is the given one. Answers no row.
UPDATE outlet SET lease_until = clock_timestamp() WHERE name = @outlet::text AND lease = @lease::uuid
