import { projectFolder } from '../project-folder.ts';
import { mountPages, type ServePages } from './mounting.ts';
import type { PageRenderer } from './render.ts';

/** Serves the pages in development, with Vite inside this process. Hot updates use the same port. */
export const serveLivePages: ServePages = async (httpScope) => {
  const { app } = httpScope;
  const [{ createServer }, { default: middie }] = await Promise.all([import('vite'), import('@fastify/middie')]);
  const vite = await createServer({
    configLoader: 'native',
    root: projectFolder,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  await app.register(middie);
  app.use(vite.middlewares);
  // Close Vite before the HTTP server, which otherwise waits for the hot-update socket.
  app.addHook('preClose', () => vite.close());
  const load = async () => (await vite.ssrLoadModule('/web/server.tsx'))['default'] as PageRenderer;
  await mountPages(httpScope, load, { withPolicy: false });
};
