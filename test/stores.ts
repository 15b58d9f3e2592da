import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, onTestFinished } from 'vitest';
import { startS3Server } from '#adapters/storage/s3-server.ts';
import { describeOnEachEngine, type FreshDatabase } from './database.ts';

/**
 * Opens an empty store, which is deleted at the end of the test. Returns the settings of a shop that stores its files
 * there.
 */
export type FreshStore = () => Promise<Record<string, string>>;

/** Runs a suite with files in a folder and with files in a bucket. */
export function describeOnEachStore(suite: (freshStore: FreshStore) => void) {
  describe('files in a folder', () => suite(createFreshFolder));
  describe('files in a bucket', () => suite(createFreshBucket));
}

/**
 * Runs a suite about rows and files on each engine and on each store, but not on each pair: the engine and the store do
 * not know each other. Without PostgreSQL, the embedded engine runs with both stores.
 */
export function describeOnEachEngineAndStore(suite: (fresh: FreshDatabase, freshStore: FreshStore) => void) {
  const isWithoutPostgres = inject('postgresUrl') === undefined;
  describeOnEachEngine((fresh, engine) => {
    if (engine === 'embedded') describe('files in a folder', () => suite(fresh, createFreshFolder));
    if (engine === 'postgres' || isWithoutPostgres)
      describe('files in a bucket', () => suite(fresh, createFreshBucket));
  });
}

async function createFreshFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { DATA_DIR: folder };
}

export async function createFreshBucket() {
  const server = await startS3Server();
  onTestFinished(() => server.stop());
  const { settings } = server;
  return {
    S3_BUCKET: settings.bucket,
    S3_ENDPOINT: settings.endpoint,
    S3_REGION: settings.region,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
}
