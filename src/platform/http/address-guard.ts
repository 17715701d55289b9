import ipaddr from 'ipaddr.js';
import { OperatorError } from '../operator-error.ts';

/** A guard that decides which addresses an outbound request may reach. */
export type AddressGuard = {
  /** Returns true if a literal IPv4 or IPv6 address may be reached. False for any other text. */
  permits(address: string): boolean;
};

/** The machine itself. The sandbox allows it for local listeners. */
export const SANDBOX_NETWORKS: readonly string[] = ['127.0.0.0/8', '::1/128'];

/**
 * Creates a guard that permits only public unicast addresses and the given networks (CIDR). Throws an OperatorError for
 * a network in another form. An IPv4 network does not permit the IPv6 forms of its addresses.
 */
export function createAddressGuard(allowedNetworks: readonly string[]): AddressGuard {
  const allowed = allowedNetworks.map(parseNetwork);
  const denied = ALWAYS_DENIED.map(parseNetwork);
  return {
    permits: (text) => {
      if (!ipaddr.isValid(text)) return false;
      const address = ipaddr.parse(text);
      if (allowed.some((network) => contains(network, address))) return true;
      return isPublic(address) && !denied.some((network) => contains(network, address));
    },
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** The metadata and DNS service of Azure has an address outside the private ranges. */
const ALWAYS_DENIED = ['168.63.129.16/32'];

/** The only range of global IPv6 addresses. The range excludes embedded IPv4 addresses, such as `::7f00:1`. */
const GLOBAL_IPV6: Network = ipaddr.parseCIDR('2000::/3');

const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address));

// The library throws when the kinds differ.
const contains = ([base, bits]: Network, address: Address): boolean =>
  base.kind() === address.kind() && address.match(base, bits);

function parseNetwork(text: string): Network {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  throw new OperatorError(
    'PAYGRAPH_ALLOWED_NETWORKS holds an invalid network. Write each network as address/bits, such as 10.0.0.0/8.',
  );
}
