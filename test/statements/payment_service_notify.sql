SELECT pg_notify('paygraph_payment_service', '') IS NULL AS notified
