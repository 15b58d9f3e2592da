import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { projectFolder } from '../project-folder.ts';
import { mountPages, type ServePages } from './mounting.ts';
import type { PageRenderer } from './render.ts';
import type { StylePart } from './style-parts.ts';

/**
 * Folders with hundreds of files. One route serves all files of a folder, because a route for each file would slow down
 * the router.
 */
const largeFolders = ['/assets/', '/media/'];

/** Serves the pages in production, from the output of `vite build`. */
export const servePages: ServePages = async (httpScope, responseCache) => {
  const dist = join(projectFolder, 'dist');
  const client = resolve(dist, 'client');
  await httpScope.app.register(fastifyStatic, {
    root: client,
    wildcard: false,
    globIgnore: [...largeFolders.map((it) => `${it.slice(1)}**`), '**/*.br', '**/*.gz'], // sent in place of plain files
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashedFile = path.includes('/assets/');
      reply.header('cache-control', isHashedFile ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      // A worker follows the content security policy of its own script, not of the page. The player's worker may fetch
      // only from this server.
      if (path.includes('/play/worker.js'))
        reply.header('content-security-policy', "default-src 'none'; connect-src 'self'");
      // This worker is the only code that compiles WebAssembly. It may fetch nothing.
      if (path.includes('/assets/heic-worker-'))
        reply.header('content-security-policy', "default-src 'none'; script-src 'wasm-unsafe-eval'");
    },
  });
  const { default: pages } = (await import(join(dist, 'server/server.js'))) as { default: PageRenderer };
  await mountPages(httpScope, async () => pages, {
    withPolicy: true,
    files: new Map(
      await Promise.all(largeFolders.map(async (it) => [it, await listFileNames(join(client, it))] as const)),
    ),
    responseCache,
    styleAt: async (address) => JSON.parse(await readFile(join(dist, `styles${address}.json`), 'utf8')) as StylePart[],
  });
};

/** The paths of all files in the folder and its subfolders, relative to the folder, without compressed files. */
async function listFileNames(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((it) => it.isFile() && !/\.(br|gz)$/.test(it.name));
  return new Set(files.map((it) => relative(folder, join(it.parentPath, it.name)).replaceAll('\\', '/')));
}
