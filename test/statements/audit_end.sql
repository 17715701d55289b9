SELECT coalesce(max(position), 0) AS end FROM event
