import type { TestProject } from 'vitest/node';
import { migratedCluster } from '../setup.ts';

/** PostgreSQL as a shop has it: what it acknowledges is on disk. */
export default async function setup({ provide }: TestProject) {
  const cluster = await migratedCluster({ durable: true });
  provide('postgresUrl', cluster?.url);
  return () => cluster?.stop();
}
