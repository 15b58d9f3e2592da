import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As CycloneDX writes it. */
export interface Bill {
  components: { name: string; version: string; licenses?: { license?: { id?: string }; expression?: string }[] }[];
}
export interface Lock {
  packages: Record<string, { version: string; dev?: boolean; optional?: boolean }>;
}

/** What is installed for the running shop: not what only tests need, nor what is for other platforms. */
export function packagesOfShop(root: string): Lock['packages'] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const isOfShop = ([path, it]: [string, Lock['packages'][string]]) =>
    path !== '' && !it.dev && (!it.optional || existsSync(join(root, path)));
  return Object.fromEntries(Object.entries(lock.packages).filter(isOfShop));
}

/**
 * By npm. Asked to omit what is for tests, it leaves out whatever they need, too, though the shop needs it as well: it is
 * asked of a project that has no tests.
 */
export function billOfMaterials(root: string): Bill {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, object>;
  const lock = read('package-lock.json');
  const { '': top, ...others } = lock['packages'] as Record<string, object>;
  const withoutTests = (it: object) => ({ ...it, devDependencies: {} });
  const known = packagesOfShop(root);
  const packages = Object.fromEntries(Object.entries(others).filter(([path]) => path in known));
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-bill-'));
  try {
    const write = (name: string, it: object) => writeFileSync(join(folder, name), JSON.stringify(it));
    write('package.json', withoutTests(read('package.json')));
    write('package-lock.json', { ...lock, packages: { '': withoutTests(top!), ...packages } });
    const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
    return JSON.parse(execFileSync('npm', words, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 })) as Bill;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packages by licence, the most frequent first. */
export function licencesOf({ components }: Bill): [string, string[]][] {
  const licenceOf = ({ licenses = [] }: Bill['components'][number]) =>
    licenses.map((it) => it.expression ?? it.license?.id ?? 'by its own words').join(', ') || 'none named';
  const byLicence = Map.groupBy(components, licenceOf);
  return Array.from(byLicence, ([licence, all]): [string, string[]] => [licence, all.map((it) => it.name)]).toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
}
