import ipaddr from 'ipaddr.js';

/**
 * Returns the network for which a rate limit counts the requests of an IP address. For IPv4 it is the address itself,
 * also when it is mapped into IPv6. For IPv6 it is the /64, because one home or phone gets a whole /64.
 */
export function toNetworkPrefix(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsedAddress = ipaddr.process(address);
  if (!(parsedAddress instanceof ipaddr.IPv6)) return parsedAddress.toString();
  return `${parsedAddress.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
