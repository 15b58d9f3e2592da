import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseImportNames, readImports, type Import } from './imports.ts';
import {
  contractIsImportedByName,
  filesHaveOnePath,
  foldersHaveNoCycle,
  layersPointDown,
  modulesFollowOrder,
  modulesHaveNoCycle,
  sharedFilesImportNoModule,
  tablesArePrivate,
} from './import-rules.ts';

const root = join(import.meta.dirname, '..');

/** The order of modules, lowest first: the numbered list of decision 75. */
const moduleGroups = Array.from(
  readFileSync(join(root, 'docs/decisions/0075-words.md'), 'utf8').matchAll(/^\d+\. (.+)$/gm),
  ([, names]) => names!.split(', '),
);

/** Writes a small graph as lines of `file -> import`. */
const parseGraph = (...lines: string[]): Import[] =>
  lines.map((line) => {
    const [file, name] = line.split(' -> ') as [string, string];
    return { file, name };
  });

describe('imports in the repository', () => {
  const { files, imports } = readImports(root);

  test('reads the imports of all folders of the repository', () => {
    expect(files.length).toBeGreaterThan(1000);
    for (const folder of ['adapters', 'contract', 'server', 'shop', 'web'])
      expect(imports.filter(({ file }) => file.startsWith(`${folder}/`)).length, folder).toBeGreaterThan(200);
  });

  test.each([
    ['layers import only lower layers', layersPointDown],
    ['contract/ is imported as #contract/ by pages and by its own folders', contractIsImportedByName],
    ["a module's tables are private", tablesArePrivate],
    ['files shared by all modules of shop/ do not import a module', sharedFilesImportNoModule],
    ['modules of shop/ import only modules of earlier lines of decision 75', modulesFollowOrder(moduleGroups)],
    ['modules of shop/ do not import each other in a cycle', modulesHaveNoCycle],
    ['folders do not import each other in a cycle', foldersHaveNoCycle],
    ['imports name each file by one path, because another spelling would load it a second time', filesHaveOnePath],
  ])('keeps the rule: %s', (_title, rule) => {
    expect(rule(imports)).toEqual([]);
  });

  test('decision 75 lists every module of shop/ once', () => {
    const modules = globSync('shop/*/', { cwd: root })
      .map((path) => basename(path))
      .filter((module) => module !== 'ports');
    expect(moduleGroups.flat().toSorted()).toEqual(modules.toSorted());
  });

  test('decision 75 lists payments below orders', () => {
    const lineOf = (module: string) => moduleGroups.findIndex((names) => names.includes(module));
    expect(lineOf('payments')).toBeLessThan(lineOf('orders'));
  });
});

test.each([
  ['a default import', "import a from './a.ts';", './a.ts'],
  ['an import over several lines', "import {\n  a,\n  b,\n} from '#shop/a.ts';", '#shop/a.ts'],
  ['an import of a type', "import type { A } from './a.ts';", './a.ts'],
  ['an import for its effect', "import './a.css';", './a.css'],
  ['a re-export', "export { a } from './a.ts';", './a.ts'],
  ['a re-export of everything', "export * from './a.ts';", './a.ts'],
  ['a dynamic import', "const a = await import('./a.ts');", './a.ts'],
  ['the type of a module', "type A = typeof import('./a.ts');", './a.ts'],
])('finds the path in %s', (_kind, source, name) => {
  expect(parseImportNames('shop/orders/orders.ts', source)).toEqual([name]);
});

