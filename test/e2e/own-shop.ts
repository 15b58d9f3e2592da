import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../free-port.ts';
import { startPostgres } from '../postgres.ts';

export const ownersPassword = 'correct-horse-battery';

/** A shop for the tests of one worker: the production build with its own folder and port. */
export interface OwnShop {
  origin: string;
  dataDir: string;
  close(): Promise<void>;
}

/**
 * `settings` extend the defaults. A shop that starts with many orders (`E2E_ORDERS`) uses PostgreSQL. If PostgreSQL is
 * not installed, its embedded database gets a tenth of the orders, which takes no longer.
 */
export async function openOwnShop(settings: Record<string, string>): Promise<OwnShop> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-e2e-'));
  const begunDataFolder = process.env['E2E_BEGUN_DIR'];
  if (begunDataFolder) cpSync(begunDataFolder, dataDir, { recursive: true });
  const orderCount = Number(settings['E2E_ORDERS'] ?? 0);
  const cluster = orderCount > 0 ? await startPostgres() : undefined;
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      E2E_DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMITS: 'off',
      PREVIEWS: 'off', // they would slow down every test that adds photos
      ADMIN_PASSWORD: ownersPassword,
      LOG_LEVEL: 'warn',
      ...settings,
      ...(orderCount > 0 && (cluster ? { DATABASE_URL: cluster.url } : { E2E_ORDERS: String(orderCount / 10) })),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  for (;;) {
    if (hasEnded()) throw new Error(`the shop of the browser tests ended with ${child.exitCode ?? child.signalCode}`);
    const response = await fetch(`${origin}/health/ready`).catch(() => undefined);
    if (response?.ok) break;
    await wait(100);
  }
  return {
    origin,
    dataDir,
    async close() {
      if (!hasEnded()) {
        const exitEvent = once(child, 'exit');
        child.kill('SIGTERM');
        await exitEvent;
      }
      await cluster?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
