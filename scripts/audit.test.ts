import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createBillOfMaterials, groupPackagesByLicense, listShopPackages } from './bill-of-materials.ts';
import { findKnownVulnerabilities } from './known-vulnerabilities.ts';
import { findUnsignedPackages } from './package-signatures.ts';

const root = join(import.meta.dirname, '..');
const noticeOnlyPattern =
  /^\(?(MIT|MIT-0|Apache-2\.0|ISC|BSD-\dClause|BSD-\d-Clause|BlueOak-1\.0\.0|0BSD|Unlicense|Python-2\.0|MIT OR [\w.-]+)\)?$/;

test('the bill of materials lists every package, and the docs name each license that needs more than a notice', () => {
  const billOfMaterials = createBillOfMaterials(root);
  const listedPackages = new Set(billOfMaterials.components.map((it) => `${it.name}@${it.version}`));
  const names = Object.entries(listShopPackages(root)).map(
    ([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`,
  );
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter((it) => !listedPackages.has(it))).toEqual([]);

  const dependenciesPage = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  const packagesWithDuties = groupPackagesByLicense(billOfMaterials).flatMap(([licence, all]) =>
    noticeOnlyPattern.test(licence) ? [] : all,
  );
  const isNamed = (name: string) => dependenciesPage.includes(`\`${name.replace(/-(linux|darwin|win32)-.*$/, '')}`);
  expect(packagesWithDuties.filter((it) => !isNamed(it))).toEqual([]);
});

test.each([
  ['knows none', 200, () => ({}), { holes: [] }],
  [
    'knows one',
    200,
    () => ({
      fastify: [{ id: 1, url: 'https://x', title: 'a hole', severity: 'high', vulnerable_versions: '*' }],
    }),
    { holes: [expect.stringMatching(/^fastify .*: high$/)] },
  ],
  ['refuses', 405, () => ({}), { problem: expect.stringContaining('405') }],
])('reports the vulnerabilities or the error of a registry that %s', async (_name, status, answer, said) => {
  const registry = createServer(({ method }, reply) =>
    reply.writeHead(method === 'POST' ? status : 404).end(JSON.stringify(answer())),
  );
  onTestFinished(() => void registry.close());
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  const { port } = registry.address() as AddressInfo;
  const foundVulnerabilities = await findKnownVulnerabilities(root, {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}`,
    npm_config_fetch_retries: '0',
    npm_config_audit: 'true',
  });
  expect(
    'holes' in foundVulnerabilities && foundVulnerabilities.holes.length > 1
      ? { holes: foundVulnerabilities.holes.slice(0, 1) }
      : foundVulnerabilities,
  ).toEqual(said);
});

test.each([
  ['valid signatures', { invalid: [], missing: [] }, 0, { unsigned: [] }],
  [
    'a wrong and a missing signature',
    { invalid: [{ name: 'fastify', version: '5.0.0' }], missing: [{ name: 'zod', version: '4.0.0' }] },
    1,
    { unsigned: ['fastify 5.0.0: invalid signature', 'zod 4.0.0: no signature'] },
  ],
  ['an error', { error: { code: 'ENOTFOUND', summary: 'no keys' } }, 1, { problem: 'no keys' }],
  ['no answer', '', 1, { problem: 'npm audit signatures gave no answer' }],
])('reports %s of npm audit signatures', async (_name, answer, status, said) => {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // npm reads the registry's keys from the internet, so a program with its output takes its place.
  const npmScript = `#!/bin/sh\n[ "$1 $2" = 'audit signatures' ] && echo '${JSON.stringify(answer)}'\nexit ${status}\n`;
  writeFileSync(join(folder, 'npm'), npmScript, { mode: 0o755 });
  const foundUnsignedPackages = await findUnsignedPackages(root, {
    ...process.env,
    PATH: `${folder}:${process.env['PATH']}`,
  });
  expect(foundUnsignedPackages).toEqual(said);
});
