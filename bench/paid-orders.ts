import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInChild } from '#adapters/processes/run-in-child.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { startPostgres } from '../test/postgres.ts';
import type { PaidOrdersFigures, PaidOrdersJob } from './paid-orders-on-one-engine.ts';

const timeoutMs = 600_000;

export type PaidOrdersByEngine = Partial<Record<'PostgreSQL' | 'embedded', PaidOrdersFigures>>;

/**
 * Compares settled payments per second with plain SQL transactions that write the same rows. Runs on the embedded
 * engine and, if installed, on PostgreSQL.
 */
export async function comparePaidOrdersByEngine(): Promise<PaidOrdersByEngine> {
  const results: PaidOrdersByEngine = { embedded: await runInSeparateProcess({}) };
  const cluster = await startPostgres({ durable: true });
  if (!cluster) return results;
  try {
    results.PostgreSQL = await runInSeparateProcess({ url: cluster.url });
  } finally {
    await cluster.stop();
  }
  return results;
}

async function runInSeparateProcess(engine: { url?: string }): Promise<PaidOrdersFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    return await runInChild<PaidOrdersJob, PaidOrdersFigures>({
      entry: new URL('./paid-orders-child.ts', import.meta.url),
      job: { ...engine, dataDir, migrationsFolder },
      timeoutMs,
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
