import { randomUUID } from 'node:crypto';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { countText } from '#contract/count-text.ts';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { describeFfmpeg } from '#adapters/animation/fit-video.ts';
import { systemClock, type Database } from '#adapters/database/database.ts';
import { describeDecoderRestrictions } from '#adapters/imaging/imaging.ts';
import { createStripePayments } from '#adapters/payments/stripe.ts';
import { checkAuditChain, type AuditChainBreak } from '#shop/audit/chain.ts';
import { isBackupOverdue } from '#shop/backups/backups.ts';
import type { CardPayments } from '#shop/ports/card-payments.ts';
import type { Db } from '#shop/ports/database.ts';
import { checkBackupTarget } from './backup/nightly-backup.ts';
import { formatMegabytes } from './backup/command.ts';
import { ConfigError, inspectConfig, ownersSettingNames } from './config.ts';
import { readOwnEnvironment } from './environment.ts';
import { checkFiles } from './files-report.ts';
import { withTimeout } from './metrics.ts';
import {
  createAnimatorsFromConfig,
  createDatabaseFromConfig,
  createBundledPhotoAnalyzer,
  createLabelServiceFromConfig,
  createMailboxFromConfig,
  createMailerFromConfig,
  createOwnerIdentityFromConfig,
  createSandboxFromConfig,
  createStorageFromConfig,
  createTracingFromConfig,
} from './adapters.ts';
import { readSecrets } from './secrets.ts';
import { openWorkFolder } from './work-folder.ts';

/** `npm run doctor` checks the settings and every external service separately, and prints the problems. */
const environment = readOwnEnvironment();
const { config, mistakes } = inspectConfig(environment);
type DoctorPart =
  | 'settings'
  | 'database'
  | 'storage'
  | 'audit'
  | 'work'
  | 'files'
  | 'backup'
  | 'mail'
  | 'inbound'
  | 'labels'
  | 'payments'
  | 'tax'
  | 'owner'
  | 'photos'
  | 'seeing'
  | 'films'
  | 'animator'
  | 'traces';

/** Parts with a problem, in the order of the checks. */
const failedParts: DoctorPart[] = [];

/** Thrown when a part cannot be checked until another part is fixed. */
class NotChecked extends Error {}

/** What the operator can do about a part with a problem. It does not depend on the error. */
const advice: Record<DoctorPart, string> = {
  settings: 'correct the settings named above (docs/settings.md). Parts with wrong settings were not checked',
  database:
    'is PostgreSQL running, and does DATABASE_URL reach it from this machine, directly or through a pooler in session mode (pgbouncer: pool_mode = session)? Embedded: is the shop itself running?',
  audit:
    'someone has changed the audit trail directly in the database. Compare the rows named above with those of a backup, and find out who can write to the database',
  storage:
    'does the bucket answer with these S3_ keys? For a folder: is there room on the disk, and can this user write?',
  work: 'can this user write to DATA_DIR, and is there room? Temporary files are stored there, also if a bucket is used',
  files: 'is this the store of this shop? Restore missing files from a backup before the next sweep',
  backup:
    'can this user, or can these keys, write, list and delete at BACKUP_TO? npm run backup -- FILE makes a backup now. With BACKUP_TO the shop makes one each night',
  mail: 'test SMTP_URL from this machine: port, user, password. Until it works, emails wait, and the shop retries for days',
  labels:
    'compare EASYPOST_API_KEY with the keys at EasyPost. Does this machine reach EasyPost? Until then, use the addresses as CSV',
  inbound:
    'test IMAP_URL from this machine: port, user, password, and the name of the folder. Until it works, emails wait in the mailbox',
  payments:
    'does this machine reach the provider? If so, compare the STRIPE_ keys with the dashboard: all three must be of the same account and the same mode',
  tax: 'set up Stripe Tax in the dashboard, or STRIPE_TAX=off',
  owner: 'compare the OWNER_OIDC_ settings with the provider’s. Until then, sign in with the password',
  photos: 'run npm install to restore the decoders',
  seeing: 'run npm install to restore the models. Until then, photos get the plain motion styles',
  films: 'set FFMPEG_PATH to an encoder that runs on this machine',
  animator:
    'set FFMPEG_PATH to an encoder that runs on this machine. With a hosted animator, check the REPLICATE_ or COMFYUI_ settings',
  traces: 'is the collector running at OTEL_EXPORTER_OTLP_ENDPOINT? The shop works without it',
};

