import react from '@vitejs/plugin-react';
import { defineProject, defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', 'dist/**', 'test/e2e/**', 'data/**'];
/** These put something of their own in a module's place, for all that is loaded with them. */
const replacing = ['shop/accounts/passwords.test.ts', 'server/http/owner/{second-factor,session}.test.ts'];
const shop = ['{shop,server}/**/*.test.ts'];
/** These leave nothing behind in their process. */
const clean = ['{contract,db,scripts,web}/**/*.test.{ts,tsx}', 'adapters/{mail,payments}/**/*.test.ts'];

const common = { environment: 'node' as const, testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    globalSetup: ['test/setup.ts'],
    maxWorkers: 3, // for two cores: half of the time each waits, for timeouts and for what other processes do
    projects: [
      // One process for many files: several shops live in one within each of them anyway, and the embedded database is
      // compiled once instead of for every file.
      defineProject({
        test: { ...common, name: 'shop', include: shop, exclude: [...exclude, ...replacing], isolate: false },
      }),
      defineProject({
        plugins: [react()],
        test: { ...common, name: 'parts', include: clean, exclude, isolate: false },
      }),
      defineProject({
        test: {
          ...common,
          name: 'alone',
          include: ['{adapters,test}/**/*.test.ts', ...replacing],
          exclude: [...exclude, ...clean],
        },
      }),
    ],
  },
});
