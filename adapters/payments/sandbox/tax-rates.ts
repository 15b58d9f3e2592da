/**
 * A realistic table of the tax rates of states and provinces, without those of cities and counties. Not for filing
 * taxes.
 */

export interface TaxRate {
  percent: number;
  type: 'sales_tax' | 'gst' | 'hst' | 'pst' | 'qst' | 'rst';
  /** True if the state or province imposes the tax, false if the country does. */
  isRegional: boolean;
}
export interface TaxLocationRates {
  country: 'US' | 'CA';
  region: string;
  rates: TaxRate[];
}

const usPercent: Record<string, number> = Object.fromEntries(
  parsePairs(
    'AL=4 AK=0 AZ=5.6 AR=6.5 CA=7.25 CO=2.9 CT=6.35 DE=0 DC=6 FL=6 GA=4 HI=4 ID=6 IL=6.25 IN=7 IA=6 KS=6.5 KY=6 LA=5 ME=5.5 MD=6 MA=6.25 MI=6 MN=6.875 MS=7 MO=4.225 MT=0 NE=5.5 NV=6.85 NH=0 NJ=6.625 NM=4.875 NY=4 NC=4.75 ND=5 OH=5.75 OK=4.5 OR=0 PA=6 RI=7 SC=6 SD=4.2 TN=7 TX=6.25 UT=6.1 VT=6 VA=5.3 WA=6.5 WV=6 WI=5 WY=4 PR=10.5 VI=0 GU=0 AS=0 MP=0 AA=0 AE=0 AP=0',
  ).map(([state, percent]) => [state, Number(percent)]),
);

const gst: TaxRate = { percent: 5, type: 'gst', isRegional: false };
const createHstRate = (percent: number): TaxRate[] => [{ percent, type: 'hst', isRegional: true }];
const createRatesWithGst = (type: TaxRate['type'], percent: number): TaxRate[] => [
  gst,
  { percent, type, isRegional: true },
];
const caRates: Record<string, TaxRate[]> = {
  AB: [gst],
  BC: createRatesWithGst('pst', 7),
  MB: createRatesWithGst('rst', 7),
  NB: createHstRate(15),
  NL: createHstRate(15),
  NS: createHstRate(14),
  NT: [gst],
  NU: [gst],
  ON: createHstRate(13),
  PE: createHstRate(15),
  QC: createRatesWithGst('qst', 9.975),
  SK: createRatesWithGst('pst', 6),
  YT: [gst],
};

const provinceOfLetter: Record<string, string> = Object.fromEntries(
  parsePairs('A=NL B=NS C=PE E=NB G=QC H=QC J=QC K=ON L=ON M=ON N=ON P=ON R=MB S=SK T=AB V=BC X=NT Y=YT'),
);

/** The first three digits at which each state's range of ZIP codes starts. Ranges with `--` are not assigned. */
const stateByZipPrefix = parsePairs(
  '005=NY 006=PR 008=VI 009=PR 010=MA 028=RI 030=NH 039=ME 050=VT 055=MA 056=VT 060=CT 070=NJ 090=AE 100=NY 150=PA 197=DE 200=DC 201=VA 202=DC 206=MD 220=VA 247=WV 269=-- 270=NC 290=SC 300=GA 320=FL 340=AA 341=FL 350=AL 370=TN 386=MS 398=GA 400=KY 428=-- 430=OH 460=IN 480=MI 500=IA 530=WI 550=MN 569=DC 570=SD 580=ND 590=MT 600=IL 630=MO 660=KS 680=NE 700=LA 716=AR 730=OK 733=TX 734=OK 750=TX 800=CO 820=WY 832=ID 840=UT 850=AZ 870=NM 885=TX 889=NV 900=CA 962=AP 967=HI 969=GU 970=OR 980=WA 995=AK',
).map(([start, state]) => ({ start: Number(start), state }));

interface PartOfAddress {
  country?: string | null | undefined;
  state?: string | null | undefined;
  postal_code?: string | null | undefined;
}

/** Returns where an address is taxed: by its region, otherwise by its postal code. Undefined if neither is known. */
export function findTaxRates(address: PartOfAddress): TaxLocationRates | undefined {
  const givenState = address.state?.trim().toUpperCase() ?? '';
  const postalCode = address.postal_code?.trim().toUpperCase() ?? '';
  switch (address.country) {
    case 'US': {
      const region = givenState in usPercent ? givenState : stateOfZip(postalCode);
      const percent = usPercent[region ?? ''];
      if (region === undefined || percent === undefined) return undefined;
      return { country: 'US', region, rates: [{ percent, type: 'sales_tax', isRegional: true }] };
    }
    case 'CA': {
      const region = givenState in caRates ? givenState : provinceOfLetter[postalCode[0] ?? ''];
      const rates = caRates[region ?? ''];
      return region === undefined || !rates ? undefined : { country: 'CA', region, rates };
    }
    default:
      return undefined;
  }
}

function stateOfZip(zip: string): string | undefined {
  if (!/^\d{5}/.test(zip)) return undefined;
  const prefix = Number(zip.slice(0, 3));
  return stateByZipPrefix.findLast(({ start }) => start <= prefix)?.state;
}

function parsePairs(text: string): [string, string][] {
  return text.split(' ').map((pair) => pair.split('=') as [string, string]);
}
