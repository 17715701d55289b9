SELECT date_trunc('milliseconds', clock_timestamp()) AS now
