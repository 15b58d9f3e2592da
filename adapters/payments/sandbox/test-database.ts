import { sql } from 'drizzle-orm';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '#adapters/database/database.ts';
import { createEmbeddedDatabase } from '#adapters/database/pglite/embedded.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { openInMemory } from '#test/database.ts';

/**
 * Opens one embedded database for a whole test file. The returned function empties it before a test. For tests of
 * behavior that does not depend on the database engine.
 */
export function useSandboxDatabase(): () => Promise<Database> {
  let database: Database;
  beforeAll(async () => {
    database = await createEmbeddedDatabase(await openInMemory(), {
      migrationsFolder,
      skipsMigrations: true,
      withJobs: false,
    });
  });
  afterAll(() => database.close());
  return async () => {
    await database.db.execute(sql`truncate sandbox_objects, sandbox_idempotency, sandbox_deliveries`);
    return database;
  };
}
