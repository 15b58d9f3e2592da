import { randomUUID } from 'node:crypto';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { counted } from '#contract/count-words.ts';
import { systemClock, type Database } from '#adapters/database/database.ts';
import { describeFences } from '#adapters/imaging/imaging.ts';
import { createStripePayments } from '#adapters/payments/stripe.ts';
import { isBackupOverdue } from '#shop/backups/backups.ts';
import type { CardPayments } from '#shop/ports/card-payments.ts';
import type { Db } from '#shop/ports/database.ts';
import { checkAway } from './backup/back-up-away.ts';
import { megabytes } from './backup/command.ts';
import { ConfigError, inspectConfig } from './config.ts';
import { ownEnvironment } from './environment.ts';
import { checkFiles } from './files-report.ts';
import { within } from './metrics.ts';
import {
  animatorsOf,
  databaseOf,
  eyesOf,
  mailerOf,
  ownerIdentityOf,
  sandboxOf,
  storageOf,
  tracingOf,
} from './parts.ts';
import { readSecrets } from './secrets.ts';
import { openWorkFolder } from './work-folder.ts';

/** `npm run doctor`: check the settings and every outside part, each on its own, and say in words what is wrong. */
const { config, mistakes } = inspectConfig(ownEnvironment());
type Part =
  | 'settings'
  | 'database'
  | 'storage'
  | 'work'
  | 'files'
  | 'backup'
  | 'mail'
  | 'payments'
  | 'tax'
  | 'owner'
  | 'photos'
  | 'seeing'
  | 'animator'
  | 'traces';

/** Parts that are not well, in the order they were looked at. */
const unwell: Part[] = [];

/** Another part is to be mended first. */
class NotChecked extends Error {}

/** What to do about a part that is not well, whatever it said. */
const advice: Record<Part, string> = {
  settings: 'correct the settings named above (README, Settings); a part whose settings are wrong was not looked at',
  database:
    'is PostgreSQL running, and does DATABASE_URL name it from this machine, itself or a pooler of whole sessions (pgbouncer: pool_mode = session)? Embedded: is the shop itself running?',
  storage:
    'does the bucket answer, with these S3_ keys? In a folder: is there room on the disk, and may this user write?',
  work: 'may this user write in DATA_DIR, and is there room? Files on their way lie there, those of a bucket too',
  files: 'is this the store of this very shop? Fetch what is missing from a backup before anything is swept',
  backup:
    'may this user, or may these keys, write, list and delete at BACKUP_TO? npm run backup -- FILE makes one now; one that BACKUP_TO names is made each night',
  mail: 'try SMTP_URL from this machine: port, user, password. Mails wait meanwhile, and are tried for days',
  payments:
    'does this machine reach the provider? If so, compare the STRIPE_ keys with the dashboard: all three of one account, and of one mode',
  tax: 'set up Stripe Tax in the dashboard, or STRIPE_TAX=off',
  owner: 'compare the OWNER_OIDC_ settings with the provider’s; the password signs in meanwhile',
  photos: 'npm install puts the decoders back',
  seeing: 'npm install puts the models back; photos are moved in the plain styles meanwhile',
  animator: 'FFMPEG_PATH names an encoder that runs here; with a hosted one compare the REPLICATE_ settings',
  traces: 'is the collector running at OTEL_EXPORTER_OTLP_ENDPOINT? The shop does without',
};

await look('settings', config.baseUrl, [], async () => {
  if (mistakes.length > 0) throw new ConfigError(mistakes);
});
const database = await look(
  'database',
  config.databaseUrl ? 'postgres' : 'embedded',
  ['DATABASE_', 'DATA_DIR'],
  async () => {
    const opened = await databaseOf(config, { withJobs: false });
    await opened.check();
    await hearItself(opened);
    return opened;
  },
);
const storage = await look('storage', config.s3 ? 's3' : 'directory', ['S3_', 'DATA_DIR'], async () => {
  const made = await storageOf(config, join(config.dataDir, 'work'));
  await made.check();
  return made;
});
await look('work', join(config.dataDir, 'work'), ['DATA_DIR'], async () => {
  await rmdir(await mkdtemp(join(openWorkFolder(config.dataDir, { isOurs: false }), 'check-')));
});
await look('files', config.s3 ? 's3' : 'directory', [], async () => {
  if (!database || !storage) throw notChecked('the database and the storage they are in');
  return checkFiles({ db: database.db, storage });
});
await look('backup', config.backup?.to ?? 'by hand', ['BACKUP_'], async () => {
  if (config.backup) await checkAway(config);
  if (!database) throw notChecked('the database that knows of them');
  return tellBackup(database.db);
});
await look('mail', config.smtpUrl ? 'smtp' : 'outbox', ['SMTP_', 'MAIL_', 'DATA_DIR'], async () => {
  const mailer = mailerOf(config);
  await mailer.check().finally(() => mailer.close?.());
});
const provider = await look('payments', config.stripe ? 'stripe' : 'sandbox', ['STRIPE_'], async () => {
  const found = config.stripe ? createStripePayments(config.stripe) : sandbox().payments;
  await found.check();
  return found;
});
if (config.collectsTax) await look('tax', config.stripe ? 'stripe' : 'sandbox', [], () => calculateTax(provider));
if (config.ownerOidc)
  await look('owner', config.ownerOidc.issuer, ['OWNER_OIDC_'], async () => (await ownerIdentityOf(config))!.check());
