import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { projectFolder } from '../project-folder.ts';
import { mountPages, type ServePages } from './mounting.ts';
import type { Pages } from './render.ts';
import type { StylePart } from './style-parts.ts';

/** Production: the output of `vite build`. */
export const servePages: ServePages = async (door, kept) => {
  const dist = join(projectFolder, 'dist');
  await door.app.register(fastifyStatic, {
    root: resolve(dist, 'client'),
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'], // found beside what they are of; each route takes memory
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
    kept,
    styleAt: async (address) => JSON.parse(await readFile(join(dist, `styles${address}.json`), 'utf8')) as StylePart[],
  });
};
