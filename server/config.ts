import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { projectFolder } from './project-folder.ts';

/** Every setting, as operators know it (README, Settings). */
export interface Config {
  port: number;
  host: string;
  /** Origin without a trailing slash: links in mails, canonical addresses, cookies, origin checks. */
  baseUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  s3:
    | { bucket: string; endpoint: string | undefined; region: string; accessKeyId: string; secretAccessKey: string }
    | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | undefined } | undefined;
  /** The payment provider calculates sales tax. */
  collectsTax: boolean;
  adminPassword: { plain: string } | { hash: string } | undefined;
  adminKey: string | undefined;
  adminAllowedIps: string[];
  trustProxy: string[];
  animator: 'local';
  autoApprove: boolean;
  ffmpegPath: string | undefined;
  role: 'all' | 'web' | 'worker';
  rateLimits: boolean;
  logLevel: string;
  /** The operator runs the shop for real: what only a demo may do is refused. */
  isProduction: boolean;
}

/** What is wrong with the settings, all of it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly mistakes: string[];
  constructor(mistakes: string[]) {
    super(`The settings are not right:\n${mistakes.map((it) => `  - ${it}`).join('\n')}`);
    this.mistakes = mistakes;
  }
}

/** An empty line in a .env file means the setting is not given. */
const given = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
const onOff = given(z.enum(['on', 'off'], 'must be on or off'));
const ranges = given(
  z.string().transform((text, context) => {
    const list = text
      .split(',')
      .map((it) => it.trim())
      .filter(Boolean);
    for (const range of list)
      if (!ipaddr.isValid(range) && !ipaddr.isValidCIDR(range))
        context.addIssue(`has ${JSON.stringify(range)}, which is neither an address nor a CIDR range`);
    // An empty list would mean everyone.
    if (list.length === 0) context.addIssue('names no address');
    return list;
  }),
);
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const Settings = z.object({
  PORT: given(
    z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port number')
      .transform(Number)
      .pipe(z.int().max(65_535, 'must be a port number')),
  ),
  HOST: given(z.string().max(255)),
  BASE_URL: given(httpUrl),
  DATA_DIR: given(z.string()),
  DATABASE_URL: given(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })),
  S3_BUCKET: given(z.string()),
  S3_ENDPOINT: given(httpUrl),
  S3_REGION: given(z.string()),
  S3_ACCESS_KEY_ID: given(z.string()),
  S3_SECRET_ACCESS_KEY: given(z.string()),
  SMTP_URL: given(z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })),
  MAIL_FROM: given(
    z.string().regex(/^[^<>\r\n]*<?[^<>@\s]+@[^<>@\s]+>?$/, 'must be an e-mail address, or a name and <address>'),
  ),
  STRIPE_SECRET_KEY: given(z.string().regex(/^(sk|rk)_(test|live)_/, 'must be a Stripe secret key (sk_… or rk_…)')),
  STRIPE_PUBLISHABLE_KEY: given(z.string().regex(/^pk_(test|live)_/, 'must be a Stripe publishable key (pk_…)')),
  STRIPE_WEBHOOK_SECRET: given(z.string().regex(/^whsec_/, 'must be a webhook signing secret (whsec_…)')),
  STRIPE_API_BASE: given(httpUrl),
  STRIPE_TAX: onOff,
  ADMIN_PASSWORD: given(z.string().min(12, 'must have at least 12 characters')),
  ADMIN_PASSWORD_HASH: given(z.string().startsWith('$argon2id$', 'must be an argon2id hash')),
  ADMIN_KEY: given(z.string().min(32, 'must have at least 32 characters')),
  ADMIN_ALLOWED_IPS: ranges,
  TRUST_PROXY: ranges,
  ANIMATOR: given(z.enum(['local'], 'must be local')),
  AUTO_APPROVE: onOff,
  FFMPEG_PATH: given(z.string().refine(existsSync, 'names no file')),
  ROLE: given(z.enum(['all', 'web', 'worker'], 'must be all, web or worker')),
  RATE_LIMITS: onOff,
  LOG_LEVEL: given(
    z.enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be a pino level: trace, debug, info, warn, error, fatal or silent',
    ),
  ),
  ALLOW_DEMO: onOff,
  NODE_ENV: given(z.string()),
});

type Environment = Record<string, string | undefined>;

