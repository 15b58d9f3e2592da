import tailwindcss from '@tailwindcss/vite';
import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import react from '@vitejs/plugin-react';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { createGeneratedPicturesPlugin } from './web/build/generated-pictures.ts';
import { createPublicFilesPlugin } from './web/build/public-files.ts';

const root = import.meta.dirname;
/** The TanStack Router, which only routed pages load. It excludes useBlocker, because only pages with forms need it. */
const routerPattern = /\/node_modules\/@tanstack\/(?!query-core|react-query)(?!.*\/useBlocker\.js)/;
/** Pages must not import these folders. They reach the business only through the API of contract/. */
const behindTheCounter = ['server/**', 'shop/**', 'adapters/**', 'db/**'];
/** Our modules that every page loads, and small ones that most public pages share. They must not import the router. */
const shellModules = [
  ...['api.ts', 'queries.ts', 'error-text.ts', 'page-data.tsx', 'query-client.ts', 'site.ts', 'visitor.ts'].map(
    (it) => `web/data/${it}`,
  ),
  ...['accordion', 'button', 'lucide-icon', 'link', 'navigation', 'picture', 'surfaces', 'toaster', 'video-loop'].map(
    (it) => `web/ui/${it}.tsx`,
  ),
  ...['classes', 'icon-names', 'media-queries', 'page-head', 'toast'].map((it) => `web/ui/${it}.ts`),
  'web/ui/without-line-breaks.tsx',
  'web/page-context.ts',
  'web/paths.ts',
  'web/scroll-target.ts',
  'web/search.ts',
  'web/search-params.ts',
  'web/standalone-page.tsx',
  // The routes of public pages import these modules for their `head`. Elsewhere they end up in the router’s chunk.
  'web/storefront/section.tsx',
  'web/storefront/home/hero-picture.ts',
  'web/storefront/product/use-product.ts',
  'contract/catalog.ts',
];
const missingModules = shellModules.filter((it) => !existsSync(resolve(root, it)));
if (missingModules.length > 0) throw new Error(`vite.config.ts names missing modules: ${missingModules.join(', ')}`);

/** The code of the first chunk, which every page loads. It must not contain the router. */
const shell = [
  // Exclude TanStack Query's mutation code: public pages do not use it, and pages with forms load it with their forms.
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(query-core|react-query))\/(?!.*\/(useMutation|mutationObserver)\.js)/,
  /\/lucide-react\/dist\/esm\/icons\/(check|gift|heart|lock|play|plus|shield|sparkles|star|zap)\./,
  /\/web\/shell\/(?!routed-)/,
  new RegExp(`/(${shellModules.map((it) => it.replaceAll('.', '\\.')).join('|')})`),
];

export default defineConfig(({ command }) => ({
  environments: {
    // Bundle the server-side code of pages with all its packages, and use React's production build. Loading it file by
    // file takes several times the memory and time.
    ...(command === 'build' && {
      ssr: { resolve: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } },
    }),
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Build one file per group, because many small files compress worse and cost more requests.
            codeSplitting: {
              groups: [
                { name: 'shell', test: new RegExp(shell.map((it) => it.source).join('|')), priority: 1 },
                { name: 'router', test: routerPattern },
              ],
            },
          },
        },
      },
    },
  },
  resolve: {
    // Radix locks scrolling behind a dialog with a style element, which our Content-Security-Policy blocks. Our
    // replacement uses a constructed stylesheet instead.
    alias: [
      { find: 'react-style-singleton', replacement: resolve(root, 'web/ui/style-singleton.ts') },
      // Our replacement draws Lucide's icons with fewer attributes and less work. In development, packages are not
      // bundled, so Lucide's own function is used.
      ...(command === 'build'
        ? [{ find: /^\.\.\/createLucideIcon\.mjs$/, replacement: resolve(root, 'web/ui/lucide-icon.tsx') }]
        : []),
    ],
  },
  plugins: [
    createGeneratedPicturesPlugin(root),
    createPublicFilesPlugin(root),
    tailwindcss(),
    tanstackStart({
      srcDirectory: 'web',
      // Build one chunk per route, with its loader and components, separate from the code that all pages load.
      router: {
        codeSplittingOptions: {
          defaultBehavior: [['loader', 'component', 'pendingComponent', 'errorComponent', 'notFoundComponent']],
        },
      },
      importProtection: {
        behavior: 'error',
        client: { files: behindTheCounter, specifiers: [/^zod$/] },
        server: { files: behindTheCounter },
      },
    }),
    react(),
  ],
}));
