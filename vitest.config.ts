import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', 'dist/**', 'test/e2e/**', 'data/**'];

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [react()],
        test: {
          name: 'shop',
          environment: 'node',
          include: [
            '{contract,shop,adapters,server,db,web,scripts}/**/*.test.{ts,tsx}',
            'test/*.test.ts',
            'test/faults/**/*.test.ts',
          ],
          exclude,
          globalSetup: ['test/setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
