import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { projectFolder } from '../project-folder.ts';
import { mountPages, type ServePages } from './mounting.ts';
import type { Pages } from './render.ts';
import type { StylePart } from './style-parts.ts';

/** Of some hundred files: a route for each would be in everybody's way. */
const largeFolders = ['/assets/', '/media/'];

/** Production: the output of `vite build`. */
export const servePages: ServePages = async (door, kept) => {
  const dist = join(projectFolder, 'dist');
  const client = resolve(dist, 'client');
  await door.app.register(fastifyStatic, {
    root: client,
    wildcard: false,
    globIgnore: [...largeFolders.map((it) => `${it.slice(1)}**`), '**/*.br', '**/*.gz'], // the packed ones found beside theirs
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const forever = path.includes('/assets/');
      reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      // What the player's worker may fetch is said by its own policy, not by the page's.
      if (path.includes('/play/worker.js'))
        reply.header('content-security-policy', "default-src 'none'; connect-src 'self'");
      // The one program of a page's that compiles WebAssembly, in a worker of its own that may fetch nothing.
      if (path.includes('/assets/heic-worker-'))
        reply.header('content-security-policy', "default-src 'none'; script-src 'wasm-unsafe-eval'");
    },
  });
  const { default: pages } = (await import(join(dist, 'server/server.js'))) as { default: Pages };
  await mountPages(door, async () => pages, {
    withPolicy: true,
    files: new Map(await Promise.all(largeFolders.map(async (it) => [it, await namesIn(join(client, it))] as const))),
    kept,
    styleAt: async (address) => JSON.parse(await readFile(join(dist, `styles${address}.json`), 'utf8')) as StylePart[],
  });
};

/** Each file's name in there, folders before it, but for the packed ones. */
async function namesIn(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((it) => it.isFile() && !/\.(br|gz)$/.test(it.name));
  return new Set(files.map((it) => relative(folder, join(it.parentPath, it.name)).replaceAll('\\', '/')));
}
