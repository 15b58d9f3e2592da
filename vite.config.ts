import tailwindcss from '@tailwindcss/vite';
import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import react from '@vitejs/plugin-react';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { madePictures } from './web/build/made-pictures.ts';

const root = import.meta.dirname;
/** The business and its doors never reach a page; pages talk to them through the contract. */
const behindTheCounter = ['server/**', 'shop/**', 'adapters/**', 'db/**'];

export default defineConfig({
  resolve: {
    // Radix locks the scroll behind dialogs with a style element, which our Content-Security-Policy refuses.
    alias: { 'react-style-singleton': resolve(root, 'web/ui/style-singleton.ts') },
  },
  plugins: [
    madePictures(root),
    tailwindcss(),
    tanstackStart({
      srcDirectory: 'web',
      importProtection: {
        behavior: 'error',
        client: { files: behindTheCounter, specifiers: [/^zod$/] },
        server: { files: behindTheCounter },
      },
    }),
    react(),
  ],
});