describe('forbidden imports', () => {
  test.each([
    'contract/orders.ts -> #shop/ports/clock.ts',
    'contract/orders.test.ts -> #test/shop.ts',
    'contract/orders.ts -> node:fs',
    'shop/orders/orders.ts -> #adapters/database/database.ts',
    'shop/orders/orders.ts -> ../../server/app.ts',
    'shop/orders/orders.ts -> stripe',
    'shop/orders/orders.ts -> #test/shop.ts',
    'shop/columns.ts -> fastify',
    'adapters/mail/smtp.ts -> #shop/orders/orders.ts',
    'adapters/mail/smtp.ts -> #shop/columns.ts',
    'adapters/mail/smtp.ts -> ../../server/app.ts',
    'server/app.ts -> ../web/router.tsx',
    'server/app.ts -> #test/shop.ts',
    'web/home.tsx -> #shop/orders/orders.ts',
    'web/home.tsx -> ../server/app.ts',
  ])('refuses %s, because layers import only lower layers', (line) => {
    expect(layersPointDown(parseGraph(line))).toHaveLength(1);
  });

  test.each(['contract/owner/orders.ts -> ../lists.ts', 'web/home.tsx -> ../contract/catalog.ts'])(
    'refuses %s, because contract/ is imported as #contract/',
    (line) => {
      expect(contractIsImportedByName(parseGraph(line))).toHaveLength(1);
    },
  );

  test.each([
    'shop/orders/orders.ts -> ../frames/frames.sql.ts',
    'shop/orders/orders.ts -> #shop/frames/frames.sql.ts',
    'server/http/orders.ts -> #shop/orders/orders.sql.ts',
  ])('refuses %s, because tables are private', (line) => {
    expect(tablesArePrivate(parseGraph(line))).toHaveLength(1);
  });

  test('refuses shop/columns.ts -> ./orders/orders.ts, because all modules share the file', () => {
    expect(sharedFilesImportNoModule(parseGraph('shop/columns.ts -> ./orders/orders.ts'))).toHaveLength(1);
  });

  test.each([
    ['a module of a later line', 'shop/payments/payments.ts -> ../orders/orders.ts'],
    ['a module of the same line', 'shop/payments/payments.ts -> ../support/support.ts'],
    ['a type of a later line, by another path', 'shop/payments/payments.ts -> #shop/orders/orders.ts'],
    ['a module that is not in the list', 'shop/orders/orders.ts -> ../loyalty/points.ts'],
    ['an import by a module that is not in the list', 'shop/loyalty/points.ts -> ../orders/orders.ts'],
  ])('refuses %s, because the order of modules forbids it', (_kind, line) => {
    expect(modulesFollowOrder([['payments', 'support'], ['orders']])(parseGraph(line))).toHaveLength(1);
  });

  test('refuses a cycle of folders, and names its imports', () => {
    const cycle = ['server/http/a.ts -> ../jobs/b.ts', 'server/jobs/b.ts -> #adapters/c.ts', 'adapters/c.ts -> x'];
    expect(foldersHaveNoCycle(parseGraph(...cycle))).toEqual([]);
    expect(foldersHaveNoCycle(parseGraph(...cycle, 'adapters/c.ts -> #server/http/a.ts'))).toEqual([
      'server/http/a.ts imports ../jobs/b.ts',
      'server/jobs/b.ts imports #adapters/c.ts',
      'adapters/c.ts imports #server/http/a.ts',
    ]);
  });

  test('refuses a cycle of modules, even through different files', () => {
    const cycle = ['shop/a/one.ts -> ../b/one.ts', 'shop/b/two.ts -> ../a/two.ts'];
    expect(modulesHaveNoCycle(parseGraph(...cycle))).toHaveLength(2);
  });

  test.each(['#shop//orders/orders.ts', '../orders//orders.ts', './../orders/orders.ts', '../shop/./orders.ts'])(
    'refuses the path %s, because the file has a shorter path',
    (name) => {
      expect(filesHaveOnePath([{ file: 'shop/frames/frames.ts', name }])).toHaveLength(1);
    },
  );
});

