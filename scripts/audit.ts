/**
 * `npm run audit`: prints the packages of the running shop, their licenses, the vulnerabilities that the registry
 * knows, and packages without a valid signature of the registry. `-- FILE` writes the bill of materials (CycloneDX).
 * Exits with 1 if a vulnerability is known, a signature is missing or wrong, or a check could not run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createBillOfMaterials, groupPackagesByLicense } from './bill-of-materials.ts';
import { findKnownVulnerabilities } from './known-vulnerabilities.ts';
import { findUnsignedPackages } from './package-signatures.ts';

const root = join(import.meta.dirname, '..');
const { positionals } = parseArgs({ allowPositionals: true });
const billOfMaterials = createBillOfMaterials(root);
if (positionals[0]) writeFileSync(positionals[0], JSON.stringify(billOfMaterials, null, 2));
const printLine = (line: string) => process.stdout.write(`${line}\n`);
printLine(`${billOfMaterials.components.length} packages in the running shop, on this platform`);
for (const [licence, names] of groupPackagesByLicense(billOfMaterials))
  printLine(`  ${licence}: ${names.length > 9 ? names.length : names.join(', ')}`);

const foundVulnerabilities = await findKnownVulnerabilities(root);
if ('problem' in foundVulnerabilities) {
  printLine(`The check for known vulnerabilities did not run: ${foundVulnerabilities.problem}`);
  printLine('Use a registry that supports npm audit: npm_config_registry=https://… npm run audit');
} else {
  printLine(
    foundVulnerabilities.holes.length === 0
      ? 'No known vulnerabilities.'
      : `Known vulnerabilities: ${foundVulnerabilities.holes.length}`,
  );
  for (const vulnerability of foundVulnerabilities.holes) printLine(`  ${vulnerability}`);
}
const signatureCheck = await findUnsignedPackages(root);
if ('problem' in signatureCheck) {
  printLine(`The check of signatures did not run: ${signatureCheck.problem}`);
  printLine('It needs the registry’s keys, which npm reads from tuf-repo-cdn.sigstore.dev.');
} else {
  printLine(
    signatureCheck.unsigned.length === 0
      ? 'All signatures are valid.'
      : `Not signed: ${signatureCheck.unsigned.length}`,
  );
  for (const line of signatureCheck.unsigned) printLine(`  ${line}`);
}
const isClean =
  'holes' in foundVulnerabilities &&
  foundVulnerabilities.holes.length === 0 &&
  'unsigned' in signatureCheck &&
  signatureCheck.unsigned.length === 0;
process.exitCode = isClean ? 0 : 1;
