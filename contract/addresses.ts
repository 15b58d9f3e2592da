/** Countries we ship to (specification 1, section 5). */
export const countries = [
  { code: 'US', name: 'United States' },
  { code: 'CA', name: 'Canada' },
] as const;
export type Country = (typeof countries)[number]['code'];

const list = (text: string) =>
  text.split(';').map((pair) => {
    const [value, label] = pair.split('=') as [string, string];
    return { value, label };
  });

const states = list(
  'AL=Alabama;AK=Alaska;AZ=Arizona;AR=Arkansas;CA=California;CO=Colorado;CT=Connecticut;DE=Delaware;DC=District of Columbia;FL=Florida;GA=Georgia;HI=Hawaii;ID=Idaho;IL=Illinois;IN=Indiana;IA=Iowa;KS=Kansas;KY=Kentucky;LA=Louisiana;ME=Maine;MD=Maryland;MA=Massachusetts;MI=Michigan;MN=Minnesota;MS=Mississippi;MO=Missouri;MT=Montana;NE=Nebraska;NV=Nevada;NH=New Hampshire;NJ=New Jersey;NM=New Mexico;NY=New York;NC=North Carolina;ND=North Dakota;OH=Ohio;OK=Oklahoma;OR=Oregon;PA=Pennsylvania;RI=Rhode Island;SC=South Carolina;SD=South Dakota;TN=Tennessee;TX=Texas;UT=Utah;VT=Vermont;VA=Virginia;WA=Washington;WV=West Virginia;WI=Wisconsin;WY=Wyoming;AS=American Samoa;GU=Guam;MP=Northern Mariana Islands;PR=Puerto Rico;VI=U.S. Virgin Islands;AA=Armed Forces Americas;AE=Armed Forces Europe;AP=Armed Forces Pacific',
);
const provinces = list(
  'AB=Alberta;BC=British Columbia;MB=Manitoba;NB=New Brunswick;NL=Newfoundland and Labrador;NT=Northwest Territories;NS=Nova Scotia;NU=Nunavut;ON=Ontario;PE=Prince Edward Island;QC=Quebec;SK=Saskatchewan;YT=Yukon',
);

/** How an address is written in each country we ship to: its words, its regions, its postal codes. */
export const addressStyles = {
  US: {
    regions: states,
    regionLabel: 'State',
    regionMissing: 'State is required',
    chooseRegion: 'Choose a state',
    postalLabel: 'ZIP code',
    postalMissing: 'ZIP code is required',
    postalPattern: /^\d{5}(-\d{4})?$/,
    postalWrong: 'Please enter a ZIP code like 10001 or 10001-2345',
    postalInputMode: 'numeric',
    tidyPostal: (text: string) => text.trim(),
  },
  CA: {
    regions: provinces,
    regionLabel: 'Province or territory',
    regionMissing: 'Province or territory is required',
    chooseRegion: 'Choose a province or territory',
    postalLabel: 'Postal code',
    postalMissing: 'Postal code is required',
    // Canada Post uses no D, F, I, O, Q or U, and no W or Z first.
    postalPattern: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d$/,
    postalWrong: 'Please enter a postal code like K1A 0B1',
    postalInputMode: 'text',
    tidyPostal: (text: string) =>
      text
        .toUpperCase()
        .replaceAll(/[\s-]/g, '')
        .replace(/^(.{3})(.{3})$/, '$1 $2'),
  },
} as const satisfies Record<Country, unknown>;

export const regionName = (country: string, code: string) =>
  (country === 'CA' ? provinces : states).find((it) => it.value === code)?.label ?? code;