test('the rules allow importing lower layers and modules, and tables for foreign keys; tests may import anything', () => {
  const allowedImports = parseGraph(
    'shop/orders/orders.ts -> #contract/catalog.ts',
    'shop/orders/orders.ts -> ../payments/payments.ts',
    'shop/orders/orders.ts -> ../ports/clock.ts',
    'shop/orders/orders.ts -> ../columns.ts',
    'shop/orders/orders.ts -> drizzle-orm',
    'shop/orders/orders.sql.ts -> ../payments/payments.sql.ts',
    'shop/payments/payments.test.ts -> ../orders/orders.sql.ts',
    'adapters/mail/smtp.ts -> #shop/ports/mailer.ts',
    'adapters/mail/smtp.ts -> nodemailer',
    'server/app.ts -> #shop/orders/orders.ts',
    'web/home.tsx -> #contract/catalog.ts',
    'web/home.tsx -> ./ui/button.tsx',
  );
  const importRules = [
    layersPointDown,
    contractIsImportedByName,
    tablesArePrivate,
    sharedFilesImportNoModule,
    modulesFollowOrder([['payments'], ['orders']]),
    modulesHaveNoCycle,
    foldersHaveNoCycle,
    filesHaveOnePath,
  ];
  expect(importRules.flatMap((rule) => rule(allowedImports))).toEqual([]);
});

/** The linter shows the same mistakes in the editor. It checks copies of its settings in a temporary folder. */
describe('the linter', () => {
  /** Imports that violate the layering or a module boundary, and the linter's message. */
  const wrongImports = [
    ['contract', '#shop/ports/clock.ts', 'contract/ may not import from other layers'],
    ['shop/orders', '#adapters/database/database.ts', 'shop/ may import ports'],
    ['shop/orders', 'stripe', 'shop/ may not use HTTP'],
    ['shop/orders', '../frames/frames.sql.ts', "A module's tables are private"],
    ['adapters/mail', '#shop/orders/orders.ts', 'adapters/ may import ports'],
    ['server', '../web/router.tsx', 'server/ gets the built pages'],
    ['web', '#shop/orders/orders.ts', 'web/ may import only from contract/'],
    ['web', '../server/app.ts', 'web/ may import only from contract/'],
  ] as const;
  /** Date code that depends on the local clock or time zone. */
  const wrongDates = [
    'new Date().toLocaleDateString()',
    "new Date().toLocaleString('en-US')",
    'new Date().toLocaleTimeString()',
    'new Intl.DateTimeFormat()',
    'new Date().getDate()',
    'new Date().getFullYear()',
  ];
  const createImportingCode = (from: string) => `import * as all from '${from}';\n\nexport const used = all;\n`;
  const files = {
    ...Object.fromEntries(
      wrongImports.map(([folder, from], at) => [`${folder}/import-${at}.ts`, createImportingCode(from)]),
    ),
    ...Object.fromEntries(wrongDates.map((date, at) => [`web/date-${at}.ts`, `export const date = ${date};\n`])),
    'shop/orders/right.ts': createImportingCode('#contract/catalog.ts'),
  };
  let folder: string;
  let report: { filename: string; message: string; help?: string }[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kinframe-lint-'));
    const settings = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as object;
    // The rules about types need the project's packages. No rule that is tested here does.
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...settings, options: { typeAware: false } }));
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), source);
    }
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
    const output = await new Promise<string>((resolve) =>
      execFile(process.execPath, [oxlint, '--format', 'json'], { cwd: folder }, (_error, stdout) => resolve(stdout)),
    );
    report = (JSON.parse(output) as { diagnostics: typeof report }).diagnostics;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const findProblemsOf = (path: string) =>
    report
      .filter((it) => it.filename.endsWith(path))
      .map((it) => `${it.message} ${it.help ?? ''}`)
      .join('\n');

  test.each(wrongImports.map((it, at) => [...it, at] as const))(
    'refuses in %s an import of %s',
    (path, _from, text, at) => {
      expect(findProblemsOf(`${path}/import-${at}.ts`)).toContain(text);
    },
  );

  test.each(wrongDates.map((date, at) => [date, at] as const))('refuses %s in a page', (_date, at) => {
    expect(findProblemsOf(`web/date-${at}.ts`)).toContain('contract/calendar.ts');
  });

  test('allows imports from a lower layer', () => {
    expect(findProblemsOf('shop/orders/right.ts')).toBe('');
  });
});
