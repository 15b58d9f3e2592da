/**
 * What advertisers, mailers and social networks hang on an address to know where a visit came from. No page reads them, so
 * none needs rendering for them; the browser's own address keeps them.
 */
const known = new Set(
  `gclid gclsrc gbraid wbraid dclid gad_source gad_campaignid srsltid _ga _gl
  fbclid igshid igsh msclkid ttclid twclid li_fat_id epik rdt_cid sccid yclid
  mc_cid mc_eid mkt_tok _hsenc _hsmi _kx vero_id irclickid wickedid`.split(/\s+/),
);

const isOfOrigin = (name: string) => known.has(name) || name.startsWith('utm_');

/** Whether this part of an address, after its question mark, may make another page of it. */
export const changesPage = (search: string): boolean =>
  [...new URLSearchParams(search).keys()].some((name) => !isOfOrigin(name.toLowerCase()));
