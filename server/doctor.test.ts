import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, systemClock } from '#adapters/database/database.ts';
import { startS3Server } from '#adapters/storage/s3-server.ts';
import { createS3Storage } from '#adapters/storage/s3.ts';
import { backups } from '#shop/backups/backups.sql.ts';
import { keepBackup } from '#shop/backups/backups.ts';
import { startCollector } from '#test/collector.ts';
import { createDatabase, onPostgres } from '#test/database.ts';
import { meddlingWith } from '#test/faults/meddler.ts';
import { findFreePort } from '#test/free-port.ts';
import { openProvider, settingsFor } from '#test/openid-provider.ts';
import { freshBucket } from '#test/stores.ts';
import { migrationsFolder } from './project-folder.ts';

const doctor = join(import.meta.dirname, 'doctor.ts');

/** What the doctor says with these settings, a line a part. */
async function lookAt(settings: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-doctor-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...settings };
  return new Promise<{ code: number; words: string }>((resolve) => {
    execFile(process.execPath, [doctor], { env }, (error, words) => resolve({ code: Number(error?.code ?? 0), words }));
  });
}
const nobody = 'postgres://shop@127.0.0.1:1/shop';

test('a wrong setting and a database out of reach hide no other part', async () => {
  const { code, words } = await lookAt({
    DATABASE_URL: nobody,
    PORT: 'eighty',
    MAIL_FROM: 'nobody',
    ...settingsFor(1),
  });
  expect(code).toBe(1);
  expect(words).toMatch(/^WRONG {2}settings .*\n.*\n.*PORT must be a port number\n.*MAIL_FROM must be/m);
  expect(words).toMatch(/^WRONG {2}database {2}postgres\n.*ECONNREFUSED/m);
  expect(words).toMatch(/^well {3}storage {3}directory$/m);
  expect(words).toMatch(/^WRONG {2}files {5}directory\n.*not checked: the database and the storage/m);
  expect(words).toMatch(/^WRONG {2}backup {4}by hand\n.*not checked: the database that knows/m);
  expect(words).toMatch(/^WRONG {2}mail {6}outbox\n.*not checked: its settings/m);
  expect(words).toMatch(/^WRONG {2}payments {2}sandbox\n.*not checked: the database it is in/m);
  expect(words).toMatch(/^WRONG {2}owner {5}http:\/\/localhost:1\n/m);
  expect(words).toMatch(/^well {3}animator {2}local$/m);
  const advice = words.slice(words.indexOf('What to do')).match(/(?<=^ {2}- )\w+/gm);
  expect(advice).toEqual(['settings', 'database', 'owner']);
});

test('a payment provider out of reach is told apart from a key that it does not take', async () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_of_nobody',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_of_nobody',
    STRIPE_WEBHOOK_SECRET: 'whsec_of_nobody',
  };
  const nowhere = `http://127.0.0.1:${await findFreePort()}`;
  const { words } = await lookAt({ DATABASE_URL: nobody, ...keys, STRIPE_API_BASE: nowhere });
  expect(words).toMatch(/^WRONG {2}payments {2}stripe\n.*StripeConnectionError \(ECONNREFUSED\)$/m);
});

