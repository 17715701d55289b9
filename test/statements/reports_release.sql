SELECT pg_advisory_unlock(7020584530100317) AS released
