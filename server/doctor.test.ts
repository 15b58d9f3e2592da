import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, systemClock } from '#adapters/database/database.ts';
import { startS3Server } from '#adapters/storage/s3-server.ts';
import { createS3Storage } from '#adapters/storage/s3.ts';
import { recordAuditEntry } from '#shop/audit/audit.ts';
import { backups } from '#shop/backups/backups.sql.ts';
import { recordBackup } from '#shop/backups/backups.ts';
import { comfyuiWorkflow, startFakeComfyui } from '#test/fake-comfyui.ts';
import { startCollector } from '#test/collector.ts';
import { createDatabase, describeOnPostgres } from '#test/database.ts';
import { startTamperingProxy } from '#test/faults/tampering-proxy.ts';
import { findFreePort } from '#test/free-port.ts';
import { openProvider, createSettings } from '#test/openid-provider.ts';
import { createFreshBucket } from '#test/stores.ts';
import { migrationsFolder } from './project-folder.ts';

const doctorScript = join(import.meta.dirname, 'doctor.ts');

/**
 * Runs the doctor with these settings. Returns its exit code and its output, which has a line for each checked part.
 */
async function runDoctor(settings: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-doctor-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...settings };
  return new Promise<{ code: number; words: string }>((resolve) => {
    execFile(process.execPath, [doctorScript], { env }, (error, words) =>
      resolve({ code: Number(error?.code ?? 0), words }),
    );
  });
}
const unreachableDatabase = 'postgres://shop@127.0.0.1:1/shop';

test('checks every other part despite a wrong setting and an unreachable database', async () => {
  const { code, words } = await runDoctor({
    DATABASE_URL: unreachableDatabase,
    PORT: 'eighty',
    MAIL_FROM: 'nobody',
    ...createSettings(1),
  });
  expect(code).toBe(1);
  expect(words).toMatch(/^WRONG {2}settings .*\n.*\n.*PORT must be a port number\n.*MAIL_FROM must be/m);
  expect(words).toMatch(/^WRONG {2}database {2}postgres\n.*ECONNREFUSED/m);
  expect(words).toMatch(/^well {3}storage {3}directory$/m);
  expect(words).toMatch(/^WRONG {2}files {5}directory\n.*not checked: it needs the database and the storage/m);
  expect(words).toMatch(/^WRONG {2}backup {4}by hand\n.*not checked: it needs the database/m);
  expect(words).toMatch(/^WRONG {2}mail {6}outbox\n.*not checked: it needs correct settings/m);
  expect(words).toMatch(/^WRONG {2}payments {2}sandbox\n.*not checked: it needs the database/m);
  expect(words).toMatch(/^WRONG {2}owner {5}http:\/\/localhost:1\n/m);
  expect(words).toMatch(/^well {3}animator {2}local$/m);
  const advice = words.slice(words.indexOf('What to do')).match(/(?<=^ {2}- )\w+/gm);
  expect(advice).toEqual(['settings', 'database', 'owner']);
});

test('names the settings that the owner cannot change in the panel, because a variable is set', async () => {
  const { words } = await runDoctor({ DATABASE_URL: unreachableDatabase, PROOF: 'after', HANDLING_DAYS: '2' });
  expect(words).toMatch(
    /^well {3}settings .*\n {7}PROOF, HANDLING_DAYS are set here, so the owner cannot change them in the panel$/m,
  );
});

test('prints the connection error when the payment provider is unreachable', async () => {
  const s3Keys = {
    STRIPE_SECRET_KEY: 'sk_test_of_nobody',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_of_nobody',
    STRIPE_WEBHOOK_SECRET: 'whsec_of_nobody',
  };
  const unreachableUrl = `http://127.0.0.1:${await findFreePort()}`;
  const { words } = await runDoctor({ DATABASE_URL: unreachableDatabase, ...s3Keys, STRIPE_API_BASE: unreachableUrl });
  expect(words).toMatch(/^WRONG {2}payments {2}stripe\n.*StripeConnectionError \(ECONNREFUSED\)$/m);
});