await checkPart('settings', config.baseUrl, [], async () => {
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  const setOwnerSettings = ownersSettingNames.filter((name) => environment[name]);
  if (setOwnerSettings.length === 0) return undefined;
  return `${setOwnerSettings.join(', ')} ${setOwnerSettings.length === 1 ? 'is' : 'are'} set here, so the owner cannot change ${setOwnerSettings.length === 1 ? 'it' : 'them'} in the panel`;
});
const database = await checkPart(
  'database',
  config.databaseUrl ? 'postgres' : 'embedded',
  ['DATABASE_', 'DATA_DIR'],
  async () => {
    const openedDatabase = await createDatabaseFromConfig(config, { withJobs: false });
    await openedDatabase.check();
    await checkNotifications(openedDatabase);
    return openedDatabase;
  },
);
await checkPart('audit', 'chained rows', [], async () => {
  if (!database) throw notCheckedError('the database');
  return checkAuditTrail(database.db);
});
const storage = await checkPart('storage', config.s3 ? 's3' : 'directory', ['S3_', 'DATA_DIR'], async () => {
  const openedStorage = await createStorageFromConfig(config, join(config.dataDir, 'work'));
  await openedStorage.check();
  return openedStorage;
});
await checkPart('work', join(config.dataDir, 'work'), ['DATA_DIR'], async () => {
  await rmdir(await mkdtemp(join(openWorkFolder(config.dataDir, { isOurs: false }), 'check-')));
});
await checkPart('files', config.s3 ? 's3' : 'directory', [], async () => {
  if (!database || !storage) throw notCheckedError('the database and the storage');
  return checkFiles({ db: database.db, storage });
});
await checkPart('backup', config.backup?.to ?? 'by hand', ['BACKUP_'], async () => {
  if (config.backup) await checkBackupTarget(config);
  if (!database) throw notCheckedError('the database');
  return checkBackup(database.db);
});
await checkPart('mail', config.smtpUrl ? 'smtp' : 'outbox', ['SMTP_', 'MAIL_', 'DATA_DIR'], async () => {
  const mailer = createMailerFromConfig(config);
  await mailer.check().finally(() => mailer.close?.());
});
if (config.inboundMail)
  await checkPart('inbound', config.inboundMail.imapUrl ? 'imap' : 'webhook', ['INBOUND_'], async () => {
    const mailbox = await createMailboxFromConfig(config);
    if (!mailbox)
      return `a mail service posts emails of ${config.inboundMail!.address} to ${config.baseUrl}/api/webhooks/mail`;
    return `${countText(await mailbox.check(), 'email')} in the mailbox of ${config.inboundMail!.address}`;
  });
const provider = await checkPart('payments', config.stripe ? 'stripe' : 'sandbox', ['STRIPE_'], async () => {
  const paymentProvider = config.stripe ? createStripePayments(config.stripe) : openSandbox().payments;
  await paymentProvider.check();
  return paymentProvider;
});
if (config.collectsTax) await checkPart('tax', config.stripe ? 'stripe' : 'sandbox', [], () => checkTaxSetup(provider));
if (config.easypost)
  await checkPart('labels', 'easypost', ['EASYPOST_', 'SHIP_FROM_'], async () => {
    await (await createLabelServiceFromConfig(config))!.check();
    if (!config.shipFrom)
      return 'SHIP_FROM_NAME and the rest of the sender’s address are not set, so no label can be bought';
    if (!config.easypost?.webhookSecret) return 'without EASYPOST_WEBHOOK_SECRET, deliveries are not recorded';
    return undefined;
  });
if (config.ownerOidc)
  await checkPart('owner', config.ownerOidc.issuer, ['OWNER_OIDC_'], async () =>
    (await createOwnerIdentityFromConfig(config))!.check(),
  );
await checkPart('photos', 'one decoder process each', [], describeDecoderRestrictions);
const photoAnalyzer = createBundledPhotoAnalyzer();
await checkPart('seeing', 'built-in models', [], () => photoAnalyzer.describe());
await checkPart('films', 'ffmpeg', ['FFMPEG_'], async () => describeFfmpeg((await findFfmpeg(config.ffmpegPath)).path));
await checkPart('animator', config.animator, ['ANIMATOR', 'REPLICATE_', 'COMFYUI_', 'FFMPEG_'], async () => {
  const { animator, standIn } = await createAnimatorsFromConfig(config, photoAnalyzer);
  await standIn.check();
  if (animator !== standIn) await animator.check();
});

if (config.traces)
  await checkPart('traces', new URL(config.traces.endpoint).origin, ['OTEL_'], async () => {
    const tracing = (await createTracingFromConfig(config, () => {}))!;
    try {
      await tracing.check();
    } finally {
      await tracing.close();
    }
  });

await database?.close();
process.stdout.write(
  failedParts.length === 0
    ? '\n  No problems found. Run npm run doctor again after every change of the settings.\n'
    : `\n  What to do, in this order. Then run npm run doctor again:\n${failedParts.map((part) => `  - ${part}: ${advice[part]}\n`).join('')}`,
);
process.exit(failedParts.length === 0 ? 0 : 1);

