import type { TestProject } from 'vitest/node';
import { createMigratedCluster } from '../setup.ts';

/** Starts a PostgreSQL with the durability of a real shop: acknowledged commits are on disk. */
export default async function setup({ provide }: TestProject) {
  const cluster = await createMigratedCluster({ durable: true });
  provide('postgresUrl', cluster?.url);
  return () => cluster?.stop();
}
