import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

/**
 * Builds the server as one bundle in dist/shop. It needs a quarter of the memory that the same code needs when it is
 * loaded file by file. Packages with native or WebAssembly parts are not bundled.
 */
export default defineConfig({
  publicDir: false,
  // Use React's production build. React's default is the development build, which is slower and larger.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: true,
    outDir: 'dist/shop',
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        supervisor: 'server/supervisor.ts',
        doctor: 'server/doctor.ts',
        demo: 'server/demo.ts',
        'back-up-child': 'server/backup/back-up-child.ts',
        'create-database-child': 'adapters/database/pglite/create-database-child.ts',
        'develop-child': 'adapters/imaging/develop-child.ts',
        'gift-card-child': 'adapters/documents/gift-card-child.ts',
        'guide-child': 'adapters/documents/guide-child.ts',
        'parse-mail-child': 'adapters/mail/inbound/parse-mail-child.ts',
        'read-qr-child': 'adapters/imaging/read-qr-child.ts',
        'render-child': 'adapters/animation/local/render-child.ts',
        'analysis-child': 'adapters/seeing/analysis-child.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  ssr: {
    noExternal: true,
    external: [
      ...builtinModules,
      '@electric-sql/pglite',
      '@ffmpeg-installer/ffmpeg',
      '@napi-rs/canvas',
      '@node-rs/argon2',
      'libheif-js',
      'onnxruntime-node',
      'vite',
      '@fastify/middie',
    ],
  },
});
