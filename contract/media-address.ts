/**
 * Where images and videos of the shop's content may be stored: on this site (/media/…) or on another site over https.
 * Pages load them only from there (shop/content/media-origins.ts), so an address that could not be shown is refused
 * when it is entered.
 */
export const isMediaAddress = (address: string): boolean =>
  isOwnPath(address) || findForeignOrigin(address) !== undefined;

/** A path on this site. `//elsewhere` and `/\elsewhere` lead to another site. */
export const isOwnPath = (address: string): boolean => /^\/(?![/\\])/.test(address);

/**
 * The https origin of an image on another site. Undefined for all other addresses, and for hosts that are not a plain
 * name.
 */
export function findForeignOrigin(address: string): string | undefined {
  const origin = URL.canParse(address) ? new URL(address).origin : '';
  return /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/.test(origin) ? origin : undefined;
}
