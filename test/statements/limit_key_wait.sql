SET LOCAL lock_timeout = 2000
