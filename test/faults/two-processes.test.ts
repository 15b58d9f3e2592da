import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase, type Database } from '#adapters/database/database.ts';
import { storeAdminPassword, readSecrets } from '#server/secrets.ts';
import { createDatabase, describeOnPostgres } from '../database.ts';
import { migrationsFolder } from '#server/project-folder.ts';

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-two-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a data folder serves one process; the next one finds the existing data and no pending migrations', async () => {
  const dataDir = createFolder();
  const openEmbedded = () => openDatabase({ dataDir, migrationsFolder, withJobs: false });
  const firstDatabase = await openEmbedded();
  await firstDatabase.db.execute(sql`insert into checkouts values ('kept', 'hash', now())`);
  for (let i = 0; i < 2; i++)
    await expect(openEmbedded()).rejects.toThrow(
      `${dataDir} is in use by another process. The embedded database serves one process only`,
    );
  await firstDatabase.close();
  const secondDatabase = await openEmbedded();
  expect((await secondDatabase.db.execute(sql`select id from checkouts`)).rows).toEqual([{ id: 'kept' }]);
  await secondDatabase.close();
});

describeOnPostgres(() => {
  test('processes that start together on one new PostgreSQL migrate it once and share its queues', async () => {
    const url = await createDatabase({ isEmpty: true });
    const openedDatabases: Database[] = [];
    onTestFinished(async () => {
      for (const database of openedDatabases) await database.close();
    });
    const errors: unknown[] = [];
    const openShop = async () =>
      openedDatabases.push(
        await openDatabase({
          url: url.href,
          dataDir: '',
          migrationsFolder,
          pollSeconds: 1,
          onError: (error) => errors.push(error),
        }),
      );
    await Promise.all([openShop(), openShop(), openShop()]);
    const [one, two] = openedDatabases;
    const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
      entries: unknown[];
    };
    const { rows } = await one!.db.execute(sql`select count(*)::int as count from drizzle.__drizzle_migrations`);
    expect(rows).toEqual([{ count: journal.entries.length }]);

    const handledMailIds: string[] = [];
    for (const database of openedDatabases)
      await database.jobs.startWorkers('send-mail', async ({ mailId }) => void handledMailIds.push(mailId));
    const ids = Array.from({ length: 12 }, (_, i) => `mail-${i}`);
    for (const mailId of ids) await two!.db.transaction((tx) => two!.jobs.enqueue(tx, 'send-mail', { mailId }));
    await vi.waitFor(() => expect(handledMailIds.toSorted()).toEqual(ids.toSorted()), { timeout: 30_000 });
    expect(errors).toEqual([]);
  });
});

test('creates secrets once with file mode 600, and stores the hash of an admin password when it is needed', () => {
  const dataDir = join(createFolder(), 'data');
  const secrets = readSecrets(dataDir);
  expect(secrets).toEqual({ sandboxWebhookSecret: expect.stringMatching(/^whsec_[0-9a-f]{48}$/) });
  expect(readSecrets(dataDir)).toEqual(secrets);
  storeAdminPassword(dataDir, secrets, '$argon2id$hash');
  expect(readSecrets(dataDir)).toEqual({ ...secrets, adminPasswordHash: '$argon2id$hash' });
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});
