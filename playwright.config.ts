import { defineConfig } from '@playwright/test';
import { desktopScreen, phoneScreen } from './test/e2e/screens.ts';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--autoplay-policy=document-user-activation-required', // the policy of a normal browser
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Browser tests on the production build. Each worker starts a separate shop (test/e2e/own-shop.ts). */
export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/prepared-shop.ts',
  outputDir: 'test-results',
  workers: 2, // a third worker would slow the other two down, so the run would not end sooner
  // The timeouts are long, because the tests check results and not speed, and other work may slow the machine down.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  forbidOnly: true,
  use: {
    launchOptions: { ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }), args },
    screenshot: 'only-on-failure',
  },
  // Each test runs on the screen that most people use for its task: the desktop by default, the phone with @phone-only.
  // Tests with @phone run on both screens, because the page looks or behaves differently there.
  projects: [
    { name: 'desktop', use: desktopScreen, grepInvert: /@phone-only/ },
    { name: 'phone', use: phoneScreen, grep: /@phone/ },
  ],
});
