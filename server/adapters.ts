import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { createVideoFitter } from '#adapters/animation/video-fitter.ts';
import { createLocalAnimator } from '#adapters/animation/local/local-animator.ts';
import { createPageVideos } from '#adapters/animation/page-videos.ts';
import { openDatabase, type DatabaseOptions } from '#adapters/database/database.ts';
import { createPhotoAnalyzer, type PhotoAnalyzer } from '#adapters/seeing/photo-analyzer.ts';
import { createOutboxMailer } from '#adapters/mail/outbox.ts';
import { createSmtpMailer } from '#adapters/mail/smtp.ts';
import { createSandboxPayments, type SandboxSettings } from '#adapters/payments/sandbox/sandbox.ts';
import { createPostalCodes } from '#adapters/postal-codes/postal-codes.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import type { Animator } from '#shop/ports/animator.ts';
import type { LabelService } from '#shop/ports/label-service.ts';
import type { Mailbox } from '#shop/ports/inbound-mail.ts';
import type { RenderEmail } from '#shop/mail/mail.ts';
import type { Tracing } from '#shop/ports/tracing.ts';
import type { OwnerIdentity } from '#shop/ports/owner-identity.ts';
import type { Storage } from '#shop/ports/storage.ts';
import type { Config } from './config.ts';
import { migrationsFolder, projectFolder, publicFolder } from './project-folder.ts';
import type { Secrets } from './secrets.ts';

// Each function creates the adapter that the settings choose. The shop connects them; the doctor checks each one
// separately.

export const createDatabaseFromConfig = (config: Config, options: Partial<DatabaseOptions>) =>
  openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePool,
    dataDir: config.dataDir,
    migrationsFolder,
    ...options,
  });

export const createStorageFromConfig = async (config: Config, workFolder: string): Promise<Storage> =>
  config.s3
    ? (await import('#adapters/storage/s3.ts')).createS3Storage(config.s3, workFolder)
    : createDirectoryStorage(join(config.dataDir, 'files'));

export const createMailerFromConfig = (config: Config) =>
  config.smtpUrl ? createSmtpMailer(config.smtpUrl) : createOutboxMailer(join(config.dataDir, 'outbox'));

/** The mailbox of customers' emails. Undefined: the shop does not read one. */
export const createMailboxFromConfig = async ({ inboundMail }: Config): Promise<Mailbox | undefined> =>
  inboundMail?.imapUrl === undefined
    ? undefined
    : (await import('#adapters/mail/inbound/imap-mailbox.ts')).createImapMailbox(inboundMail.imapUrl);

/** Where the owner buys shipping labels. Its library is loaded only if the settings have a key. */
export const createLabelServiceFromConfig = async ({ easypost }: Config): Promise<LabelService | undefined> =>
  easypost && (await import('#adapters/labels/easypost.ts')).createEasyPost(easypost);

/** Renders emails. The renderer is loaded when the first email is rendered. */
export const createLazyEmailRenderer = (): RenderEmail => {
  let renderEmailPromise: Promise<RenderEmail> | undefined;
  const loadEmailRenderer = async () =>
    (await import('#adapters/mail/emails/render-email.ts')).createEmailRenderer(publicFolder);
  return async (...args) => (await (renderEmailPromise ??= loadEmailRenderer()))(...args);
};

export const createSandboxFromConfig = (
  config: Config,
  secrets: Secrets,
  over: Pick<SandboxSettings, 'db' | 'clock' | 'deliver'>,
) => createSandboxPayments({ ...over, webhookSecret: secrets.sandboxWebhookSecret, baseUrl: config.baseUrl });

export const createPostalCodesFromFile = () =>
  createPostalCodes(join(projectFolder, 'adapters/postal-codes/zip-codes.txt'));

export const createBundledPhotoAnalyzer = (onTrouble?: (words: string) => void): PhotoAnalyzer =>
  createPhotoAnalyzer({ modelsFolder: join(projectFolder, 'adapters/seeing/models'), ...(onTrouble && { onTrouble }) });

/** The animator that the settings choose, the local animator, and the converter for videos that the owner uploads. */
export async function createAnimatorsFromConfig(config: Config, eyes: PhotoAnalyzer) {
  const { path: ffmpegPath } = await findFfmpeg(config.ffmpegPath);
  const localStandIn = createLocalAnimator({ ffmpegPath, eyes });
  const animator = (await createHostedAnimator(config, ffmpegPath)) ?? localStandIn;
  return { animator, standIn: localStandIn, videoFitter: createVideoFitter({ ffmpegPath }) };
}

/** The path to which the owner's OpenID Connect provider redirects the browser. */
export const ownerSignInCallbackPath = '/api/admin/auth/replit/callback';

/** The sign-in of the owner at an OpenID Connect provider. Its library is loaded only if a provider is set. */
export const createOwnerIdentityFromConfig = async ({
  ownerOidc,
  baseUrl,
}: Config): Promise<OwnerIdentity | undefined> =>
  ownerOidc &&
  (await import('#adapters/identity/owner-identity.ts')).createOwnerIdentity({
    ...ownerOidc,
    callbackUrl: baseUrl + ownerSignInCallbackPath,
  });

/** Loads the tracing SDK only if a collector is set. */
export const createTracingFromConfig = async (
  { traces, role }: Config,
  onTrouble: (error: Error) => void,
): Promise<Tracing | undefined> =>
  traces &&
  (await import('#adapters/tracing/otlp.ts')).openOtlpTracing({
    ...traces,
    process: { 'service.name': 'kinframe', 'service.instance.id': randomUUID(), 'kinframe.role': role },
    onTrouble,
  });

export const createPageVideosFromConfig = (config: Config) => createPageVideos(() => findFfmpeg(config.ffmpegPath));

/** The animator outside this machine, if the settings name one. Its code is loaded only then. */
async function createHostedAnimator(config: Config, ffmpegPath: string): Promise<Animator | undefined> {
  const { replicate, comfyui, videoCosts } = config;
  const { priceCents } = videoCosts;
  if (replicate) {
    const { createReplicateAnimator } = await import('#adapters/animation/replicate/replicate-animator.ts');
    const webhookUrl = `${config.baseUrl}/api/webhooks/animator`;
    return createReplicateAnimator({ ...replicate, priceCents, ffmpegPath, webhookUrl });
  }
  if (comfyui) {
    const { createComfyuiAnimator } = await import('#adapters/animation/comfyui/comfyui-animator.ts');
    return createComfyuiAnimator({ ...comfyui, priceCents, ffmpegPath });
  }
  return undefined;
}
