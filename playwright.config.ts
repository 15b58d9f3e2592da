import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const port = 4199;
// Each worker reads this file again: the folder is made once, by the first.
process.env['E2E_DATA_DIR'] ??= mkdtempSync(join(tmpdir(), 'kinframe-e2e-'));
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Journeys on the production build, with a fresh shop for each run. */
export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  forbidOnly: true,
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: { ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }), args },
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, grep: /@phone/ },
  ],
  webServer: {
    command: `node test/e2e/server.ts`,
    url: `http://localhost:${port}/health/ready`,
    timeout: 120_000,
    env: {
      E2E_DATA_DIR: process.env['E2E_DATA_DIR'],
      PORT: String(port),
      RATE_LIMITS: 'off',
      ADMIN_PASSWORD: 'correct-horse-battery',
      LOG_LEVEL: 'warn',
    },
  },
});