test('reports the work folder and the backup folder when the user may not write there', async () => {
  const bucket = await createFreshBucket();
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-doctor-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  writeFileSync(join(dataDir, 'work'), 'a file, where not even root makes a folder');
  const { words } = await runDoctor({
    DATABASE_URL: unreachableDatabase,
    ...bucket,
    DATA_DIR: dataDir,
    BACKUP_TO: '/dev/null/shop',
  });
  expect(words).toMatch(/^well {3}storage {3}s3$/m);
  expect(words).toMatch(/^WRONG {2}work {6}.*\/work\n.*mkdir '.*\/work'/m);
  expect(words).toMatch(/^WRONG {2}backup {4}\/dev\/null\/shop\n.*'\/dev\/null\/shop/m);
  expect(words).toMatch(/- work: .*DATA_DIR.*\n {2}- backup: .*BACKUP_TO/);
});

test('reports a backup bucket that does not respond, and leaves no test file in a bucket that responds', async () => {
  const server = await startS3Server();
  onTestFinished(() => server.stop());
  const { accessKeyId, secretAccessKey, endpoint } = server.settings;
  const keys = { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey };
  const backupSettings = { ...keys, BACKUP_TO: 's3://kinframe/backups' };
  const storage = createS3Storage(server.settings, tmpdir());
  const resultUnreachable = await runDoctor({
    DATABASE_URL: unreachableDatabase,
    ...backupSettings,
    BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1',
  });
  expect(resultUnreachable.words).toMatch(/^WRONG {2}backup .*\n.*ECONNREFUSED/m);
  const resultReachable = await runDoctor({
    DATABASE_URL: unreachableDatabase,
    ...backupSettings,
    BACKUP_S3_ENDPOINT: endpoint,
  });
  expect(resultReachable.words).toMatch(/^WRONG {2}backup .*\n.*not checked: it needs the database/m);
  const leftoverKeys: string[] = [];
  for await (const { key } of storage.list('')) leftoverKeys.push(key);
  expect(leftoverKeys).toEqual([]);
});

test('reports S3 keys that may write to the backup bucket but not list it', async () => {
  const server = await startS3Server();
  onTestFinished(() => server.stop());
  const { accessKeyId, secretAccessKey, endpoint } = server.settings;
  const keys = { BACKUP_S3_ACCESS_KEY_ID: accessKeyId, BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey };
  const refusingProxy = await startTamperingProxy(endpoint, ({ url }) =>
    url?.includes('list-type') ? 'forbidden' : undefined,
  );
  const backupSettings = { ...keys, BACKUP_TO: 's3://kinframe/backups', BACKUP_S3_ENDPOINT: refusingProxy };
  const { words } = await runDoctor({ DATABASE_URL: unreachableDatabase, ...backupSettings });
  expect(words).toMatch(/^WRONG {2}backup .*\n.*refuses the list of backups\/ to these keys \(AccessDenied/m);
});

test('checks the trace collector at the path to which the shop sends traces', async () => {
  const collector = await startCollector();
  const resultReachable = await runDoctor({
    DATABASE_URL: unreachableDatabase,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  expect(resultReachable.words).toMatch(/^well {3}traces {4}http:\/\/127\.0\.0\.1:\d+$/m);
  expect(collector.seen).toMatchObject([{ path: '/v1/traces' }]);
  const resultUnreachable = await runDoctor({
    DATABASE_URL: unreachableDatabase,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  });
  expect(resultUnreachable.words).toMatch(/^WRONG {2}traces .*\n.*ECONNREFUSED/m);
});

test('does not check the embedded database when the database address is invalid', async () => {
  const { code, words } = await runDoctor({ DATABASE_URL: 'mysql://localhost/shop' });
  expect(code).toBe(1);
  expect(words).toMatch(/^WRONG {2}database .*\n.*not checked: it needs correct settings/m);
  expect(words).toMatch(/^well {3}mail {6}outbox$/m);
});

test('checks that the ComfyUI server has the nodes of the workflow', async () => {
  const fake = await startFakeComfyui();
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const workflowPath = join(folder, 'workflow.json');
  writeFileSync(workflowPath, JSON.stringify(comfyuiWorkflow));
  const settings = {
    DATABASE_URL: unreachableDatabase,
    ANIMATOR: 'comfyui',
    COMFYUI_URL: fake.url,
    COMFYUI_WORKFLOW: workflowPath,
  };
  expect((await runDoctor(settings)).words).toMatch(/^well {3}animator {2}comfyui$/m);
  fake.nodes.delete('ImageToVideo');
  const { words } = await runDoctor(settings);
  expect(words).toMatch(
    /^WRONG {2}animator {2}comfyui\n.*does not have these nodes of COMFYUI_WORKFLOW: ImageToVideo/m,
  );
  expect(words).toMatch(/- animator: .*COMFYUI_ settings/);
});

describeOnPostgres(() => {
  test('reports no problem for any part and exits with 0 when everything works', async () => {
    const provider = await openProvider('http://localhost:3000/api/admin/auth/replit/callback');
    onTestFinished(() => provider.close());
    const { code, words } = await runDoctor({ DATABASE_URL: (await createDatabase()).href, ...provider.settings });
    expect(words).toContain('No problems found.');
    const fencesLinePattern =
      /^well {3}films {5}ffmpeg\n {7}active protections: .*; not available on this machine: .*; HDR films are /m;
    expect(words).toMatch(fencesLinePattern);
    expect([code, words.match(/^\w+ +\w+/gm)]).toEqual([
      0,
      [
        'settings',
        'database',
        'audit',
        'storage',
        'work',
        'files',
        'backup',
        'mail',
        'payments',
        'owner',
        'photos',
        'seeing',
        'films',
        'animator',
      ].map((it) => `well   ${it}`),
    ]);
  });

  test('prints the age of the last backup, and exits with 1 if it is too old', async () => {
    const { href } = await createDatabase();
    const database = await openDatabase({ url: href, dataDir: '', migrationsFolder, withJobs: false });
    onTestFinished(() => database.close());
    const { db } = database;
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    const runDoctorWithBackup = async (takenAt: Date) => {
      await db.delete(backups);
      await recordBackup({ db, clock: systemClock }, { takenAt, files: 1, sizeBytes: 4_200_000 });
      const { code, words } = await runDoctor({ DATABASE_URL: href });
      return { code, words: words.match(/^.* backup .*\n.*/m)![0] };
    };
    const [young, older, old] = [hoursAgo(5), hoursAgo(75), hoursAgo(8 * 24)];
    expect(await runDoctorWithBackup(young)).toEqual({
      code: 0,
      words: `well   backup    by hand\n       the last one is of ${young.toISOString()}, 5 hours ago: 1 file, 4.2 MB`,
    });
    expect((await runDoctorWithBackup(older)).words).toContain(`${older.toISOString()}, 3 days ago: `);
    const overdueReport = await runDoctorWithBackup(old);
    expect(overdueReport.code).toBe(1);
    expect(overdueReport.words).toMatch(
      /^WRONG {2}backup .*\n.*, 8 days ago: 1 file, 4\.2 MB\. Make one: npm run backup/,
    );
  });

  test('reports audit entries that were changed or deleted directly in the database', async () => {
    const { href } = await createDatabase();
    const database = await openDatabase({ url: href, dataDir: '', migrationsFolder, withJobs: false });
    onTestFinished(() => database.close());
    const { db } = database;
    for (const auditAct of ['admin-sign-in', 'refund-order', 'export-list', 'admin-sign-in'] as const)
      await recordAuditEntry(db, systemClock, { act: auditAct, subjectId: 'it' });
    const readAuditOutput = async () => {
      const { code, words } = await runDoctor({ DATABASE_URL: href });
      return { code, words: words.match(/^.* audit .*\n.*/m)![0], all: words };
    };
    expect((await readAuditOutput()).words).toMatch(
      /^well {3}audit {5}chained rows\n {7}4 acts, unbroken; the last one is [0-9a-f]{16}$/,
    );
    await db.execute(sql`update audit_trail set after = '{"amountCents": 1}' where act = 'refund-order'`);
    await db.execute(sql`delete from audit_trail where act = 'export-list'`);
    const brokenResult = await readAuditOutput();
    expect(brokenResult.code).toBe(1);
    expect(brokenResult.words).toMatch(
      /the act at place 2 \(refund-order, [0-9a-f-]{36}\) was changed.*; acts are missing from place 3 on$/,
    );
    expect(brokenResult.all).toMatch(/- audit: someone has changed the audit trail/);
  });

  test('reports a connection pooler that drops notifications, and advises session mode', async () => {
    const url = await createDatabase();
    const port = await startProxyDroppingNotifications(Number(url.port || 5432));
    url.host = `127.0.0.1:${port}`;
    const { code, words } = await runDoctor({ DATABASE_URL: url.href });
    expect(code).toBe(1);
    expect(words).toMatch(/^WRONG {2}database {2}postgres\n.*no notification .* arrives/m);
    expect(words).toMatch(/- database: .*pool_mode = session/);
  });
});

/**
 * Starts a proxy to PostgreSQL that acts like a pooler in transaction mode: `listen` succeeds, but no notification
 * arrives.
 */
async function startProxyDroppingNotifications(target: number): Promise<number> {
  const server = createServer((near) => {
    const proxiedSocket = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, proxiedSocket],
      [proxiedSocket, near],
    ] as const)
      one.on('error', () => other.destroy());
    near.pipe(proxiedSocket);
    let rest = Buffer.alloc(0);
    proxiedSocket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const messageEnd = 1 + rest.readUInt32BE(1);
        if (rest[0] !== 'A'.charCodeAt(0)) near.write(rest.subarray(0, messageEnd));
        rest = rest.subarray(messageEnd);
      }
    });
    proxiedSocket.on('end', () => near.end());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