await look('photos', 'a decoder each', [], describeFences);
const eyes = eyesOf();
await look('seeing', 'models of its own', [], () => eyes.describe());
await look('animator', config.animator, ['ANIMATOR', 'REPLICATE_', 'FFMPEG_'], async () => {
  const { animator, standIn } = await animatorsOf(config, eyes);
  await standIn.check();
  if (animator !== standIn) await animator.check();
});

if (config.traces)
  await look('traces', new URL(config.traces.endpoint).origin, ['OTEL_'], async () => {
    const tracing = (await tracingOf(config, () => {}))!;
    try {
      await tracing.check();
    } finally {
      await tracing.close();
    }
  });

await database?.close();
process.stdout.write(
  unwell.length === 0
    ? '\n  All is well. Ask again after every change of the settings.\n'
    : `\n  What to do, the first first, then ask again:\n${unwell.map((part) => `  - ${part}: ${advice[part]}\n`).join('')}`,
);
process.exit(unwell.length === 0 ? 0 : 1);

/** A pooler that lends a session for one transaction takes LISTEN, and what is told then reaches nobody. */
async function hearItself({ db, listen }: Database): Promise<void> {
  const heard = Promise.withResolvers<void>();
  const words = randomUUID();
  await listen('doctor', (said) => said === words && heard.resolve());
  await db.execute(sql`select pg_notify('doctor', ${words})`);
  await within(3_000, heard.promise).catch((cause: unknown) => {
    throw new Error('it answers, but no notification (LISTEN and NOTIFY) is heard on this connection', { cause });
  });
}

async function tellBackup(db: Db): Promise<string> {
  const { isOverdue, last } = await isBackupOverdue(db, systemClock.now());
  const words = last
    ? `the last one is of ${last.takenAt.toISOString()}, ${agoOf(last.takenAt)}: ${counted(last.files, 'file')}, ${megabytes(last.sizeBytes)}`
    : 'none has been made yet';
  if (isOverdue) throw new Error(`${words}. Make one: npm run backup -- FILE, or set BACKUP_TO`);
  return words;
}

function agoOf(then: Date): string {
  const hours = Math.floor((systemClock.now().getTime() - then.getTime()) / 3_600_000);
  return hours < 48 ? `${counted(hours, 'hour')} ago` : `${counted(Math.floor(hours / 24), 'day')} ago`;
}

/** It lives in the database. */
function sandbox() {
  if (!database) throw notChecked('the database it is in');
  const over = { db: database.db, clock: systemClock, deliver: () => Promise.resolve(503) };
  return sandboxOf(config, readSecrets(config.dataDir), over);
}

/** Fails where the provider's account is not set up for it. */
async function calculateTax(it: CardPayments | undefined): Promise<void> {
  if (!it) throw notChecked('the payments it belongs to');
  const calculated = await it.calculateTax({
    currency: 'usd',
    lines: [{ reference: 'line-1', kind: 'goods', quantity: 1, amountCents: 100 }],
    address: { country: 'US', state: 'NY', postalCode: '10001' },
    addressSource: 'shipping',
  });
  if (!calculated) throw new Error('the provider does not know where New York is');
}

/**
 * Check a part and say how it is; answers what the check does, undefined when the part is not well. One whose settings
 * are wrong is not looked at: it would be another than the one that was meant.
 */
async function look<T>(part: Part, kind: string, settings: string[], check: () => Promise<T>): Promise<T | undefined> {
  try {
    if (mistakes.some((it) => settings.some((name) => it.includes(name)))) throw notChecked('its settings');
    const found = await check();
    say(true, part, kind, typeof found === 'string' ? found : '');
    return found;
  } catch (error) {
    if (!(error instanceof NotChecked)) unwell.push(part);
    say(false, part, kind, wordsOf(error));
    return undefined;
  }
}

function say(isFine: boolean, part: string, kind: string, words: string) {
  process.stdout.write(`${isFine ? 'well ' : 'WRONG'}  ${part.padEnd(9)} ${kind}${words ? `\n       ${words}` : ''}\n`);
}

function notChecked(because: string): Error {
  return new NotChecked(`not checked: ${because}, see above`);
}

/** Several addresses that were tried in vain say so in a code alone, an SDK in what lies behind its error. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = systemCodeOf(error);
  const words = error.message || code || error.name;
  return code === undefined || words.includes(code) ? words : `${words} (${code})`;
}

/** Why the system could not do it, such as ECONNREFUSED. */
function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && /^E[A-Z]+$/.test(code) ? code : systemCodeOf(error.cause);
}
