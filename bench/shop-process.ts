import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../test/free-port.ts';

/** A shop in a process of its own, on a fresh data folder with the embedded database. */
export interface ShopProcess {
  origin: string;
  pid: number;
  close(): Promise<void>;
}

/** `program` and its arguments run a server that takes PORT and DATA_DIR. */
export async function startShop(program: string[]): Promise<ShopProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const child = spawn(process.execPath, program, {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ADMIN_PASSWORD: 'correct-horse-battery',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(child, origin);
  return {
    origin,
    pid: child.pid!,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess, origin: string): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`${origin}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the shop of the bench ended with ${child.exitCode}`);
}
