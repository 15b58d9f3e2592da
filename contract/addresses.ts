import { tidyCanadianCode, tidyZip } from './tidy.ts';

/** Countries we ship to (specification 1, section 5). */
export const countries = [
  { code: 'US', name: 'United States' },
  { code: 'CA', name: 'Canada' },
] as const;
export type Country = (typeof countries)[number]['code'];

const parseRegions = (text: string) =>
  text.split(';').map((pair) => {
    const [value, label] = pair.split('=') as [string, string];
    return { value, label };
  });

const states = parseRegions(
  'AL=Alabama;AK=Alaska;AZ=Arizona;AR=Arkansas;CA=California;CO=Colorado;CT=Connecticut;DE=Delaware;DC=District of Columbia;FL=Florida;GA=Georgia;HI=Hawaii;ID=Idaho;IL=Illinois;IN=Indiana;IA=Iowa;KS=Kansas;KY=Kentucky;LA=Louisiana;ME=Maine;MD=Maryland;MA=Massachusetts;MI=Michigan;MN=Minnesota;MS=Mississippi;MO=Missouri;MT=Montana;NE=Nebraska;NV=Nevada;NH=New Hampshire;NJ=New Jersey;NM=New Mexico;NY=New York;NC=North Carolina;ND=North Dakota;OH=Ohio;OK=Oklahoma;OR=Oregon;PA=Pennsylvania;RI=Rhode Island;SC=South Carolina;SD=South Dakota;TN=Tennessee;TX=Texas;UT=Utah;VT=Vermont;VA=Virginia;WA=Washington;WV=West Virginia;WI=Wisconsin;WY=Wyoming;AS=American Samoa;GU=Guam;MP=Northern Mariana Islands;PR=Puerto Rico;VI=U.S. Virgin Islands;AA=Armed Forces Americas;AE=Armed Forces Europe;AP=Armed Forces Pacific',
);
const provincesByCode = parseRegions(
  'AB=Alberta;BC=British Columbia;MB=Manitoba;NB=New Brunswick;NL=Newfoundland and Labrador;NT=Northwest Territories;NS=Nova Scotia;NU=Nunavut;ON=Ontario;PE=Prince Edward Island;QC=Quebec;SK=Saskatchewan;YT=Yukon',
);

/** The address format of each country we ship to: labels, regions and postal codes. */
export const addressFormats = {
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
    tidyPostal: tidyZip,
  },
  CA: {
    regions: provincesByCode,
    regionLabel: 'Province or territory',
    regionMissing: 'Province or territory is required',
    chooseRegion: 'Choose a province or territory',
    postalLabel: 'Postal code',
    postalMissing: 'Postal code is required',
    // Canada Post does not use D, F, I, O, Q or U in any position, and not W or Z in the first.
    postalPattern: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d$/,
    postalWrong: 'Please enter a postal code like K1A 0B1',
    postalInputMode: 'text',
    tidyPostal: tidyCanadianCode,
  },
} as const satisfies Record<Country, unknown>;

export const findRegionName = (country: string, code: string) =>
  (country === 'CA' ? provincesByCode : states).find((it) => it.value === code)?.label ?? code;
