import { sql } from 'drizzle-orm';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { migrationsFolder } from '#server/project-folder.ts';
import { executeOneStatement } from '#test/database.ts';
import { startPostgresPair } from '#test/postgres.ts';
import { openDatabase } from './database.ts';

test.skipIf(!inject('postgresUrl'))(
  'reports how long a commit has waited for an absent standby, and 0 once the standby is no longer required',
  async () => {
    const { primary, standby } = (await startPostgresPair())!;
    onTestFinished(() => primary.stop());
    onTestFinished(() => standby.stop());
    const database = await openDatabase({ url: primary.url, dataDir: '', migrationsFolder, withJobs: false });
    onTestFinished(() => database.close());
    const writeRow = async (id: string) =>
      void (await database.db.execute(sql`insert into checkouts values (${id}, ${id}, now())`));
    await writeRow('with it');
    expect(await database.readLongestCommit!()).toBe(0);

    await standby.stop();
    const waitingWrite = writeRow('without it');
    await vi.waitFor(async () => expect(await database.readLongestCommit!()).toBeGreaterThan(2), { timeout: 20_000 });
    await database.check(); // reads do not wait for the standby
    await executeOneStatement(primary.url, `alter system set synchronous_standby_names = ''`);
    await executeOneStatement(primary.url, 'select pg_reload_conf()');
    await waitingWrite;
    expect(await database.readLongestCommit!()).toBe(0);
  },
);
