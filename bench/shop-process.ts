import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createShopCommand } from '../scripts/shop-command.ts';
import { findFreePort } from '../test/free-port.ts';

/** The shop as `npm start` runs it, with the bench's route, a fresh data folder and the embedded database. */
export interface ShopProcess {
  origin: string;
  pid: number;
  dataDir: string;
  close(): Promise<void>;
  /** Kills the process with SIGKILL. Its data folder stays. */
  kill(): Promise<void>;
}

/**
 * `settings` override the defaults, for example with another database. On close, a temporary data folder is deleted and
 * a given one stays.
 */
export async function startShop(settings: Record<string, string> = {}): Promise<ShopProcess> {
  const ownDataFolder = settings['DATA_DIR'] === undefined ? mkdtempSync(join(tmpdir(), 'kinframe-bench-')) : undefined;
  const dataDir = ownDataFolder ?? settings['DATA_DIR']!;
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const { args, environment } = createShopCommand('main', { role: settings['ROLE'] });
  const readyRoute = new URL('./ready-route.mjs', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', readyRoute, ...args], {
    env: {
      ...environment,
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ADMIN_PASSWORD: 'correct-horse-battery',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitUntilReady(child, origin);
  return {
    origin,
    pid: child.pid!,
    dataDir,
    async close() {
      const exitEvent = once(child, 'exit');
      child.kill('SIGTERM');
      await exitEvent;
      if (ownDataFolder !== undefined) rmSync(ownDataFolder, { recursive: true, force: true });
    },
    async kill() {
      const exitEvent = once(child, 'exit');
      child.kill('SIGKILL');
      await exitEvent;
    },
  };
}

async function waitUntilReady(child: ChildProcess, origin: string): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`${origin}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    await wait(100);
  }
  throw new Error(`the shop of the bench ended with ${child.exitCode}`);
}
