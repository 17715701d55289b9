import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/**
 * Returns an address of IPv4, or the /64 network of an address of IPv6 as its first four groups. One household or server has
 * a whole such network. Returns any other text unchanged.
 */
export function networkOf(address: string): string {
  const known = networks.get(address);
  if (known !== undefined) return known;
  const network = readNetwork(address);
  networks.set(address, network);
  return network;
}

/** The networks of the latest callers. Each request asks for one. */
const networks = new LRUCache<string, string>({ max: 10_000 });

function readNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}