test('a folder in which this user may not write is said, that of files on their way and that of backups', async () => {
  const bucket = await freshBucket();
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-doctor-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  writeFileSync(join(dataDir, 'work'), 'a file, where not even root makes a folder');
  const { words } = await lookAt({ DATABASE_URL: nobody, ...bucket, DATA_DIR: dataDir, BACKUP_TO: '/dev/null/shop' });
  expect(words).toMatch(/^well {3}storage {3}s3$/m);
  expect(words).toMatch(/^WRONG {2}work {6}.*\/work\n.*mkdir '.*\/work'/m);
  expect(words).toMatch(/^WRONG {2}backup {4}\/dev\/null\/shop\n.*'\/dev\/null\/shop/m);
  expect(words).toMatch(/- work: .*DATA_DIR.*\n {2}- backup: .*BACKUP_TO/);
});

test('a bucket for backups that does not answer is said, and one that does holds nothing afterwards', async () => {
  const server = await startS3Server();
  onTestFinished(() => server.stop());
  const { accessKeyId, secretAccessKey, endpoint } = server.settings;
  const keys = { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey };
  const to = { ...keys, BACKUP_TO: 's3://kinframe/backups' };
  const storage = createS3Storage(server.settings, tmpdir());
  const away = await lookAt({ DATABASE_URL: nobody, ...to, BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1' });
  expect(away.words).toMatch(/^WRONG {2}backup .*\n.*ECONNREFUSED/m);
  const there = await lookAt({ DATABASE_URL: nobody, ...to, BACKUP_S3_ENDPOINT: endpoint });
  expect(there.words).toMatch(/^WRONG {2}backup .*\n.*not checked: the database that knows/m);
  const left: string[] = [];
  for await (const { key } of storage.list('')) left.push(key);
  expect(left).toEqual([]);
});

test('keys that may write into the bucket of backups and not list it are named', async () => {
  const server = await startS3Server();
  onTestFinished(() => server.stop());
  const { accessKeyId, secretAccessKey, endpoint } = server.settings;
  const keys = { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey };
  const refusing = await meddlingWith(endpoint, ({ url }) => (url?.includes('list-type') ? 'forbidden' : undefined));
  const to = { ...keys, BACKUP_TO: 's3://kinframe/backups', BACKUP_S3_ENDPOINT: refusing };
  const { words } = await lookAt({ DATABASE_URL: nobody, ...to });
  expect(words).toMatch(/^WRONG {2}backup .*\n.*refuses the list of backups\/ to these keys \(AccessDenied/m);
});

test('the collector of traces is asked as the shop asks it', async () => {
  const collector = await startCollector();
  const there = await lookAt({ DATABASE_URL: nobody, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  expect(there.words).toMatch(/^well {3}traces {4}http:\/\/127\.0\.0\.1:\d+$/m);
  expect(collector.seen).toMatchObject([{ path: '/v1/traces' }]);
  const away = await lookAt({ DATABASE_URL: nobody, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  expect(away.words).toMatch(/^WRONG {2}traces .*\n.*ECONNREFUSED/m);
});

test('a database whose address is wrong is not taken for the embedded one', async () => {
  const { code, words } = await lookAt({ DATABASE_URL: 'mysql://localhost/shop' });
  expect(code).toBe(1);
  expect(words).toMatch(/^WRONG {2}database .*\n.*not checked: its settings/m);
  expect(words).toMatch(/^well {3}mail {6}outbox$/m);
});

onPostgres(() => {
  test('where all is well it says so, part by part', async () => {
    const provider = await openProvider('http://localhost:3000/api/admin/auth/replit/callback');
    onTestFinished(() => provider.close());
    const { code, words } = await lookAt({ DATABASE_URL: (await createDatabase()).href, ...provider.settings });
    expect(words).toContain('All is well.');
    expect([code, words.match(/^\w+ +\w+/gm)]).toEqual([
      0,
      [
        'settings',
        'database',
        'storage',
        'work',
        'files',
        'backup',
        'mail',
        'payments',
        'owner',
        'photos',
        'seeing',
        'animator',
      ].map((it) => `well   ${it}`),
    ]);
  });

  test('how old the last backup is is said, and that it is too old', async () => {
    const { href } = await createDatabase();
    const database = await openDatabase({ url: href, dataDir: '', migrationsFolder, withJobs: false });
    onTestFinished(() => database.close());
    const { db } = database;
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const backupAfter = async (takenAt: Date) => {
      await db.delete(backups);
      await keepBackup({ db, clock: systemClock }, { takenAt, files: 1, sizeBytes: 4_200_000 });
      const { code, words } = await lookAt({ DATABASE_URL: href });
      return { code, words: words.match(/^.* backup .*\n.*/m)![0] };
    };
    const [young, older, old] = [hoursAgo(5), hoursAgo(75), hoursAgo(8 * 24)];
    expect(await backupAfter(young)).toEqual({
      code: 0,
      words: `well   backup    by hand\n       the last one is of ${young.toISOString()}, 5 hours ago: 1 file, 4.2 MB`,
    });
    expect((await backupAfter(older)).words).toContain(`${older.toISOString()}, 3 days ago: `);
    const overdue = await backupAfter(old);
    expect(overdue.code).toBe(1);
    expect(overdue.words).toMatch(/^WRONG {2}backup .*\n.*, 8 days ago: 1 file, 4\.2 MB\. Make one: npm run backup/);
  });

  test('a pooler through which no notification comes is said, and what to do', async () => {
    const url = await createDatabase();
    const port = await withoutNotifications(Number(url.port || 5432));
    url.host = `127.0.0.1:${port}`;
    const { code, words } = await lookAt({ DATABASE_URL: url.href });
    expect(code).toBe(1);
    expect(words).toMatch(/^WRONG {2}database {2}postgres\n.*no notification .* is heard/m);
    expect(words).toMatch(/- database: .*pool_mode = session/);
  });
});

/** A way to PostgreSQL like a pooler's that lends a connection for a transaction: `listen` is taken, and nothing comes. */
async function withoutNotifications(target: number): Promise<number> {
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy());
    near.pipe(far);
    let rest = Buffer.alloc(0);
    far.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = 1 + rest.readUInt32BE(1);
        if (rest[0] !== 'A'.charCodeAt(0)) near.write(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    });
    far.on('end', () => near.end());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
