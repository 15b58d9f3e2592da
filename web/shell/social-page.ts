/**
 * Whether an address leads to the shop's own page on a social network. Earlier releases stored the front pages of the
 * networks in the settings, and these must not be linked.
 */
export function isShopsSocialPage(address: string | undefined): boolean {
  return (
    /^https?:\/\/[^/?#]+\/[^?#]*[^/?#]/i.test(address ?? '') || /^https?:\/\/[^/?#]+\/?\?[^#]/i.test(address ?? '')
  );
}
