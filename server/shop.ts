import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { DeliveryTimes } from '#contract/catalog.ts';
import type { EmailPosters, EmailShop } from '#contract/emails.ts';
import { systemClock, type Database } from '#adapters/database/database.ts';
import { createImaging } from '#adapters/imaging/imaging.ts';
import { inboundMailReader } from '#adapters/mail/inbound/parse-mail.ts';
import { oneTimeCodes } from '#adapters/identity/one-time-codes.ts';
import { createPasskeys } from '#adapters/identity/passkeys.ts';
import type { SandboxPayments } from '#adapters/payments/sandbox/sandbox.ts';
import { createStripePayments } from '#adapters/payments/stripe.ts';
import { hashPassword } from '#shop/accounts/passwords.ts';
import {
  subscribeToContent,
  cacheContent,
  readContent as readStoredContent,
  type ContentChanges,
  type ReadContent,
  type UnreadableSection,
} from '#shop/content/content.ts';
import { costInCents, combineSettings } from '#shop/content/shop-settings.ts';
import { reportUnreadableSection } from '#shop/content/unreadable.ts';
import { issueCode } from '#shop/gift-cards/codes.ts';
import { claimStore, StoreOfOtherShop } from '#shop/files/claim.ts';
import type { FindLinkedOrder } from '#shop/mail/links.ts';
import type { MailScope, RenderEmail } from '#shop/mail/mail.ts';
import { readAttachments } from '#shop/correspondence/attachments.ts';
import { deliveryTimesOf } from '#shop/orders/delivery-times.ts';
import { findOrderById } from '#shop/orders/orders.ts';
import type { Costs } from '#shop/margins/margins.ts';
import { readPosters } from '#shop/production/posters.ts';
import { subscribeToAnimations, type AnimationNotifications } from '#shop/production/animation-notifications.ts';
import type { PaymentPurposes } from '#shop/payments/purpose.ts';
import type { ReadProofRules } from '#shop/production/next-frame-step.ts';
import type { Animator } from '#shop/ports/animator.ts';
import type { CardPayments } from '#shop/ports/card-payments.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import type { Imaging } from '#shop/ports/imaging.ts';
import type { InboundMailReader } from '#shop/ports/inbound-mail.ts';
import type { Jobs } from '#shop/ports/jobs.ts';
import type { LabelAddress, LabelService } from '#shop/ports/label-service.ts';
import type { EmailPicture, Mailer } from '#shop/ports/mailer.ts';
import type { PageVideos } from '#shop/ports/page-videos.ts';
import type { OneTimeCodes } from '#shop/ports/one-time-codes.ts';
import type { OwnerIdentity } from '#shop/ports/owner-identity.ts';
import type { Passkeys } from '#shop/ports/passkeys.ts';
import type { PostalCodes } from '#shop/ports/postal-codes.ts';
import type { PushService } from '#shop/ports/push-service.ts';
import type { PhotoAnalyzerPort } from '#shop/ports/photo-analyzer.ts';
import type { Storage } from '#shop/ports/storage.ts';
import type { Tracing } from '#shop/ports/tracing.ts';
import { moveErasures } from '#shop/retention/erasure.ts';
import type { ReplacingScope } from '#shop/accounts/proven-email.ts';
import { purposes } from './purposes.ts';
import type { Config } from './config.ts';
import { openPanelEvents, type PanelEvents } from './live.ts';
import { throttleReports } from './log.ts';
import { countErrors, createMetrics, measureAnalyses, type Metrics } from './metrics.ts';
import { namedFiles } from './named-files.ts';
import {
  createAnimatorsFromConfig,
  createDatabaseFromConfig,
  createBundledPhotoAnalyzer,
  createLabelServiceFromConfig,
  createLazyEmailRenderer,
  createMailerFromConfig,
  createOwnerIdentityFromConfig,
  createPageVideosFromConfig,
  createPostalCodesFromFile,
  createSandboxFromConfig,
  createStorageFromConfig,
  createTracingFromConfig,
} from './adapters.ts';
import { generatePassword, storeAdminPassword, readSecrets, type Secrets } from './secrets.ts';
import { withTracedJobs, withTracing, createStatementTracer } from './traces.ts';
import { createWebPush } from '#adapters/push/web-push.ts';
import { openWorkFolder } from './work-folder.ts';

