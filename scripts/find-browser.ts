import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';

/**
 * Programs to search for, in this order. The headless shell is Chromium's engine without windows and needs half the
 * work for each page.
 */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Finds a Chromium for the tests: CHROMIUM_PATH, or an installed one, or Playwright's. Otherwise installs it with
 * Playwright or (on Debian, as root) with apt-get. Throws if all of these fail, because browser tests are never
 * skipped.
 */
export function findBrowser(): string {
  const configuredPath = process.env['CHROMIUM_PATH'];
  if (configuredPath) {
    if (!existsSync(configuredPath)) throw new Error(`CHROMIUM_PATH names no file: ${configuredPath}`);
    return configuredPath;
  }
  return (
    findInstalledBrowser() ??
    findInstalledBy('npx', ['playwright', 'install', 'chromium']) ??
    findInstalledByApt() ??
    failWithoutBrowser()
  );
}

function findInstalledBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, ...macPaths, chromium.executablePath()].find((it) => existsSync(it));
}

function findInstalledBy(command: string, args: string[]): string | undefined {
  process.stderr.write(`No browser found: ${command} ${args.join(' ')}\n`);
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 600_000 });
  } catch {
    return undefined; // try the next option
  }
  return findInstalledBrowser();
}

function findInstalledByApt(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const installPackage = (name: string) =>
    findInstalledBy('apt-get', ['install', '-y', '-q', '--no-install-recommends', name]);
  return (
    findInstalledBy('apt-get', ['update', '-q']) ??
    installPackage('chromium-headless-shell') ??
    installPackage('chromium')
  );
}

function failWithoutBrowser(): never {
  throw new Error('The browser tests need a Chromium: install one, or name it in CHROMIUM_PATH.');
}
