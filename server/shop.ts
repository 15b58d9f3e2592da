import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { LetterShop } from '#contract/letters.ts';
import { shopTimeZone } from '#contract/promotion-days.ts';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { createLocalAnimator } from '#adapters/animation/local/local-animator.ts';
import { openDatabase, systemClock, type Database } from '#adapters/database/database.ts';
import { createImaging } from '#adapters/imaging/imaging.ts';
import { renderLetter } from '#adapters/mail/letters/render-letter.ts';
import { createOutboxMailer } from '#adapters/mail/outbox.ts';
import { createSmtpMailer } from '#adapters/mail/smtp.ts';
import { createSandboxPayments, type SandboxPayments } from '#adapters/payments/sandbox/sandbox.ts';
import { createStripePayments } from '#adapters/payments/stripe.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { hashPassword } from '#shop/accounts/passwords.ts';
import { rememberContent, type ReadContent } from '#shop/content/content.ts';
import type { RenderLetter } from '#shop/mail/mail.ts';
import type { Animator, CardPayments, Clock, Db, Imaging, Jobs, Mailer, Storage } from '#shop/ports.ts';
import type { Config } from './config.ts';
import { projectFolder } from './project-folder.ts';
import { generatePassword, keepAdminPassword, readSecrets, type Secrets } from './secrets.ts';
import { openWorkFolder } from './work-folder.ts';

/** The shop with every port made real: what handlers and jobs take their parts from. */
export interface Shop {
  config: Config;
  log: FastifyBaseLogger;
  database: Database;
  db: Db;
  jobs: Jobs;
  clock: Clock;
  storage: Storage;
  mailer: Mailer;
  render: RenderLetter;
  provider: CardPayments;
  /** Present when the provider is the embedded sandbox. */
  sandbox: SandboxPayments | undefined;
  imaging: Imaging;
  animator: Animator;
  /** Local disk for files on their way. */
  workFolder: string;
  adminPasswordHash: string;
  /** Shown once, at the first start without an ADMIN_PASSWORD. */
  generatedAdminPassword: string | undefined;
  /** An absolute address of this shop from a path, by BASE_URL. */
  link: (path: string) => string;
  readContent: ReadContent;
  ownerEmail: () => Promise<string>;
  letterShop: () => Promise<LetterShop>;
  /** Takes the sandbox's webhooks to this very process; set once the HTTP door is open. */
  webhookDoor: { deliver: (rawBody: string, headers: Record<string, string>) => Promise<number> };
  close(): Promise<void>;
}

export type ShopOverrides = Partial<Pick<Shop, 'clock' | 'storage' | 'mailer' | 'imaging' | 'animator'>> & {
  /** false: nothing is enqueued or worked, for tools that only look. */
  withJobs?: boolean;
  /** An open database, closed with the shop. */
  database?: Database;
  /** Another provider, made over the shop's database. */
  provider?: (sandbox: SandboxPayments) => CardPayments;
};

/** Wire the shop. Everything opened here closes with `close`. */
export async function openShop(config: Config, log: FastifyBaseLogger, overrides: ShopOverrides = {}): Promise<Shop> {
  const onError = (error: unknown) => log.error({ err: error }, 'background part failed');
  const database =
    overrides.database ??
    (await openDatabase({
      url: config.databaseUrl,
      dataDir: config.dataDir,
      migrationsFolder: join(projectFolder, 'db/migrations'),
      withJobs: overrides.withJobs ?? true,
      onError,
    }));
  const { db, jobs } = database;
  const clock = overrides.clock ?? systemClock;
  const workFolder = openWorkFolder(config.dataDir, { isOurs: database.engine === 'embedded' });

  const secrets = readSecrets(config.dataDir);
  const { adminPasswordHash, generatedAdminPassword } = await adminPasswordOf(config, secrets);

  const webhookDoor: Shop['webhookDoor'] = { deliver: () => Promise.resolve(503) };
  const sandbox = config.stripe
    ? undefined
    : createSandboxPayments({
        db,
        clock,
        webhookSecret: secrets.sandboxWebhookSecret,
        baseUrl: config.baseUrl,
        deliver: (rawBody, headers) => webhookDoor.deliver(rawBody, headers),
      });
  const provider = config.stripe
    ? createStripePayments(config.stripe)
    : (overrides.provider?.(sandbox!) ?? sandbox!.payments);

  const mailer =
    overrides.mailer ??
    (config.smtpUrl ? createSmtpMailer(config.smtpUrl) : createOutboxMailer(join(config.dataDir, 'outbox')));

  const readContent = await rememberContent(db, database.listen);
  const site = () => readContent('site');
  return {
    config,
    log,
    database,
    db,
    jobs,
    clock,
    storage:
      overrides.storage ??
      (config.s3
        ? (await import('#adapters/storage/s3.ts')).createS3Storage(config.s3)
        : createDirectoryStorage(join(config.dataDir, 'files'))),
    mailer,
    render: renderLetter,
    provider,
    sandbox,
    imaging: overrides.imaging ?? createImaging(),
    animator: overrides.animator ?? createLocalAnimator({ ffmpegPath: (await findFfmpeg(config.ffmpegPath)).path }),
    workFolder,
    adminPasswordHash,
    generatedAdminPassword,
    link: (path) => config.baseUrl + path,
    readContent,
    ownerEmail: async () => (await site()).contactEmail,
    letterShop: async () => {
      const { name, contactEmail } = await site();
      return { name, baseUrl: config.baseUrl, supportEmail: contactEmail, timeZone: shopTimeZone };
    },
    webhookDoor,
    async close() {
      await database.close();
      mailer.close?.();
    },
  };
}

/** The owner's own, else one that is made at the first start without one and shown that once. */
async function adminPasswordOf({ adminPassword, dataDir }: Config, secrets: Secrets) {
  if (adminPassword === undefined) {
    if (secrets.adminPasswordHash !== undefined)
      return { adminPasswordHash: secrets.adminPasswordHash, generatedAdminPassword: undefined };
    const generated = generatePassword();
    const kept = keepAdminPassword(dataDir, secrets, await hashPassword(generated));
    return { adminPasswordHash: kept, generatedAdminPassword: generated };
  }
  const hash = 'hash' in adminPassword ? adminPassword.hash : await hashPassword(adminPassword.plain);
  return { adminPasswordHash: hash, generatedAdminPassword: undefined };
}