/** The services of the shop, with an implementation for every port. Handlers and jobs receive them. */
export interface Shop {
  config: Config;
  log: FastifyBaseLogger;
  metrics: Metrics;
  /** Undefined: tracing is off. */
  tracing: Tracing | undefined;
  database: Database;
  db: Db;
  jobs: Jobs;
  clock: Clock;
  storage: Storage;
  mailer: Mailer;
  inboundMailReader: InboundMailReader;
  /** The shop's own addresses, from which it expects no emails. */
  ownAddresses: () => Promise<string[]>;
  render: RenderEmail;
  provider: CardPayments;
  purposes: PaymentPurposes;
  /** Present when the provider is the embedded sandbox. */
  sandbox: SandboxPayments | undefined;
  imaging: Imaging;
  seeing: PhotoAnalyzerPort;
  passkeys: Passkeys;
  postalCodes: PostalCodes;
  onAccountReplaced: ReplacingScope['onAccountReplaced'];
  /** Notifications on the owner's devices. */
  push: PushService;
  /** Undefined: the settings name no service that sells shipping labels. */
  labels: LabelService | undefined;
  labelSender: LabelAddress | undefined;
  codes: OneTimeCodes;
  /** Undefined: the owner cannot sign in at an OpenID Connect provider. */
  ownerIdentity: OwnerIdentity | undefined;
  /** The animator that the settings choose. */
  animator: Animator;
  /** The animator on this machine. It is the same as `animator`, or replaces a hosted animator when needed. */
  standIn: Animator;
  videoFitter: Animator;
  /** True if the animator of this machine makes all videos. Previews and free videos need it. */
  makesVideosHere: boolean;
  /** Whether photos get previews: the settings allow it, and the animator of this machine also makes the videos. */
  hasPreviews: (db: Db) => Promise<boolean>;
  /** Whether visitors can try the shop with a photo: the settings allow it, and no hosted animator makes the videos. */
  hasTrials: (db: Db) => Promise<boolean>;
  autoApproves: (db: Db) => Promise<boolean>;
  costs: (db: Db) => Promise<Costs>;
  pageVideos: PageVideos;
  animationNews: AnimationNotifications;
  proofRules: ReadProofRules;
  deliveryTimes: () => Promise<DeliveryTimes>;
  /** A folder on the local disk for temporary files. */
  workFolder: string;
  adminPasswordHash: string;
  /** Shown once, at the first start without an ADMIN_PASSWORD. */
  generatedAdminPassword: string | undefined;
  /** Returns the absolute address of a path: BASE_URL and the path. */
  link: (path: string) => string;
  live: PanelEvents;
  readContent: ReadContent;
  contentNews: ContentChanges;
  ownerEmail: () => Promise<string>;
  readEmailShop: () => Promise<EmailShop>;
  /** Finds an order for the links in emails. */
  orderById: FindLinkedOrder;
  readAttachments: MailScope['readAttachments'];
  /** Creates a code for a gift card, to be sent in the email with the card. */
  giftCardCode: (giftCardId: string) => Promise<string | undefined>;
  readPosters: (of: EmailPosters) => Promise<EmailPicture[]>;
  /** Delivers the sandbox's webhooks to this process; set once the HTTP server is ready. */
  webhookEndpoint: { deliver: (rawBody: string, headers: Record<string, string>) => Promise<number> };
  close(): Promise<void>;
}

export type ShopOverrides = Partial<
  Pick<
    Shop,
    'clock' | 'storage' | 'mailer' | 'push' | 'labels' | 'imaging' | 'seeing' | 'animator' | 'standIn' | 'videoFitter'
  >
> & {
  /** false: no job is enqueued or run, for tools that only read. */
  withJobs?: boolean;
  /** An open database, closed with the shop. */
  database?: Database;
  /** Replaces the payment provider. The function receives the sandbox of the shop's database. */
  provider?: (sandbox: SandboxPayments) => CardPayments;
};

