import tailwindcss from '@tailwindcss/vite';
import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import react from '@vitejs/plugin-react';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { madePictures } from './web/build/made-pictures.ts';
import { publicFiles } from './web/build/public-files.ts';

const root = import.meta.dirname;
/** What pages that change without a load have beside it; what asks before one leaves comes with forms. */
const router = /\/node_modules\/@tanstack\/(?!query-core|react-query)(?!.*\/useBlocker\.js)/;
/** The business and its doors never reach a page; pages talk to them through the contract. */
const behindTheCounter = ['server/**', 'shop/**', 'adapters/**', 'db/**'];
/** What every page loads, and the small parts that most public pages share; nothing of the router. */
const shell = [
  // Of Query only what a public page uses: forms bring what sends.
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(query-core|react-query))\/(?!.*\/(useMutation|mutationObserver)\.js)/,
  /\/lucide-react\/dist\/esm\/icons\/(check|gift|heart|lock|play|plus|shield|sparkles|star|zap)\./,
  /\/web\/(data\/(api|queries|error-words|page-data|query-client|site|visitor)\.|shell\/(?!routed-)|paths\.|search|scope\.|scroll-target|standing-alone)/,
  /\/web\/ui\/(accordion|button|classes|icon-names|link|lucide-icon|media-queries|navigation|page-head|picture|surfaces|toast|toaster|unbroken|video-loop)\./,
  // The last two stand in the heads of their routes too.
  /\/web\/storefront\/(section|home\/hero-picture|product\/use-product)\.|\/contract\/catalog\./,
];

export default defineConfig(({ command }) => ({
  environments: {
    // In one piece, and React as its production self: read file by file it takes several times the memory and time.
    ...(command === 'build' && {
      ssr: { resolve: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } },
    }),
    client: {
      build: {
        rolldownOptions: {
          output: {
            // In one file: many small ones compress worse and cost requests.
            codeSplitting: {
              groups: [
                { name: 'shell', test: new RegExp(shell.map((it) => it.source).join('|')), priority: 1 },
                { name: 'router', test: router },
              ],
            },
          },
        },
      },
    },
  },
  resolve: {
    // Radix locks the scroll behind dialogs with a style element, which our Content-Security-Policy refuses.
    alias: [
      { find: 'react-style-singleton', replacement: resolve(root, 'web/ui/style-singleton.ts') },
      // Lucide's shapes, drawn with fewer attributes and less work. Where packages are not bundled, its own way does.
      ...(command === 'build'
        ? [{ find: /^\.\.\/createLucideIcon\.mjs$/, replacement: resolve(root, 'web/ui/lucide-icon.tsx') }]
        : []),
    ],
  },
  plugins: [
    madePictures(root),
    publicFiles(root),
    tailwindcss(),
    tanstackStart({
      srcDirectory: 'web',
      // A page's parts travel together, and apart from the code that all pages load.
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
