-- Takes the lease of an outlet, or lengthens it, up to @seconds from now by the clock of Postgres. Locks the
-- row of the outlet. Answers no row while another process has the lease.
INSERT INTO outlet AS o (name, lease, lease_until)
VALUES (@outlet::text, @lease::uuid, clock_timestamp() + make_interval(secs => @seconds::int))
ON CONFLICT (name) DO UPDATE SET lease = excluded.lease, lease_until = excluded.lease_until
WHERE o.lease = excluded.lease OR o.lease_until < clock_timestamp()
RETURNING o.name