/** Create and connect all services of the shop. `close` closes everything that was opened here. */
export async function openShop(config: Config, log: FastifyBaseLogger, overrides: ShopOverrides = {}): Promise<Shop> {
  const metrics = createMetrics();
  const onError = throttleReports((error, unsaid) =>
    log.error({ err: error, ...(unsaid > 0 && { unsaid }) }, 'background part failed'),
  );
  const onDatabaseError = (error: unknown) => {
    metrics.databaseErrors.inc();
    onError(error);
  };
  const runsJobs = overrides.withJobs ?? true;
  const tracing = await createTracingFromConfig(config, (error) =>
    log.warn({ err: error }, 'traces could not be sent'),
  );
  /** Wraps a service for tracing. Without tracing, it is not wrapped and its calls cost nothing extra. */
  const traceIfEnabled = <Part extends object>(part: Part, name: string): Part =>
    tracing ? withTracing(part, name, tracing) : part;
  const openedDatabase =
    overrides.database ??
    (await createDatabaseFromConfig(config, {
      withJobs: runsJobs,
      onError: onDatabaseError,
      observeStatement: tracing && createStatementTracer(tracing),
    }));
  const database = tracing ? { ...openedDatabase, jobs: withTracedJobs(openedDatabase.jobs, tracing) } : openedDatabase;
  const { db, jobs } = database;
  const clock = overrides.clock ?? systemClock;
  const workFolder = openWorkFolder(config.dataDir, { isOurs: database.engine === 'embedded' });

  const secrets = readSecrets(config.dataDir);
  const { adminPasswordHash, generatedAdminPassword } = await readAdminPassword(config, secrets);

  const webhookEndpoint: Shop['webhookEndpoint'] = { deliver: () => Promise.resolve(503) };
  const sandbox = config.stripe
    ? undefined
    : createSandboxFromConfig(config, secrets, {
        db,
        clock,
        deliver: (rawBody, headers) => webhookEndpoint.deliver(rawBody, headers),
      });
  const provider = traceIfEnabled(
    config.stripe ? createStripePayments(config.stripe) : (overrides.provider?.(sandbox!) ?? sandbox!.payments),
    'payments',
  );

  const mailer = traceIfEnabled<Mailer>(overrides.mailer ?? createMailerFromConfig(config), 'mail');

  const absoluteUrlOf = (path: string) => config.baseUrl + path;
  const readOwnerEmail = async () => (await readSiteSettings()).contactEmail;
  const reportSection = (problem: UnreadableSection) => {
    log.error(problem, 'saved content cannot be read');
    reportUnreadableSection({ db, clock, jobs, link: absoluteUrlOf, ownerEmail: readOwnerEmail }, problem).catch(
      onError,
    );
  };
  const contentChanges = await subscribeToContent(database.listen);
  const readContent = cacheContent(db, clock, contentChanges, reportSection);
  const readSiteSettings = () => readContent('site');
  const photoAnalyzer = createBundledPhotoAnalyzer((words) => log.warn(words));
  const { animator, standIn = animator, videoFitter = animator } = overrides;
  const animators =
    animator && standIn && videoFitter
      ? { animator, standIn, videoFitter }
      : await createAnimatorsFromConfig(config, photoAnalyzer);
  const makesVideosHere = animators.animator.id === animators.standIn.id;
  /**
   * The settings in use. A transaction reads them from the database; everything else reads them from the cache that
   * a save by any process clears.
   */
  const readSettings = async (from: Db) =>
    combineSettings(
      config.ownersSettings,
      from === db ? await readContent('settings') : await readStoredContent(from, 'settings'),
    );
  const readProofRules: ReadProofRules = async (from) => {
    const { proof, customerRedos } = await readSettings(from);
    return { when: proof, redos: customerRedos };
  };
  const storage = overrides.storage ?? (await createStorageFromConfig(config, workFolder));
  const countedStorage = traceIfEnabled(countErrors(storage, metrics.storageErrors), 'storage');
  const shop: Shop = {
    config,
    log,
    metrics,
    tracing,
    database,
    db,
    jobs,
    clock,
    storage: countedStorage,
    mailer,
    inboundMailReader,
    ownAddresses: async () => [extractAddress(config.mailFrom), (await readSiteSettings()).contactEmail],
    render: createLazyEmailRenderer(),
    provider,
    purposes,
    onAccountReplaced: moveErasures,
    sandbox,
    imaging: overrides.imaging ?? createImaging(),
    seeing: measureAnalyses(overrides.seeing ?? photoAnalyzer, metrics.looks),
    passkeys: createPasskeys(config.baseUrl),
    postalCodes: createPostalCodesFromFile(),
    push: overrides.push ?? createWebPush({ contact: config.baseUrl }),
    labels: overrides.labels ?? (await createLabelServiceFromConfig(config)),
    labelSender: config.shipFrom,
    codes: oneTimeCodes,
    ownerIdentity: await createOwnerIdentityFromConfig(config),
    ...animators,
    makesVideosHere,
    hasPreviews: async (from) => makesVideosHere && (await readSettings(from)).previews === 'on',
    hasTrials: async (from) => makesVideosHere && (await readSettings(from)).trials === 'on',
    autoApproves: async (from) => (await readSettings(from)).autoApprove === 'on',
    costs: async (from) => {
      const { frameCostDollars, shippingCostDollars } = await readSettings(from);
      return { frameCents: costInCents(frameCostDollars), parcelCents: costInCents(shippingCostDollars) };
    },
    pageVideos: createPageVideosFromConfig(config),
    animationNews: await subscribeToAnimations(database.listen),
    proofRules: readProofRules,
    deliveryTimes: async () => deliveryTimesOf(config.deliveryDays, await readContent('shipping')),
    workFolder,
    adminPasswordHash,
    generatedAdminPassword,
    link: absoluteUrlOf,
    live: await openPanelEvents(database),
    readContent,
    contentNews: contentChanges,
    ownerEmail: readOwnerEmail,
    readEmailShop: async () => {
      const { name, contactEmail } = await readSiteSettings();
      return { name, baseUrl: config.baseUrl, supportEmail: contactEmail };
    },
    orderById: findOrderById,
    readAttachments: (files) => readAttachments({ storage: countedStorage }, files),
    giftCardCode: (id) => issueCode(db, clock, id),
    readPosters: (of) => readPosters({ db, storage: countedStorage, proofRules: readProofRules }, of),
    webhookEndpoint,
    async close() {
      await database.close();
      mailer.close?.();
      await tracing?.close();
    },
  };
  // Tools that only read must not write the shop's id into the file store.
  if (runsJobs)
    await claimStoreWithTimeout(shop).catch(async (error: unknown) => {
      await shop.close();
      throw error;
    });
  return shop;
}

