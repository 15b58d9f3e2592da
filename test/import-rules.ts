import { dirname, normalize } from 'node:path';
import { findImportedFile, type Import } from './imports.ts';

/** Returns the violations of a rule, one line each. */
type Rule = (imports: readonly Import[]) => string[];

const isTest = (file: string) => /\.test\.tsx?$|^adapters\/.*(\.suite\.ts$|\/test-)/.test(file);
const isTablesFile = (file: string) => file.endsWith('.sql.ts');
const describeImport = ({ file, name }: Import) => `${file} imports ${name}`;

interface Layer {
  /** The folders that the layer may import. */
  mayImport: string[];
  /** Packages that the layer may not import. */
  mayNotUse?: RegExp;
  /** True if the rule also applies to the layer's tests. */
  withTests?: boolean;
}
const layers: Record<string, Layer> = {
  contract: {
    mayImport: ['contract'],
    mayNotUse: /^(fastify|@fastify\/|react|drizzle-orm|stripe|node:)/,
    withTests: true,
  },
  shop: {
    mayImport: ['contract', 'shop'],
    mayNotUse: /^(fastify|@fastify\/|react|stripe|@aws-sdk\/|nodemailer|sharp|pg$|pg-boss|@electric-sql\/)/,
  },
  adapters: { mayImport: ['contract', 'shop/ports', 'adapters'] },
  server: { mayImport: ['contract', 'shop', 'adapters', 'db', 'server'] },
  web: { mayImport: ['contract', 'web'] },
};

/** Layers import only the layers below them (docs/architecture.md). */
export const layersPointDown: Rule = (imports) =>
  imports
    .filter((it) => {
      const layer = layers[topFolder(it.file)];
      if (!layer || (isTest(it.file) && !layer.withTests)) return false;
      const importedPath = findImportedFile(it);
      if (importedPath === undefined) return layer.mayNotUse?.test(it.name) ?? false;
      return !layer.mayImport.some((folder) => importedPath.startsWith(`${folder}/`));
    })
    .map(describeImport);

/** A file of contract/ imports other folders of contract/, and pages import contract/, by `#contract/…`. */
export const contractIsImportedByName: Rule = (imports) =>
  imports
    .filter((it) => {
      if (it.name.startsWith('#')) return false;
      if (topFolder(it.file) === 'contract') return it.name.startsWith('../');
      return topFolder(it.file) === 'web' && !isTest(it.file) && isFileInFolder('contract', findImportedFile(it));
    })
    .map(describeImport);

/** Only a module's own files know its tables. Tables of other modules refer to them for foreign keys. */
export const tablesArePrivate: Rule = (imports) =>
  imports
    .filter((it) => {
      const importedPath = findImportedFile(it);
      if (
        importedPath === undefined ||
        !isFileInFolder('shop', importedPath) ||
        !isTablesFile(importedPath) ||
        isTest(it.file)
      )
        return false;
      if (isFileInFolder('server', it.file) || isFileInFolder('web', it.file)) return true;
      return isFileInFolder('shop', it.file) && !isTablesFile(it.file) && dirname(it.file) !== dirname(importedPath);
    })
    .map(describeImport);

/** The files directly in shop/ are shared by all modules, so they import only ports and each other. */
export const sharedFilesImportNoModule: Rule = (imports) =>
  imports
    .filter((it) => {
      const importedPath = findImportedFile(it);
      return dirname(it.file) === 'shop' && !isTest(it.file) && moduleOf(importedPath) !== undefined;
    })
    .map(describeImport);

/** A module of shop/ imports only modules of earlier lines. */
export const modulesFollowOrder =
  (lines: readonly (readonly string[])[]): Rule =>
  (imports) => {
    const findModuleLine = (module: string) => lines.findIndex((it) => it.includes(module));
    return imports.flatMap((it) => {
      const [from, to] = [moduleOf(it.file), moduleOf(findImportedFile(it))];
      if (from === undefined || to === undefined || from === to || isTest(it.file)) return [];
      if (findModuleLine(from) < 0 || findModuleLine(to) < 0)
        return [`${findModuleLine(from) < 0 ? from : to} is not in the list: ${describeImport(it)}`];
      return findModuleLine(to) < findModuleLine(from)
        ? []
        : [`${to} is not in an earlier line than ${from}: ${describeImport(it)}`];
    });
  };

/** Another spelling of a path would load the file a second time. */
export const filesHaveOnePath: Rule = (imports) =>
  imports
    .filter(({ name }) => {
      if (!/^[.#]/.test(name)) return false;
      const normalizedPath = normalize(name);
      return name !== (/^[.#]/.test(normalizedPath) ? normalizedPath : `./${normalizedPath}`);
    })
    .map(describeImport);

/** Returns the imports of the first cycle between folders. A folder and its subfolders count as one. */
export const foldersHaveNoCycle: Rule = (imports) => findCycle(listArrowsBetween(imports, dirname, isNested));

/** Returns the imports of the first cycle between modules of shop/. Their shared files and ports are no modules. */
export const modulesHaveNoCycle: Rule = (imports) => findCycle(listArrowsBetween(imports, moduleOf));

type ImportsByGroup = Map<string, Map<string, string>>;

const cycleFolders = new Set(['shop', 'adapters', 'server', 'web']);

/** Maps each group of files to the groups it imports, with an example import for each. */
function listArrowsBetween(
  imports: readonly Import[],
  groupOf: (file: string) => string | undefined,
  isOneGroup = (a: string, b: string) => a === b,
): ImportsByGroup {
  const arrowsByFolder: ImportsByGroup = new Map();
  for (const importEntry of imports) {
    if (isTest(importEntry.file) || !cycleFolders.has(topFolder(importEntry.file))) continue;
    const importedPath = findImportedFile(importEntry);
    const [from, to] = [groupOf(importEntry.file), importedPath === undefined ? undefined : groupOf(importedPath)];
    if (from === undefined || to === undefined || to === '.' || isOneGroup(from, to)) continue;
    const targetsOfFolder = arrowsByFolder.get(from) ?? new Map<string, string>();
    arrowsByFolder.set(from, targetsOfFolder.set(to, describeImport(importEntry)));
  }
  return arrowsByFolder;
}

function findCycle(all: ImportsByGroup): string[] {
  const isDone = new Set<string>();
  const searchCycle = (group: string, path: { group: string; why: string }[]): string[] => {
    const cycleStart = path.findIndex((it) => it.group === group);
    if (cycleStart >= 0) return path.slice(cycleStart).map((it) => it.why);
    if (isDone.has(group)) return [];
    for (const [next, why] of all.get(group) ?? []) {
      const foundCycle = searchCycle(next, [...path, { group, why }]);
      if (foundCycle.length > 0) return foundCycle;
    }
    isDone.add(group);
    return [];
  };
  for (const group of all.keys()) {
    const foundCycle = searchCycle(group, []);
    if (foundCycle.length > 0) return foundCycle;
  }
  return [];
}

const topFolder = (file: string) => file.split('/')[0]!;
const isFileInFolder = (folder: string, file: string | undefined) => file?.startsWith(`${folder}/`) ?? false;
const isNested = (a: string, b: string) => `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);

/** Returns the module of shop/ that owns a file. Undefined for ports, for files of all modules and outside shop/. */
function moduleOf(file: string | undefined): string | undefined {
  const [, module] = /^shop\/([^/]+)\//.exec(file ?? '') ?? [];
  return module === 'ports' ? undefined : module;
}
