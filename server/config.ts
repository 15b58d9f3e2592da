import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { readWorkflow, type Workflow } from '#adapters/animation/comfyui/workflow.ts';
import type { ServerSettings } from '#contract/content-forms.ts';
import type { LabelAddress } from '#shop/ports/label-service.ts';
import type { Environment } from './environment.ts';

/** Every setting, parsed. Operators read docs/settings.md. */
export interface Config {
  port: number;
  host: string;
  /**
   * Origin without a trailing slash. It is used for links in emails, canonical addresses, cookies and origin checks.
   */
  baseUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** The number of PostgreSQL connections for requests and jobs of this process. */
  databasePool: number;
  s3:
    | { bucket: string; endpoint: string | undefined; region: string; accessKeyId: string; secretAccessKey: string }
    | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Where customers' emails arrive. Undefined: the shop does not read emails. */
  inboundMail:
    | {
        /** The address that customers write to. Reply addresses add `+` and a token to its local part. */
        address: string;
        imapUrl: string | undefined;
        webhookSecret: string | undefined;
      }
    | undefined;
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | undefined } | undefined;
  /** Where the owner buys shipping labels. Undefined: no labels are sold in the panel. */
  easypost: { apiKey: string; apiBase: string | undefined; webhookSecret: string | undefined } | undefined;
  /** The address that packages are sent from. */
  shipFrom: LabelAddress | undefined;
  /** True if the payment provider calculates sales tax. */
  collectsTax: boolean;
  adminPassword: { plain: string } | { hash: string } | undefined;
  adminKey: string | undefined;
  /** True if a sign-in requires the second factor, when the owner has set one up. */
  asksSecondFactor: boolean;
  adminAllowedIps: string[];
  /** The owner's account at an OpenID Connect provider. */
  ownerOidc: { issuer: string; clientId: string; clientSecret: string | undefined; subject: string } | undefined;
  trustProxy: string[];
  animator: 'local' | 'replicate' | 'comfyui';
  /** Settings of Replicate, if `animator` names it. */
  replicate: { token: string; model: string; apiBase: string | undefined } | undefined;
  /** Settings of the operator's own ComfyUI server, if `animator` names it. */
  comfyui: { url: string; token: string | undefined; workflow: Workflow; model: string | undefined } | undefined;
  /** What an animator other than the local one costs, in cents. */
  videoCosts: {
    /** 0 if it is free, or if its price is not set. */
    priceCents: number;
    /** The most to spend in a month; undefined: no limit. */
    monthlyCapCents: number | undefined;
  };
  /** Settings that the owner can save in the panel. Only those that are set here; they win over the saved ones. */
  ownersSettings: ServerSettings;
  /** Days for estimates. Undefined: the owner sets them in the panel. */
  deliveryDays: { handlingDays: number | undefined; transitDays: number | undefined };
  ffmpegPath: string | undefined;
  /** Settings of the nightly backup. Undefined if the shop makes none. */
  backup:
    | {
        /** A folder, or s3://bucket/folder, as it was set. */
        to: string;
        /** How many backups are kept. Older ones are deleted. */
        keep: number;
        /** Set if `to` is a bucket. */
        s3: (NonNullable<Config['s3']> & { folder: string }) | undefined;
      }
    | undefined;
  /** Encrypts backups; undefined: they are not encrypted. */
  backupPassphrase: string | undefined;
  role: 'all' | 'web' | 'worker';
  /** How many seconds the process may take to finish started work after a stop signal. */
  stopSeconds: number;
  rateLimits: boolean;
  /** True if the sweep of stored files stops when it would remove too many files in one run. */
  limitsSweep: boolean;
  logLevel: string;
  /** The OTLP collector that receives traces over HTTP. */
  traces: { endpoint: string; headers: Record<string, string> } | undefined;
  /** True if the shop serves real customers: settings that only the demo may use are refused. */
  isProduction: boolean;
}

/** Lists every mistake in the settings. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly mistakes: string[];
  constructor(mistakes: string[]) {
    super(`The settings are not right:\n${mistakes.map((it) => `  - ${it}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

/** An empty value, such as `PORT=` in a .env file, means that the setting is not set. */
const optionalSetting = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
const onOffSetting = optionalSetting(z.enum(['on', 'off'], 'must be on or off'));
const ipRanges = optionalSetting(
  z.string().transform((text, context) => {
    const rangeTexts = text
      .split(',')
      .map((it) => it.trim())
      .filter(Boolean);
    for (const range of rangeTexts)
      if (!ipaddr.isValid(range) && !ipaddr.isValidCIDR(range))
        context.addIssue(`has ${JSON.stringify(range)}, which is neither an address nor a CIDR range`);
    // An empty ADMIN_ALLOWED_IPS would allow everyone.
    if (rangeTexts.length === 0) context.addIssue('names no address');
    return rangeTexts;
  }),
);
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const dollarText = z.string().regex(/^\d{1,7}(\.\d{1,2})?$/, 'must be dollars, such as 0.35 or 50');
const dollarsSetting = optionalSetting(dollarText.transform(Number));
const centsSetting = optionalSetting(dollarText.transform((text) => Math.round(Number(text) * 100)));

const bucketUrlPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([a-zA-Z0-9._-]+(?:\/[a-zA-Z0-9._-]+)*)\/?$/;

/**
 * The folders that the shop uses in a bucket and in the data folder. Backups must not be stored there: the sweep would
 * delete them, or they would disturb the shop.
 */
const reservedFolders = {
  inBucket:
    'originals display thumbnails wholes pieces videos posters films previews trials returns labels connections content tickets check trash'.split(
      ' ',
    ),
  inDataDir: 'db files work outbox outgoing-backup'.split(' '),
};

const poolText = 'must be a number of connections, from 1 to 500';

/** Returns the file that prevents creating a folder at this path: the path or one of its parents is a file. */
function findFileBlockingFolder(path: string): string | undefined {
  const doesExist = existsSync(path);
  if (doesExist || path === dirname(path)) return doesExist && !statSync(path).isDirectory() ? path : undefined;
  return findFileBlockingFolder(dirname(path));
}

const Settings = z.object({
  PORT: optionalSetting(
    z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port number')
      .transform(Number)
      .pipe(z.int().max(65_535, 'must be a port number')),
  ),
  HOST: optionalSetting(z.string().max(255)),
  BASE_URL: optionalSetting(httpUrl),
  DATA_DIR: optionalSetting(
    z.string().superRefine((path, context) => {
      const file = findFileBlockingFolder(resolve(path));
      if (file) context.addIssue(`cannot be a folder: ${file} is a file`);
    }),
  ),
  DATABASE_URL: optionalSetting(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })),
  DATABASE_POOL: optionalSetting(
    z
      .string()
      .refine((text) => /^\d{1,3}$/.test(text) && 1 <= +text && +text <= 500, poolText)
      .transform(Number),
  ),
  S3_BUCKET: optionalSetting(z.string()),
  S3_ENDPOINT: optionalSetting(httpUrl),
  S3_REGION: optionalSetting(z.string()),
  S3_ACCESS_KEY_ID: optionalSetting(z.string()),
  S3_SECRET_ACCESS_KEY: optionalSetting(z.string()),
  SMTP_URL: optionalSetting(z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })),
  MAIL_FROM: optionalSetting(
    z.string().regex(/^[^<>\r\n]*<?[^<>@\s]+@[^<>@\s]+>?$/, 'must be an email address, or a name and <address>'),
  ),
  INBOUND_MAIL: optionalSetting(
    z
      .string()
      // Mail servers accept 64 characters before the @, and the token with its + needs 33.
      .regex(
        /^[^\s@<>,;:"+]{1,31}@[^\s@<>,;:"]+$/,
        'must be an email address with at most 31 characters and no + before its @',
      ),
  ),
  IMAP_URL: optionalSetting(
    z
      .url({ protocol: /^imaps?$/, error: 'must be an imap:// or imaps:// address' })
      .refine(
        (text) => new URL(text).username !== '' && new URL(text).password !== '',
        'must have a user and a password',
      ),
  ),
  INBOUND_WEBHOOK_SECRET: optionalSetting(
    z.string().regex(/^[\x21-\x7e]{16,200}$/, 'must have 16 to 200 characters, without spaces'),
  ),
  STRIPE_SECRET_KEY: optionalSetting(
    z.string().regex(/^(sk|rk)_(test|live)_/, 'must be a Stripe secret key (sk_… or rk_…)'),
  ),
  STRIPE_PUBLISHABLE_KEY: optionalSetting(
    z.string().regex(/^pk_(test|live)_/, 'must be a Stripe publishable key (pk_…)'),
  ),
  STRIPE_WEBHOOK_SECRET: optionalSetting(z.string().regex(/^whsec_/, 'must be a webhook signing secret (whsec_…)')),
  STRIPE_API_BASE: optionalSetting(httpUrl),
  STRIPE_TAX: onOffSetting,
  EASYPOST_API_KEY: optionalSetting(
    z.string().regex(/^[\x21-\x7e]{8,200}$/, 'must be an API key of EasyPost (EZAK… or EZTK…)'),
  ),
  EASYPOST_API_BASE: optionalSetting(httpUrl),
  EASYPOST_WEBHOOK_SECRET: optionalSetting(z.string().min(16, 'must have at least 16 characters').max(200)),
  SHIP_FROM_NAME: optionalSetting(z.string().max(100)),
  SHIP_FROM_STREET: optionalSetting(z.string().max(200)),
  SHIP_FROM_CITY: optionalSetting(z.string().max(100)),
  SHIP_FROM_STATE: optionalSetting(z.string().regex(/^[A-Z]{2}$/, 'must be a state as two letters, such as ME')),
  SHIP_FROM_ZIP: optionalSetting(z.string().regex(/^\d{5}(-\d{4})?$/, 'must be a ZIP code, such as 04101')),
  SHIP_FROM_PHONE: optionalSetting(z.string().regex(/^[+\d() .-]{7,30}$/, 'must be a phone number')),
  ADMIN_PASSWORD: optionalSetting(z.string().min(12, 'must have at least 12 characters')),
  ADMIN_PASSWORD_HASH: optionalSetting(z.string().startsWith('$argon2id$', 'must be an argon2id hash')),
  ADMIN_KEY: optionalSetting(z.string().min(32, 'must have at least 32 characters')),
  ADMIN_SECOND_FACTOR: onOffSetting,
  ADMIN_ALLOWED_IPS: ipRanges,
  TRUST_PROXY: ipRanges,
  OWNER_OIDC_ISSUER: optionalSetting(httpUrl),
  OWNER_OIDC_CLIENT_ID: optionalSetting(z.string().max(500)),
  OWNER_OIDC_CLIENT_SECRET: optionalSetting(z.string().max(500)),
  OWNER_OIDC_SUBJECT: optionalSetting(z.string().max(255)),
  ANIMATOR: optionalSetting(z.enum(['local', 'replicate', 'comfyui'], 'must be local, replicate or comfyui')),
  REPLICATE_API_TOKEN: optionalSetting(z.string().min(8, 'must be an API token')),
  REPLICATE_MODEL: optionalSetting(
    z.string().regex(/^[\w.-]+\/[\w.-]+(:[\w.-]+)?$/, 'must be a model as owner/name, or owner/name:version'),
  ),
  REPLICATE_API_BASE: optionalSetting(httpUrl),
  COMFYUI_URL: optionalSetting(httpUrl),
  COMFYUI_TOKEN: optionalSetting(z.string().regex(/^[\x21-\x7e]{8,}$/, 'must be a token of at least 8 characters')),
  COMFYUI_WORKFLOW: optionalSetting(
    z.string().transform((path, context) => {
      try {
        return readWorkflow(path);
      } catch (error) {
        context.addIssue((error as Error).message);
        return z.NEVER;
      }
    }),
  ),
  COMFYUI_MODEL: optionalSetting(z.string().max(100, 'must have at most 100 characters')),
  ANIMATOR_PRICE: centsSetting,
  ANIMATOR_MONTHLY_CAP: centsSetting,
  FRAME_COST: dollarsSetting,
  SHIPPING_COST: dollarsSetting,
  AUTO_APPROVE: onOffSetting,
  PREVIEWS: onOffSetting,
  TRIAL: onOffSetting,
  PROOF: optionalSetting(z.enum(['off', 'before', 'after'], 'must be off, before or after')),
  CUSTOMER_REDOS: optionalSetting(
    z
      .string()
      .regex(/^\d{1,2}$/, 'must be a number from 0 to 99')
      .transform(Number),
  ),
  HANDLING_DAYS: optionalSetting(
    z
      .string()
      .regex(/^\d{1,2}$/, 'must be a number of business days, from 0 to 99')
      .transform(Number),
  ),
  TRANSIT_DAYS: optionalSetting(
    z
      .string()
      .regex(/^[1-9]\d?$/, 'must be a number of business days, from 1 to 99')
      .transform(Number),
  ),
  FFMPEG_PATH: optionalSetting(z.string().refine(existsSync, 'names no file')),
  BACKUP_TO: optionalSetting(
    z
      .string()
      .refine(
        (to) => (to.startsWith('s3://') ? bucketUrlPattern.test(to) : isAbsolute(to)),
        'must be a folder by its whole path, or s3://bucket/folder',
      ),
  ),
  BACKUP_KEEP: optionalSetting(
    z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'must be a number of backups, from 1 to 999')
      .transform(Number),
  ),
  BACKUP_S3_ENDPOINT: optionalSetting(httpUrl),
  BACKUP_S3_REGION: optionalSetting(z.string()),
  BACKUP_S3_ACCESS_KEY_ID: optionalSetting(z.string()),
  BACKUP_S3_SECRET_ACCESS_KEY: optionalSetting(z.string()),
  BACKUP_PASSPHRASE: optionalSetting(z.string().min(16, 'must have at least 16 characters')),
  ROLE: optionalSetting(z.enum(['all', 'web', 'worker'], 'must be all, web or worker')),
  STOP_SECONDS: optionalSetting(
    z
      .string()
      .regex(/^([5-9]|[1-9]\d|[1-5]\d\d|600)$/, 'must be a number of seconds, from 5 to 600')
      .transform(Number),
  ),
  RATE_LIMITS: onOffSetting,
  SWEEP_LIMIT: onOffSetting,
  LOG_LEVEL: optionalSetting(
    z.enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be a pino level: trace, debug, info, warn, error, fatal or silent',
    ),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalSetting(httpUrl),
  OTEL_EXPORTER_OTLP_HEADERS: optionalSetting(
    z.string().transform((text, context) => {
      const headerMatches = text
        .split(',')
        .map((it) => /^\s*([\w-]+)=((?:[\x21-\x24\x26-\x7e]|%[\da-fA-F]{2})+)\s*$/.exec(it));
      if (headerMatches.some((it) => it === null))
        context.addIssue('must be headers as name=value,name=value, with what is no letter as %20');
      return Object.fromEntries(headerMatches.flatMap((it) => (it ? [[it[1]!, decodeURIComponent(it[2]!)]] : [])));
    }),
  ),
  ALLOW_DEMO: onOffSetting,
  NODE_ENV: optionalSetting(z.string()),
});