/** The bare address of `Name <address>`. */
const extractAddress = (mailbox: string) => /<([^<>]+)>$/.exec(mailbox)?.[1] ?? mailbox;

/**
 * Check that the file store belongs to this shop. If the store does not respond in time, the shop starts anyway: it is
 * not ready until the store responds, and each sweep repeats the check first.
 */
async function claimStoreWithTimeout({ db, storage, log }: Shop): Promise<void> {
  const timeoutPromise = wait(claimMs, undefined, { ref: false }).then(() => {
    throw new Error('the store of files does not answer');
  });
  try {
    await Promise.race([claimStore({ db, storage, fileSources: namedFiles }), timeoutPromise]);
  } catch (error) {
    if (error instanceof StoreOfOtherShop) throw error;
    log.warn({ err: error }, 'the store of files could not be compared with the database');
  }
}
const claimMs = 10_000;

/**
 * The hash of the owner's password from the settings. Without one, the first start generates a password and shows it
 * once.
 */
async function readAdminPassword({ adminPassword, dataDir }: Config, secrets: Secrets) {
  if (adminPassword === undefined) {
    if (secrets.adminPasswordHash !== undefined)
      return { adminPasswordHash: secrets.adminPasswordHash, generatedAdminPassword: undefined };
    const generatedPassword = generatePassword();
    const passwordHash = storeAdminPassword(dataDir, secrets, await hashPassword(generatedPassword));
    return { adminPasswordHash: passwordHash, generatedAdminPassword: generatedPassword };
  }
  const hash = 'hash' in adminPassword ? adminPassword.hash : await hashPassword(adminPassword.plain);
  return { adminPasswordHash: hash, generatedAdminPassword: undefined };
}
