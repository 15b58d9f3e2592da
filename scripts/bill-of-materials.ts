import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A bill of materials in the CycloneDX format. */
export interface BillOfMaterials {
  components: { name: string; version: string; licenses?: { license?: { id?: string }; expression?: string }[] }[];
}
export interface PackageLock {
  packages: Record<string, { version: string; dev?: boolean; optional?: boolean }>;
}

/** The packages that the running shop uses: without test-only packages and packages for other platforms. */
export function listShopPackages(root: string): PackageLock['packages'] {
  const packageLock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as PackageLock;
  const isOfShop = ([path, it]: [string, PackageLock['packages'][string]]) =>
    path !== '' && !it.dev && (!it.optional || existsSync(join(root, path)));
  return Object.fromEntries(Object.entries(packageLock.packages).filter(isOfShop));
}

/**
 * Creates the bill of materials with npm. With its option to omit dev dependencies, npm also omits packages that both
 * tests and the shop need. So it runs on a copy of the project without dev dependencies.
 */
export function createBillOfMaterials(root: string): BillOfMaterials {
  const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, object>;
  const packageLock = readJson('package-lock.json');
  const { '': top, ...others } = packageLock['packages'] as Record<string, object>;
  const removeDevDependencies = (it: object) => ({ ...it, devDependencies: {} });
  const knownShopPackages = listShopPackages(root);
  const packages = Object.fromEntries(Object.entries(others).filter(([path]) => path in knownShopPackages));
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bill-'));
  try {
    const writeJson = (name: string, it: object) => writeFileSync(join(folder, name), JSON.stringify(it));
    writeJson('package.json', removeDevDependencies(readJson('package.json')));
    writeJson('package-lock.json', { ...packageLock, packages: { '': removeDevDependencies(top!), ...packages } });
    const npmArgs = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
    return JSON.parse(
      execFileSync('npm', npmArgs, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 }),
    ) as BillOfMaterials;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packages grouped by license, the most frequent license first. */
export function groupPackagesByLicense({ components }: BillOfMaterials): [string, string[]][] {
  const formatLicense = ({ licenses = [] }: BillOfMaterials['components'][number]) =>
    licenses.map((it) => it.expression ?? it.license?.id ?? 'by its own words').join(', ') || 'none named';
  const componentsByLicence = Map.groupBy(components, formatLicense);
  return Array.from(componentsByLicence, ([licence, all]): [string, string[]] => [
    licence,
    all.map((it) => it.name),
  ]).toSorted(([, a], [, b]) => b.length - a.length);
}
