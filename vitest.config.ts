import react from '@vitejs/plugin-react';
import { defineProject, defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', 'dist/**', 'test/e2e/**', 'data/**'];
/**
 * These tests replace a module for all code in their process. For this reason, each of these files needs a separate
 * process.
 */
const replacing = ['shop/accounts/passwords.test.ts', 'server/http/owner/{second-factor,session}.test.ts'];
const shop = ['{shop,server}/**/*.test.ts'];
/** These tests leave no state in their process, so many files can share one process. */
const clean = ['{contract,db,scripts,web}/**/*.test.{ts,tsx}', 'adapters/{mail,payments}/**/*.test.ts'];

const common = {
  environment: 'node' as const,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } }, // one second, the default, is too short on a busy machine
};

export default defineConfig({
  test: {
    globalSetup: ['test/setup.ts'],
    maxWorkers: 3, // for two cores: each worker waits half of the time, for timeouts and other processes
    projects: [
      // Run many files in one process (`isolate: false`): each file already runs several shops in one process, and the
      // embedded database is then compiled once instead of once per file.
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
