import { resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/**
 * `virtual:public-files`: the server build gets the URLs of the files that the browser build made from web/public.tsx
 * and from each page of web/public-pages.ts. The pages are in the order of web/public-pages.ts. Undefined in
 * development.
 */
export function createPublicFilesPlugin(root: string): Plugin {
  const id = '\0virtual:public-files';
  const publicEntryPath = resolve(root, 'web/public.tsx');
  const publicPagesPath = resolve(root, 'web/public-pages.ts');
  let files: { entry: string; preloads: string[][] } | undefined;
  return {
    name: 'public-files',
    sharedDuringBuild: true,
    resolveId: (source) => (source === 'virtual:public-files' ? id : undefined),
    load: (loaded) => (loaded === id ? `export default ${JSON.stringify(files)}` : undefined),
    generateBundle(_options, bundle) {
      if (this.environment.name !== 'client') return;
      const chunks = Object.values(bundle).filter((it) => it.type === 'chunk');
      const findChunk = (module: string) => {
        const chunk = chunks.find((it) => it.moduleIds.includes(module));
        if (!chunk) throw new Error(`${module} is in no file`);
        return chunk;
      };
      const pages = this.getModuleInfo(publicPagesPath)?.dynamicallyImportedIds ?? [];
      const entryChunk = findChunk(publicEntryPath);
      files = {
        entry: `/${entryChunk.fileName}`,
        preloads: pages.map((page) =>
          [...collectImportedFiles([entryChunk, findChunk(page)], bundle)].map((it) => `/${it}`),
        ),
      };
    },
  };
}

/** The file names of these chunks and of all chunks that they import, directly or indirectly. */
function collectImportedFiles(chunks: Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): Set<string> {
  const names = new Set(chunks.map((it) => it.fileName));
  for (const name of names) {
    const chunk = bundle[name];
    if (chunk?.type === 'chunk') for (const importedChunk of chunk.imports) names.add(importedChunk);
  }
  return names;
}
