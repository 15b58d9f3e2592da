import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A URL from outside names an address that is not on the public network. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddress';
}

/**
 * Whether the host of a URL may be on the public network. An IP address in a URL is not looked up by DNS, so it is
 * checked here. `lookUpPublicAddress` checks all other hosts.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replaceAll(/[[\]]/g, '');
  return !ipaddr.isValid(host) || isPublic(host);
}

const isPublic = (host: string) => ipaddr.process(host).range() === 'unicast';

/**
 * A DNS lookup that refuses addresses on private networks with `PrivateAddressError`. The connection itself uses it, so the
 * checked address is the one that is connected to.
 */
export const lookUpPublicAddress: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '');
    if (found.some(({ address }) => !isPublic(address)))
      return callback(new PrivateAddressError('the host is on a private network'), '');
    if (options.all) return callback(null, found);
    return callback(null, found[0]!.address, found[0]!.family);
  });
