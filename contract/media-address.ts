/**
 * Where a picture or a film of the shop's content may lie: on this site (/media/…) or on another one, over https. Pages
 * load it from nowhere else (server/pages.ts), so what could never show is refused where it is entered.
 */
export const isMediaAddress = (address: string): boolean => isOwnPath(address) || foreignOrigin(address) !== undefined;

/** A path of this site. `//elsewhere` and `/\elsewhere` lead to another one. */
export const isOwnPath = (address: string): boolean => /^\/(?![/\\])/.test(address);

/** https://host of a picture on another site. Undefined for everything else, and for hosts that are no plain name. */
export function foreignOrigin(address: string): string | undefined {
  const origin = URL.canParse(address) ? new URL(address).origin : '';
  return /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/.test(origin) ? origin : undefined;
}
