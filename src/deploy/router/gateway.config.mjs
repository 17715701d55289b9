const FORWARDED = ['authorization', 'x-service-merchant-account-id', 'idempotency-key'];

/** The router of compose.yaml. src/docs/guides/federation.md explains each part. */
export const gatewayConfig = {
  supergraph: '/gateway/supergraph.graphql',
  // By default, the gateway sends subscriptions by GET. Paygraph takes POST.
  transportEntries: { '*.http': { options: { method: 'POST' } } },
  propagateHeaders: {
    fromClientToSubgraphs({ request }) {
      const headers = {
        'x-router-secret': process.env['PAYGRAPH_ROUTER_SECRET'] ?? '',
      };
      for (const name of FORWARDED) {
        const value = request.headers.get(name);
        if (value !== null) headers[name] = value;
      }
      return headers;
    },
  },
};
