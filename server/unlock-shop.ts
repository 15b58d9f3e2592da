import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#adapters/database/database.ts';
import { DirectoryInUse } from '#adapters/database/pglite/lock-directory.ts';
import { requestUnlock } from './backup/snapshot-socket.ts';
import { BackupRefused } from './backup/backup-refused.ts';
import type { Config } from './config.ts';
import { unlockOwner } from './http/common/owner-attempts.ts';
import { createDatabaseFromConfig } from './adapters.ts';

/** Forget the wrong passwords and codes that block the owner's sign-in. Also works while the shop runs. */
export async function unlockShop(config: Config): Promise<string[]> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'db')))
    throw new BackupRefused(`There is no shop in ${config.dataDir}. Check DATA_DIR and DATABASE_URL.`);
  try {
    const database = await createDatabaseFromConfig(config, { withJobs: false, skipsMigrations: true });
    try {
      await unlockOwner(database.db, systemClock);
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    await requestUnlock(config.dataDir);
  }
  return ['The owner can try passwords and codes again.'];
}
