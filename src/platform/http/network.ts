import ipaddr from 'ipaddr.js';

/**
 * Returns an address of IPv4, or the /64 network of an address of IPv6 as its first four groups. One household or server has
 * a whole such network. Returns any other text unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}