/** The process's own settings, with those of a .env file in the project folder where the environment has none. */
export function loadConfig(): Config {
  const file = join(projectFolder, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return readConfig(process.env);
}

/** Read and check the settings; throws a ConfigError that names every mistake at once. */
export function readConfig(environment: Environment): Config {
  const read = Settings.safeParse(environment);
  const mistakes = read.success ? [] : read.error.issues.map((it) => `${it.path.join('.')} ${it.message}`);
  // Rules between settings are checked on what could be read, so that one start names everything.
  const broken = new Set(read.success ? [] : read.error.issues.map((it) => String(it.path[0])));
  const soundOnly = Object.fromEntries(Object.entries(environment).filter(([name]) => !broken.has(name)));
  const settings = Settings.parse(soundOnly);
  const config = configOf(settings);
  mistakes.push(...mistakesBetween(settings, config));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return config;
}

function configOf(settings: z.infer<typeof Settings>): Config {
  const port = settings.PORT ?? 3000;
  const { S3_BUCKET, STRIPE_SECRET_KEY } = settings;
  return {
    port,
    host: settings.HOST ?? '127.0.0.1',
    baseUrl: new URL(settings.BASE_URL ?? `http://localhost:${port}`).origin,
    dataDir: resolve(settings.DATA_DIR ?? './data'),
    databaseUrl: settings.DATABASE_URL,
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
    stripe: STRIPE_SECRET_KEY
      ? {
          secretKey: STRIPE_SECRET_KEY,
          publishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? '',
          webhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? '',
          apiBase: settings.STRIPE_API_BASE,
        }
      : undefined,
    collectsTax: settings.STRIPE_TAX === 'on',
    adminPassword: settings.ADMIN_PASSWORD_HASH
      ? { hash: settings.ADMIN_PASSWORD_HASH }
      : settings.ADMIN_PASSWORD
        ? { plain: settings.ADMIN_PASSWORD }
        : undefined,
    adminKey: settings.ADMIN_KEY,
    adminAllowedIps: settings.ADMIN_ALLOWED_IPS ?? [],
    trustProxy: settings.TRUST_PROXY ?? [],
    animator: settings.ANIMATOR ?? 'local',
    autoApprove: settings.AUTO_APPROVE === 'on',
    ffmpegPath: settings.FFMPEG_PATH,
    role: settings.ROLE ?? 'all',
    rateLimits: settings.RATE_LIMITS !== 'off',
    logLevel: settings.LOG_LEVEL ?? 'info',
    isProduction: settings.NODE_ENV === 'production' && settings.ALLOW_DEMO !== 'on',
  };
}

/** Of a host name or an address, as it stands in a URL or a setting. */
export const isLoopback = (hostname: string) =>
  hostname === '::1' ||
  hostname === 'localhost' ||
  hostname === '[::1]' ||
  (ipaddr.IPv4.isValidFourPartDecimal(hostname) && hostname.startsWith('127.'));

function mistakesBetween(settings: z.infer<typeof Settings>, config: Config): string[] {
  const mistakes: string[] = [];
  const together = (names: (keyof typeof settings)[], because: string) => {
    const missing = names.filter((it) => settings[it] === undefined);
    if (missing.length > 0 && missing.length < names.length)
      mistakes.push(`${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing: ${because}`);
  };
  together(['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], 'a bucket needs its name and its keys');
  together(
    ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'],
    'Stripe needs its secret key, publishable key and webhook secret together',
  );
  if (settings.STRIPE_API_BASE && !settings.STRIPE_SECRET_KEY) mistakes.push('STRIPE_API_BASE needs STRIPE_SECRET_KEY');
  const modes = [settings.STRIPE_SECRET_KEY, settings.STRIPE_PUBLISHABLE_KEY].map((it) => it?.split('_')[1]);
  if (modes[0] && modes[1] && modes[0] !== modes[1])
    mistakes.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: test and live never mix');
  if (settings.ADMIN_PASSWORD && settings.ADMIN_PASSWORD_HASH)
    mistakes.push('ADMIN_PASSWORD and ADMIN_PASSWORD_HASH are both given: give one');
  if (config.role !== 'all' && !config.databaseUrl)
    mistakes.push(`ROLE=${config.role} needs DATABASE_URL: the embedded database serves one process only`);
  const { hostname, protocol } = new URL(config.baseUrl);
  if (!config.rateLimits && config.stripe) mistakes.push('RATE_LIMITS=off is refused with real payments');
  if (!config.rateLimits && !isLoopback(config.host))
    mistakes.push('RATE_LIMITS=off is for loopback only: HOST is not');
  if (config.isProduction) {
    const unless = 'in production (ALLOW_DEMO=on allows it)';
    if (!config.stripe) mistakes.push(`STRIPE_SECRET_KEY is missing: the payment sandbox is refused ${unless}`);
    if (!config.adminPassword)
      mistakes.push(`ADMIN_PASSWORD or ADMIN_PASSWORD_HASH is missing: a generated one is refused ${unless}`);
    if (protocol === 'http:' && !isLoopback(hostname)) mistakes.push(`BASE_URL must be https ${unless}`);
  }
  return mistakes;
}
