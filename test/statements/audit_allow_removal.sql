SELECT set_config('paygraph.retention', 'on', true)
