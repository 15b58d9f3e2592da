import { openAsBlob } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Database } from '#adapters/database/database.ts';
import { dialect } from '#adapters/database/pglite/durable-pglite.ts';
import { serveEmbedded } from '#adapters/database/pglite/embedded.ts';
import { migrationsFolder } from '#server/project-folder.ts';

/** One embedded database for a whole file, emptied for each test: for promises that do not depend on the engine. */
export function oneDatabase(): () => Promise<Database> {
  let database: Database;
  beforeAll(async () => {
    const image = await openAsBlob(inject('embeddedImage'));
    const lite = await PGlite.create({ loadDataDir: image, ...dialect });
    database = await serveEmbedded(lite, { migrationsFolder, isLeftAsItIs: true, withJobs: false });
  });
  afterAll(() => database.close());
  return async () => {
    await database.db.execute(sql`truncate sandbox_objects, sandbox_idempotency, sandbox_deliveries`);
    return database;
  };
}
