/**
 * `npm run audit`: prints the packages of the running shop, their licenses, and the vulnerabilities that the registry
 * knows. `-- FILE` writes the bill of materials (CycloneDX). Exits with 1 if a vulnerability is known or if the check
 * could not run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { billOfMaterials, licencesOf } from './bill-of-materials.ts';
import { knownVulnerabilities } from './known-holes.ts';

const root = join(import.meta.dirname, '..');
const { positionals } = parseArgs({ allowPositionals: true });
const bill = billOfMaterials(root);
if (positionals[0]) writeFileSync(positionals[0], JSON.stringify(bill, null, 2));
const print = (line: string) => process.stdout.write(`${line}\n`);
print(`${bill.components.length} packages in the running shop, on this platform`);
for (const [licence, names] of licencesOf(bill))
  print(`  ${licence}: ${names.length > 9 ? names.length : names.join(', ')}`);

const found = await knownVulnerabilities(root);
if ('problem' in found) {
  print(`The check for known vulnerabilities did not run: ${found.problem}`);
  print('Use a registry that supports npm audit: npm_config_registry=https://… npm run audit');
} else {
  print(found.holes.length === 0 ? 'No known vulnerabilities.' : `Known vulnerabilities: ${found.holes.length}`);
  for (const hole of found.holes) print(`  ${hole}`);
}
process.exitCode = 'holes' in found && found.holes.length === 0 ? 0 : 1;
