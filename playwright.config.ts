import { defineConfig } from '@playwright/test';
import { desktopScreen, phoneScreen } from './test/e2e/screens.ts';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--autoplay-policy=document-user-activation-required', // what browsers do that people use
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Journeys on the production build, with a fresh shop for each worker (test/e2e/own-shop.ts). */
export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/e2e/begun-shop.ts',
  outputDir: 'test-results',
  workers: 2, // a third one takes from them what it does
  // What is promised is what happens, not how soon on a machine that has other things to do.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  forbidOnly: true,
  use: {
    launchOptions: { ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }), args },
    screenshot: 'only-on-failure',
  },
  // A journey is walked once, on the screen most people have for it. At both what looks or answers otherwise there.
  projects: [
    { name: 'desktop', use: desktopScreen, grepInvert: /@phone-only/ },
    { name: 'phone', use: phoneScreen, grep: /@phone/ },
  ],
});
