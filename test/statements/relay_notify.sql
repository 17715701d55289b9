SELECT pg_notify('paygraph_event', '')
