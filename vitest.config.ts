import react from '@vitejs/plugin-react';
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const files = globSync([
  '{contract,shop,adapters,server,db,web,scripts}/**/*.test.{ts,tsx}',
  'test/*.test.ts',
  'test/faults/**/*.test.ts',
]);
/** A module that a test puts another in the place of is that other for every file of the same process. */
const isMocking = (file: string) => readFileSync(file, 'utf8').includes('vi.mock(');

const shared = {
  environment: 'node',
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    globalSetup: ['test/setup.ts'],
    projects: [
      // What is warm stays warm from file to file: a quarter less work.
      {
        plugins: [react()],
        test: { ...shared, name: 'shop', include: files.filter((it) => !isMocking(it)), isolate: false },
      },
      { plugins: [react()], test: { ...shared, name: 'mocking', include: files.filter(isMocking) } },
    ],
  },
});
