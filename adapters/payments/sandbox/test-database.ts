import { sql } from 'drizzle-orm';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '#adapters/database/database.ts';
import { serveEmbedded } from '#adapters/database/pglite/embedded.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { openInMemory } from '#test/database.ts';

/** One embedded database for a whole file, emptied for each test: for promises that do not depend on the engine. */
export function oneDatabase(): () => Promise<Database> {
  let database: Database;
  beforeAll(async () => {
    database = await serveEmbedded(await openInMemory(), { migrationsFolder, isLeftAsItIs: true, withJobs: false });
  });
  afterAll(() => database.close());
  return async () => {
    await database.db.execute(sql`truncate sandbox_objects, sandbox_idempotency, sandbox_deliveries`);
    return database;
  };
}
