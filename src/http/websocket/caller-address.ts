import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * Returns the address of a websocket's caller. Trusted proxies are passed over, from the nearest on, as Fastify does for
 * HTTP. Null for a connection that is gone.
 */
export function callerAddress(request: IncomingMessage, trustedProxies: readonly string[]): string | null {
  const { remoteAddress } = request.socket;
  if (remoteAddress === undefined) return null;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
  const named = forwarded.split(',').map((hop) => hop.trim());
  const hops = [remoteAddress, ...named.filter((hop) => hop !== '').toReversed()];
  const last = hops.at(-1) ?? null;
  return hops.find((hop) => !isTrusted(hop, trustedProxies)) ?? last;
}

function isTrusted(hop: string, proxies: readonly string[]): boolean {
  if (!ipaddr.isValid(hop)) return false;
  const address = ipaddr.process(hop);
  return proxies.some((proxy) => {
    const [network, bits] = proxy.includes('/')
      ? ipaddr.parseCIDR(proxy)
      : ([ipaddr.parse(proxy), proxy.includes(':') ? 128 : 32] as const);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}