/**
 * Checks that notifications arrive (LISTEN and NOTIFY). A pooler in transaction mode accepts LISTEN, but no
 * notification ever arrives.
 */
async function checkNotifications({ db, listen }: Database): Promise<void> {
  const receivedPromise = Promise.withResolvers<void>();
  const checkText = randomUUID();
  await listen('doctor', (notice) => notice === checkText && receivedPromise.resolve());
  await db.execute(sql`select pg_notify('doctor', ${checkText})`);
  await withTimeout(3_000, receivedPromise.promise).catch((cause: unknown) => {
    throw new Error('it answers, but no notification (LISTEN and NOTIFY) arrives on this connection', { cause });
  });
}

/** Throws if audit rows were changed or removed, and names them. */
async function checkAuditTrail(db: Db): Promise<string> {
  const { rows, lastHash, breaks } = await checkAuditChain(db);
  if (breaks.length > 0) throw new Error(breaks.map(describeChainBreak).join('; '));
  return rows === 0 ? 'no act yet' : `${countText(rows, 'act')}, unbroken; the last one is ${lastHash.slice(0, 16)}`;
}
function describeChainBreak({ what, place, act, id }: AuditChainBreak): string {
  if (what === 'missing') return `acts are missing from place ${place} on`;
  if (what === 'end') return `the end of the chain was changed, or the act at place ${place} together with its hash`;
  if (what === 'not-sealed') return `act ${id} (${act}) is not part of the chain`;
  return `the act at place ${place} (${act}, ${id}) was changed, or the one before it`;
}

async function checkBackup(db: Db): Promise<string> {
  const { isOverdue, last } = await isBackupOverdue(db, systemClock.now());
  const backupText = last
    ? `the last one is of ${last.takenAt.toISOString()}, ${formatTimeAgo(last.takenAt)}: ${countText(last.files, 'file')}, ${formatMegabytes(last.sizeBytes)}`
    : 'none has been made yet';
  if (isOverdue) throw new Error(`${backupText}. Make one: npm run backup -- FILE, or set BACKUP_TO`);
  return backupText;
}

function formatTimeAgo(then: Date): string {
  const hours = Math.floor((systemClock.now().getTime() - then.getTime()) / 3_600_000);
  return hours < 48 ? `${countText(hours, 'hour')} ago` : `${countText(Math.floor(hours / 24), 'day')} ago`;
}

/** The sandbox stores its data in the database, so it cannot be checked without a database. */
function openSandbox() {
  if (!database) throw notCheckedError('the database');
  const sandboxScope = { db: database.db, clock: systemClock, deliver: () => Promise.resolve(503) };
  return createSandboxFromConfig(config, readSecrets(config.dataDir), sandboxScope);
}

/** Throws if the provider's account is not set up for sales tax. */
async function checkTaxSetup(it: CardPayments | undefined): Promise<void> {
  if (!it) throw notCheckedError('the payments');
  const calculated = await it.calculateTax({
    currency: 'usd',
    lines: [{ reference: 'line-1', kind: 'goods', quantity: 1, amountCents: 100 }],
    address: { country: 'US', state: 'NY', postalCode: '10001' },
    addressSource: 'shipping',
  });
  if (!calculated) throw new Error('the provider cannot calculate the tax for an address in New York');
}

/**
 * Check a part and print the result. Returns the result of the check, or undefined if the part has a problem. A part
 * with wrong settings is not checked: with default values, the check would test another service than the operator
 * meant.
 */
async function checkPart<T>(
  part: DoctorPart,
  kind: string,
  settings: string[],
  check: () => Promise<T>,
): Promise<T | undefined> {
  try {
    if (mistakes.some((it) => settings.some((name) => it.includes(name)))) throw notCheckedError('correct settings');
    const checkResult = await check();
    printResult(true, part, kind, typeof checkResult === 'string' ? checkResult : '');
    return checkResult;
  } catch (error) {
    if (!(error instanceof NotChecked)) failedParts.push(part);
    printResult(false, part, kind, describeError(error));
    return undefined;
  }
}

function printResult(isFine: boolean, part: string, kind: string, words: string) {
  process.stdout.write(`${isFine ? 'well ' : 'WRONG'}  ${part.padEnd(9)} ${kind}${words ? `\n       ${words}` : ''}\n`);
}

function notCheckedError(needed: string): Error {
  return new NotChecked(`not checked: it needs ${needed}, see above`);
}

/**
 * The message of an error, with the system's error code. If all addresses of a host fail, Node's error has a code but
 * no message. The error of an SDK has the code only in its cause.
 */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = systemCodeOf(error);
  const message = error.message || code || error.name;
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

/** The system's error code, such as ECONNREFUSED. */
function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && /^E[A-Z]+$/.test(code) ? code : systemCodeOf(error.cause);
}