export type SettingName = keyof typeof Settings.shape;

/** Read and check the settings; throws a ConfigError that names every mistake at once. */
export function readConfig(environment: Environment): Config {
  const { config, mistakes } = inspectConfig(environment);
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

/** The settings without the invalid ones, and every mistake in them. */
export function inspectConfig(ownDefaults: Environment): { config: Config; mistakes: string[] } {
  const { environment, mistakes } = withSecretFiles(ownDefaults);
  const parseResult = Settings.safeParse(environment);
  if (!parseResult.success)
    mistakes.push(...parseResult.error.issues.map((it) => `${it.path.join('.')} ${it.message}`));
  // Check the rules between settings with the valid settings only. One start then reports every mistake.
  const brokenSettings = new Set(parseResult.success ? [] : parseResult.error.issues.map((it) => String(it.path[0])));
  const validEnvironment = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !brokenSettings.has(name)),
  );
  const settings = Settings.parse(validEnvironment);
  const config = createConfig(settings);
  mistakes.push(...findSettingMistakes(settings, config));
  return { config, mistakes };
}

/** Settings that are secrets. Each may also come from a file, as NAME_FILE. */
export const secretNames = [
  'DATABASE_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'IMAP_URL',
  'INBOUND_WEBHOOK_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'EASYPOST_API_KEY',
  'EASYPOST_WEBHOOK_SECRET',
  'ADMIN_PASSWORD',
  'ADMIN_PASSWORD_HASH',
  'ADMIN_KEY',
  'OWNER_OIDC_CLIENT_SECRET',
  'REPLICATE_API_TOKEN',
  'COMFYUI_TOKEN',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'BACKUP_PASSPHRASE',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const satisfies (keyof typeof Settings.shape)[];

/** The name of every setting, including those that end in _FILE. */
export const settingNames: ReadonlySet<string> = new Set([
  ...Object.keys(Settings.shape),
  ...secretNames.map((it) => `${it}_FILE`),
]);

/** The settings, with secrets read from their files. A line break at the end of a file is not part of the secret. */
function withSecretFiles(ownDefaults: Environment): { environment: Environment; mistakes: string[] } {
  const environment = { ...ownDefaults };
  const settingMistakes: string[] = [];
  for (const name of secretNames) {
    const path = ownDefaults[`${name}_FILE`];
    if (!path) continue;
    if (ownDefaults[name]) settingMistakes.push(`${name} and ${name}_FILE are both set: set only one`);
    try {
      const secret = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
      if (secret === '') settingMistakes.push(`${name}_FILE names an empty file: ${path}`);
      environment[name] = secret;
    } catch (error) {
      settingMistakes.push(
        `${name}_FILE names a file that cannot be read: ${path} (${(error as NodeJS.ErrnoException).code})`,
      );
    }
  }
  return { environment, mistakes: settingMistakes };
}

function createConfig(settings: z.infer<typeof Settings>): Config {
  const port = settings.PORT ?? 3000;
  const { S3_BUCKET, STRIPE_SECRET_KEY } = settings;
  return {
    port,
    host: settings.HOST ?? '127.0.0.1',
    baseUrl: new URL(settings.BASE_URL ?? `http://localhost:${port}`).origin,
    dataDir: resolve(settings.DATA_DIR ?? './data'),
    databaseUrl: settings.DATABASE_URL,
    databasePool: settings.DATABASE_POOL ?? 10,
    s3: S3_BUCKET
      ? {
          bucket: S3_BUCKET,
          endpoint: settings.S3_ENDPOINT,
          region: settings.S3_REGION ?? 'us-east-1',
          accessKeyId: settings.S3_ACCESS_KEY_ID ?? '',
          secretAccessKey: settings.S3_SECRET_ACCESS_KEY ?? '',
        }
      : undefined,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM ?? 'Kinframe <hello@kinframe.example>',
    inboundMail:
      settings.INBOUND_MAIL === undefined
        ? undefined
        : {
            address: settings.INBOUND_MAIL.toLowerCase(),
            imapUrl: settings.IMAP_URL,
            webhookSecret: settings.INBOUND_WEBHOOK_SECRET,
          },
    stripe: STRIPE_SECRET_KEY
      ? {
          secretKey: STRIPE_SECRET_KEY,
          publishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? '',
          webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? '',
          apiBase: settings.STRIPE_API_BASE,
        }
      : undefined,
    easypost:
      settings.EASYPOST_API_KEY === undefined
        ? undefined
        : {
            apiKey: settings.EASYPOST_API_KEY,
            apiBase: settings.EASYPOST_API_BASE,
            webhookSecret: settings.EASYPOST_WEBHOOK_SECRET,
          },
    shipFrom: shipFromOf(settings),
    collectsTax: settings.STRIPE_TAX === 'on',
    adminPassword: settings.ADMIN_PASSWORD_HASH
      ? { hash: settings.ADMIN_PASSWORD_HASH }
      : settings.ADMIN_PASSWORD
        ? { plain: settings.ADMIN_PASSWORD }
        : undefined,
    adminKey: settings.ADMIN_KEY,
    asksSecondFactor: settings.ADMIN_SECOND_FACTOR !== 'off',
    adminAllowedIps: settings.ADMIN_ALLOWED_IPS ?? [],
    trustProxy: settings.TRUST_PROXY ?? [],
    ownerOidc:
      settings.OWNER_OIDC_CLIENT_ID !== undefined && settings.OWNER_OIDC_SUBJECT !== undefined
        ? {
            issuer: settings.OWNER_OIDC_ISSUER ?? 'https://replit.com/oidc',
            clientId: settings.OWNER_OIDC_CLIENT_ID,
            clientSecret: settings.OWNER_OIDC_CLIENT_SECRET,
            subject: settings.OWNER_OIDC_SUBJECT,
          }
        : undefined,
    animator: settings.ANIMATOR ?? 'local',
    replicate:
      settings.ANIMATOR === 'replicate'
        ? {
            token: settings.REPLICATE_API_TOKEN ?? '',
            model: settings.REPLICATE_MODEL ?? '',
            apiBase: settings.REPLICATE_API_BASE,
          }
        : undefined,
    comfyui:
      settings.ANIMATOR === 'comfyui'
        ? {
            url: settings.COMFYUI_URL ?? '',
            token: settings.COMFYUI_TOKEN,
            workflow: settings.COMFYUI_WORKFLOW ?? {},
            model: settings.COMFYUI_MODEL,
          }
        : undefined,
    videoCosts: { priceCents: settings.ANIMATOR_PRICE ?? 0, monthlyCapCents: settings.ANIMATOR_MONTHLY_CAP },
    ownersSettings: ownersSettingsOf(settings),
    deliveryDays: { handlingDays: settings.HANDLING_DAYS, transitDays: settings.TRANSIT_DAYS },
    ffmpegPath: settings.FFMPEG_PATH,
    backup: createBackupConfig(settings),
    backupPassphrase: settings.BACKUP_PASSPHRASE,
    role: settings.ROLE ?? 'all',
    stopSeconds: settings.STOP_SECONDS ?? 8,
    rateLimits: settings.RATE_LIMITS !== 'off',
    limitsSweep: settings.SWEEP_LIMIT !== 'off',
    logLevel: settings.LOG_LEVEL ?? 'info',
    traces:
      settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : { endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {} },
    isProduction: settings.NODE_ENV === 'production' && settings.ALLOW_DEMO !== 'on',
  };
}

/** The environment variables of the settings that the owner can save in the panel. */
const ownersSettings = {
  frameCostDollars: 'FRAME_COST',
  shippingCostDollars: 'SHIPPING_COST',
  autoApprove: 'AUTO_APPROVE',
  proof: 'PROOF',
  customerRedos: 'CUSTOMER_REDOS',
  previews: 'PREVIEWS',
  trials: 'TRIAL',
} as const satisfies Record<keyof ServerSettings, SettingName>;
/** Every environment variable that the owner can replace by a value in the panel, if it is not set. */
export const ownersSettingNames: readonly SettingName[] = [
  ...Object.values(ownersSettings),
  'HANDLING_DAYS',
  'TRANSIT_DAYS',
];

function ownersSettingsOf(settings: z.infer<typeof Settings>): ServerSettings {
  const ownerSettingEntries = Object.entries(ownersSettings) as [keyof ServerSettings, keyof typeof settings][];
  const setEntries = ownerSettingEntries.filter(([, name]) => settings[name] !== undefined);
  return Object.fromEntries(setEntries.map(([field, name]) => [field, settings[name]]));
}

function shipFromOf(settings: z.infer<typeof Settings>): LabelAddress | undefined {
  const { SHIP_FROM_NAME: name, SHIP_FROM_STREET: street1, SHIP_FROM_CITY: city } = settings;
  const { SHIP_FROM_STATE: state, SHIP_FROM_ZIP: zip, SHIP_FROM_PHONE: phone } = settings;
  if (!name || !street1 || !city || !state || !zip) return undefined;
  return { name, street1, city, state, zip, country: 'US', phone };
}

/** A bucket for backups uses the BACKUP_S3_ settings, or the S3_ settings where those are missing. */
function createBackupConfig(settings: z.infer<typeof Settings>): Config['backup'] {
  const { BACKUP_TO: to, BACKUP_KEEP: keep = 14 } = settings;
  if (to === undefined) return undefined;
  const [, bucket, folder] = bucketUrlPattern.exec(to) ?? [];
  if (bucket === undefined || folder === undefined) return { to, keep, s3: undefined };
  const s3Settings = {
    bucket,
    folder,
    endpoint: settings.BACKUP_S3_ENDPOINT ?? settings.S3_ENDPOINT,
    region: settings.BACKUP_S3_REGION ?? settings.S3_REGION ?? 'us-east-1',
    accessKeyId: settings.BACKUP_S3_ACCESS_KEY_ID ?? settings.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.BACKUP_S3_SECRET_ACCESS_KEY ?? settings.S3_SECRET_ACCESS_KEY ?? '',
  };
  return { to, keep, s3: s3Settings };
}

function isInsideShopFiles({ to, s3 }: NonNullable<Config['backup']>, { s3: files, dataDir }: Config): boolean {
  if (!s3) return reservedFolders.inDataDir.some((name) => isWithin(join(dataDir, name), to));
  const isSameBucket = s3.bucket === files?.bucket && s3.endpoint === files.endpoint;
  return isSameBucket && reservedFolders.inBucket.includes(s3.folder.split('/')[0]!);
}
const isWithin = (folder: string, path: string) => !/^\.\.(\/|$)/.test(relative(folder, path));

/** True for a host of this machine. Accepts a host name or an IP address, also with the brackets of a URL. */
export const isLoopback = (hostname: string) =>
  hostname === '::1' ||
  hostname === 'localhost' ||
  hostname === '[::1]' ||
  (ipaddr.IPv4.isValidFourPartDecimal(hostname) && hostname.startsWith('127.'));

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

/** True if others on the network can read what is sent to this address. */
function isReadableOnNetwork(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}

const STRIPE_ORIGIN = 'https://api.stripe.com';
const isTestKey = (key: string | undefined) => /^[a-z]+_test_/.test(key ?? '');
/**
 * True if STRIPE_API_BASE may receive the live key: only Stripe itself and this machine may, because the key moves
 * money.
 */
function isTrustedWithLiveKey(stripe: Config['stripe']): boolean {
  if (stripe?.apiBase === undefined) return true;
  const { origin, hostname } = new URL(stripe.apiBase);
  return origin === STRIPE_ORIGIN || isLoopback(hostname);
}

function findSettingMistakes(settings: z.infer<typeof Settings>, config: Config): string[] {
  const settingMistakes: string[] = [];
  const requireTogether = (names: (keyof typeof settings)[], because: string) => {
    const missingSettings = names.filter((it) => settings[it] === undefined);
    if (missingSettings.length > 0 && missingSettings.length < names.length)
      settingMistakes.push(
        `${missingSettings.join(', ')} ${missingSettings.length > 1 ? 'are' : 'is'} missing: ${because}`,
      );
  };
  requireTogether(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], 'a bucket needs its name and its keys');
  /** Reports settings that have no effect because another setting is missing. */
  const requireForEach = (names: (keyof typeof settings)[], neededSettings: string) => {
    const givenSettings = names.filter((it) => settings[it] !== undefined);
    if (givenSettings.length > 0)
      settingMistakes.push(
        `${givenSettings.join(', ')} ${givenSettings.length > 1 ? 'need' : 'needs'} ${neededSettings}`,
      );
  };
  const isBucketOfBackups = config.backup?.s3 !== undefined;
  if (!settings.S3_BUCKET && !isBucketOfBackups) requireForEach(['S3_ENDPOINT', 'S3_REGION'], 'S3_BUCKET');
  if (!isBucketOfBackups)
    requireForEach(
      ['BACKUP_S3_ENDPOINT', 'BACKUP_S3_REGION', 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
      'BACKUP_TO=s3://bucket/folder',
    );
  if (!settings.ANIMATOR) {
    const unusedHint = 'or ANIMATOR=local to leave them unused';
    requireForEach(
      ['REPLICATE_API_TOKEN', 'REPLICATE_MODEL', 'REPLICATE_API_BASE'],
      `ANIMATOR=replicate, ${unusedHint}`,
    );
    requireForEach(
      ['COMFYUI_URL', 'COMFYUI_TOKEN', 'COMFYUI_WORKFLOW', 'COMFYUI_MODEL'],
      `ANIMATOR=comfyui, ${unusedHint}`,
    );
    requireForEach(['ANIMATOR_PRICE', 'ANIMATOR_MONTHLY_CAP'], `ANIMATOR=replicate or ANIMATOR=comfyui, ${unusedHint}`);
  }
  requireTogether(
    ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
    'Stripe needs its secret key, publishable key and webhook secret together',
  );
  requireTogether(
    ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'],
    'a bucket of backups needs both of its keys',
  );
  if (config.backup?.s3 && !config.backup.s3.accessKeyId)
    settingMistakes.push('BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY are missing: BACKUP_TO is a bucket');
  if (!config.backup) requireForEach(['BACKUP_KEEP'], 'BACKUP_TO');
  if (config.backup && isInsideShopFiles(config.backup, config))
    settingMistakes.push(
      `BACKUP_TO is a folder that the shop uses itself (${config.backup.to}): choose a separate folder`,
    );
  if (config.replicate) {
    const neededSettings = (['REPLICATE_API_TOKEN', 'REPLICATE_MODEL'] as const).filter(
      (it) => settings[it] === undefined,
    );
    if (neededSettings.length > 0)
      settingMistakes.push(
        `${neededSettings.join(', ')} ${neededSettings.length > 1 ? 'are' : 'is'} missing: ANIMATOR=replicate needs both`,
      );
    if (config.replicate.apiBase && isReadableOnNetwork(config.replicate.apiBase))
      settingMistakes.push('REPLICATE_API_BASE must be https, because the token is sent there');
  }
  if (config.comfyui) {
    const neededSettings = (['COMFYUI_URL', 'COMFYUI_WORKFLOW'] as const).filter((it) => settings[it] === undefined);
    if (neededSettings.length > 0)
      settingMistakes.push(
        `${neededSettings.join(', ')} ${neededSettings.length > 1 ? 'are' : 'is'} missing: ANIMATOR=comfyui needs both`,
      );
    if (config.comfyui.url && hasCredentials(config.comfyui.url))
      settingMistakes.push('COMFYUI_URL must have no user name or password: use COMFYUI_TOKEN');
    if (config.comfyui.url && config.comfyui.token && isReadableOnNetwork(config.comfyui.url))
      settingMistakes.push('COMFYUI_URL must be https, because COMFYUI_TOKEN is sent there');
  }
  if (config.animator !== 'local' && settings.ANIMATOR_MONTHLY_CAP !== undefined && !config.videoCosts.priceCents)
    settingMistakes.push('ANIMATOR_MONTHLY_CAP needs ANIMATOR_PRICE, the cost of one video');
  if (!settings.INBOUND_MAIL) requireForEach(['IMAP_URL', 'INBOUND_WEBHOOK_SECRET'], 'INBOUND_MAIL');
  else if (!settings.IMAP_URL && !settings.INBOUND_WEBHOOK_SECRET)
    settingMistakes.push('INBOUND_MAIL needs IMAP_URL or INBOUND_WEBHOOK_SECRET, so that the emails reach the shop');
  if (!settings.STRIPE_SECRET_KEY) requireForEach(['STRIPE_API_BASE'], 'STRIPE_SECRET_KEY');
  requireTogether(
    ['SHIP_FROM_NAME', 'SHIP_FROM_STREET', 'SHIP_FROM_CITY', 'SHIP_FROM_STATE', 'SHIP_FROM_ZIP'],
    'a label needs the whole address of its sender',
  );
  if (!config.shipFrom) requireForEach(['SHIP_FROM_PHONE'], 'SHIP_FROM_NAME and the rest of the address');
  if (!settings.EASYPOST_API_KEY) requireForEach(['EASYPOST_API_BASE', 'EASYPOST_WEBHOOK_SECRET'], 'EASYPOST_API_KEY');
  if (config.easypost?.apiBase && isReadableOnNetwork(config.easypost.apiBase))
    settingMistakes.push('EASYPOST_API_BASE must be https, because the key and addresses of customers are sent there');
  if (config.easypost?.apiBase && hasCredentials(config.easypost.apiBase))
    settingMistakes.push('EASYPOST_API_BASE must have no user name or password: use EASYPOST_API_KEY');
  const stripeKeyModes = [settings.STRIPE_SECRET_KEY, settings.STRIPE_PUBLISHABLE_KEY].map((it) => it?.split('_')[1]);
  if (stripeKeyModes[0] && stripeKeyModes[1] && stripeKeyModes[0] !== stripeKeyModes[1])
    settingMistakes.push(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY have different modes: use both of test mode or both of live mode',
    );
  if (settings.ADMIN_PASSWORD && settings.ADMIN_PASSWORD_HASH)
    settingMistakes.push('ADMIN_PASSWORD and ADMIN_PASSWORD_HASH are both set: set only one');
  requireTogether(
    ['OWNER_OIDC_CLIENT_ID', 'OWNER_OIDC_SUBJECT'],
    'the owner’s sign-in needs both the client id and the owner’s subject',
  );
  if (!settings.OWNER_OIDC_CLIENT_ID && !settings.OWNER_OIDC_SUBJECT)
    requireForEach(['OWNER_OIDC_ISSUER', 'OWNER_OIDC_CLIENT_SECRET'], 'OWNER_OIDC_CLIENT_ID and OWNER_OIDC_SUBJECT');
  const issuer = settings.OWNER_OIDC_ISSUER && new URL(settings.OWNER_OIDC_ISSUER);
  if (issuer && isReadableOnNetwork(issuer.href))
    settingMistakes.push('OWNER_OIDC_ISSUER must be https, because it identifies the owner');
  if (!config.traces) requireForEach(['OTEL_EXPORTER_OTLP_HEADERS'], 'OTEL_EXPORTER_OTLP_ENDPOINT');
  if (config.role !== 'all' && !config.databaseUrl)
    settingMistakes.push(`ROLE=${config.role} needs DATABASE_URL: the embedded database serves one process only`);
  const { hostname, protocol } = new URL(config.baseUrl);
  if (!config.rateLimits && config.stripe) settingMistakes.push('RATE_LIMITS=off is refused with real payments');
  if (!config.rateLimits && !isLoopback(config.host))
    settingMistakes.push('RATE_LIMITS=off is allowed only if HOST is a loopback address');
  if (config.isProduction) {
    const demoHint = 'in production (ALLOW_DEMO=on allows it)';
    if (!config.stripe)
      settingMistakes.push(`STRIPE_SECRET_KEY is missing: the payment sandbox is refused ${demoHint}`);
    const testKeys = (['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'] as const).filter((it) => isTestKey(settings[it]));
    if (testKeys.length > 0)
      settingMistakes.push(
        `${testKeys.join(', ')} ${testKeys.length > 1 ? 'are keys' : 'is a key'} of Stripe's test mode: test payments are refused ${demoHint}`,
      );
    if (settings.STRIPE_SECRET_KEY && !isTestKey(settings.STRIPE_SECRET_KEY) && !isTrustedWithLiveKey(config.stripe))
      settingMistakes.push(
        `STRIPE_API_BASE is neither ${STRIPE_ORIGIN} nor a loopback address: sending a live key there is refused ${demoHint}`,
      );
    if (!config.smtpUrl)
      settingMistakes.push(`SMTP_URL is missing: writing emails only to files is refused ${demoHint}`);
    if (!config.adminPassword)
      settingMistakes.push(`ADMIN_PASSWORD or ADMIN_PASSWORD_HASH is missing: a generated one is refused ${demoHint}`);
    if (protocol === 'http:' && !isLoopback(hostname)) settingMistakes.push(`BASE_URL must be https ${demoHint}`);
  }
  return settingMistakes;
}
