import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'vite';

/** One import of a source file. */
export interface Import {
  /** The importing file, such as `shop/orders/orders.ts`. */
  file: string;
  /** The import as written, such as `../mail/mail.ts`, `#contract/cart-form.ts` or `stripe`. */
  name: string;
}

/** Reads every import of the project's sources: static, dynamic, re-exported and of types. */
export function readImports(root: string): { files: string[]; imports: Import[] } {
  const files = globSync('{adapters,art,bench,contract,db,scripts,server,shop,test,web}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.endsWith('routeTree.gen.ts'))
    .toSorted();
  return {
    files,
    imports: files.flatMap((file) =>
      parseImportNames(file, readFileSync(join(root, file), 'utf8')).map((name) => ({ file, name })),
    ),
  };
}

export function parseImportNames(file: string, source: string): string[] {
  const { staticImports, staticExports } = parseSync(file, source).module;
  const names = [
    ...staticImports.map((it) => it.moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap((it) => it.moduleRequest?.value ?? [])),
    // The parser does not list the types in `typeof import('…')`.
    ...Array.from(source.matchAll(/\bimport\(\s*(['"`])([^'"`$]+)\1/g), ([, , name]) => name!),
  ];
  return [...new Set(names)];
}

/** Returns the imported file, such as `shop/mail/mail.ts`. Undefined for a package. */
export function findImportedFile({ file, name }: Import): string | undefined {
  if (name.startsWith('#')) return normalize(name.slice(1));
  return name.startsWith('.') ? normalize(join(dirname(file), name)) : undefined;
}
