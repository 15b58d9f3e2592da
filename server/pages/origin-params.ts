/**
 * Query parameters that advertisers, mail services and social networks add to an address, to track where a visit comes
 * from. No page reads them, so a page with them is served from the cache. They stay in the address bar.
 */
const originParams = new Set(
  `gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid _ga _gl
  fbclid igshid igsh msclkid ttclid twclid li_fat_id epik rdt_cid sccid yclid
  mc_cid mc_eid mkt_tok _hsenc _hsmi _kx vero_id irclickid wickedid`.split(/\s+/),
);

const isOfOrigin = (name: string) => originParams.has(name) || name.startsWith('utm_');

/** Whether this query string may change the page. */
export const doesQueryChangePage = (search: string): boolean =>
  [...new URLSearchParams(search).keys()].some((name) => !isOfOrigin(name.toLowerCase()));
