import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { trashFolder } from '#shop/files/files.ts';
import { ConfigError, readConfig } from './config.ts';
import { namedFiles } from './named-files.ts';

function findConfigMistakes(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}
const stripeSettings = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};
const passwordSetting = { ADMIN_PASSWORD: 'a long enough one' };

test('defaults to the demo on this machine when nothing is set', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    dataDir: expect.stringMatching(/^\/.*\/data$/),
    databaseUrl: undefined,
    databasePool: 10,
    s3: undefined,
    smtpUrl: undefined,
    stripe: undefined,
    adminPassword: undefined,
    adminKey: undefined,
    adminAllowedIps: [],
    trustProxy: [],
    animator: 'local',
    ownersSettings: {},
    deliveryDays: { handlingDays: undefined, transitDays: undefined },
    role: 'all',
    stopSeconds: 8,
    rateLimits: true,
    logLevel: 'info',
    traces: undefined,
    isProduction: false,
  });
  expect(readConfig({ PORT: '4000' }).baseUrl).toBe('http://localhost:4000');
});

test('treats an empty value as not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', ADMIN_KEY: '', RATE_LIMITS: '' })).toEqual(readConfig({}));
});

test.each(['0', '501', 'ten', '-3', '2.5'])('refuses DATABASE_POOL=%s and names the allowed range', (DATABASE_POOL) => {
  expect(findConfigMistakes({ DATABASE_POOL })).toEqual([
    'DATABASE_POOL must be a number of connections, from 1 to 500',
  ]);
});

test.each([import.meta.filename, `${import.meta.filename}/data`])(
  'refuses a DATA_DIR that is a file or is below a file: %s',
  (DATA_DIR) => {
    expect(findConfigMistakes({ DATA_DIR })).toEqual([
      `DATA_DIR cannot be a folder: ${import.meta.filename} is a file`,
    ]);
  },
);

test('names every mistake of all settings in one error', () => {
  const settingMistakes = findConfigMistakes({
    PORT: 'eighty',
    BASE_URL: 'kinframe.example',
    DATABASE_URL: 'mysql://localhost/shop',
    SMTP_URL: 'localhost:25',
    MAIL_FROM: 'nobody',
    STRIPE_SECRET_KEY: 'secret',
    ADMIN_KEY: 'short',
    ADMIN_ALLOWED_IPS: '10.0.0.0/8, office',
    TRUST_PROXY: '300.1.1.1',
    ANIMATOR: 'crayons',
    AUTO_APPROVE: 'yes',
    HANDLING_DAYS: '-1',
    TRANSIT_DAYS: '0',
    FFMPEG_PATH: '/nowhere/ffmpeg',
    ROLE: 'boss',
    STOP_SECONDS: '4',
    RATE_LIMITS: 'maybe',
    LOG_LEVEL: 'loud',
    S3_BUCKET: 'photos',
    STRIPE_API_BASE: 'http://127.0.0.1:1',
  });
  const namedSettings = settingMistakes.map((it) => it.split(' ')[0]!.replace(',', ''));
  for (const name of [
    'PORT',
    'BASE_URL',
    'DATABASE_URL',
    'SMTP_URL',
    'MAIL_FROM',
    'STRIPE_SECRET_KEY',
    'ADMIN_KEY',
    'ADMIN_ALLOWED_IPS',
    'TRUST_PROXY',
    'ANIMATOR',
    'AUTO_APPROVE',
    'HANDLING_DAYS',
    'TRANSIT_DAYS',
    'FFMPEG_PATH',
    'ROLE',
    'STOP_SECONDS',
    'RATE_LIMITS',
    'LOG_LEVEL',
    'S3_ACCESS_KEY_ID',
    'STRIPE_API_BASE',
  ])
    expect(namedSettings, name).toContain(name);
  expect(settingMistakes.join('\n')).toContain('"office"');
  expect(new ConfigError(settingMistakes).message.split('\n')).toHaveLength(settingMistakes.length + 1);
});

const replicateSettings = { ANIMATOR: 'replicate', REPLICATE_API_TOKEN: 'r8_token', REPLICATE_MODEL: 'owner/model:1' };

const workflowsFolder = mkdtempSync(join(tmpdir(), 'kinframe-workflows-'));
afterAll(() => rmSync(workflowsFolder, { recursive: true, force: true }));
const writeWorkflowFile = (name: string, image: string) => {
  const path = join(workflowsFolder, name);
  writeFileSync(path, JSON.stringify({ '1': { class_type: 'LoadImage', inputs: { image } } }));
  return path;
};
const comfyuiSettings = {
  ANIMATOR: 'comfyui',
  COMFYUI_URL: 'http://10.0.0.5:8188',
  COMFYUI_WORKFLOW: writeWorkflowFile('workflow.json', '{{image}}'),
};

const ownerSettings = { OWNER_OIDC_CLIENT_ID: 'shop', OWNER_OIDC_SUBJECT: '4711' };

describe('settings that depend on each other', () => {
  test.each([
    [{ S3_ACCESS_KEY_ID: 'a' }, 'S3_BUCKET, S3_SECRET_ACCESS_KEY are missing'],
    [{ S3_ENDPOINT: 'http://127.0.0.1:9000', S3_REGION: 'here' }, 'S3_ENDPOINT, S3_REGION need S3_BUCKET'],
    [{ BACKUP_TO: '/backups', BACKUP_S3_REGION: 'there' }, 'BACKUP_S3_REGION needs BACKUP_TO=s3://bucket/folder'],
    [{ REPLICATE_API_TOKEN: 'r8_secret' }, 'REPLICATE_API_TOKEN needs ANIMATOR=replicate'],
    [{ ANIMATOR_MONTHLY_CAP: '50' }, 'ANIMATOR_MONTHLY_CAP needs ANIMATOR=replicate'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET are missing'],
    [{ ...stripeSettings, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'different modes'],
    [{ ...passwordSetting, ADMIN_PASSWORD_HASH: '$argon2id$v=19$x' }, 'set only one'],
    [{ ADMIN_PASSWORD_HASH: 'plain' }, 'must be an argon2id hash'],
    [{ ADMIN_PASSWORD: 'short' }, 'at least 12'],
    [{ ADMIN_KEY: 'k'.repeat(31) }, 'at least 32'],
    [{ ADMIN_ALLOWED_IPS: ' , ' }, 'ADMIN_ALLOWED_IPS names no address'],
    [{ ROLE: 'worker' }, 'ROLE=worker needs DATABASE_URL'],
    [{ ...stripeSettings, RATE_LIMITS: 'off' }, 'RATE_LIMITS=off is refused with real payments'],
    [{ RATE_LIMITS: 'off', HOST: '0.0.0.0' }, 'only if HOST is a loopback address'],
    [{ RATE_LIMITS: 'off', HOST: '127.0.0.1.example.com' }, 'only if HOST is a loopback address'],
    [{ RATE_LIMITS: 'off', HOST: '127.kinframe.example' }, 'only if HOST is a loopback address'],
    [{ STRIPE_TAX: 'yes' }, 'STRIPE_TAX must be on or off'],
    [{ ANIMATOR: 'replicate' }, 'REPLICATE_API_TOKEN, REPLICATE_MODEL are missing'],
    [{ ...replicateSettings, REPLICATE_MODEL: 'a model' }, 'REPLICATE_MODEL must be a model as owner/name'],
    [{ ...replicateSettings, ANIMATOR_MONTHLY_CAP: '50' }, 'ANIMATOR_MONTHLY_CAP needs ANIMATOR_PRICE'],
    [{ ...replicateSettings, ANIMATOR_PRICE: 'cheap' }, 'ANIMATOR_PRICE must be dollars'],
    [{ ...replicateSettings, REPLICATE_API_BASE: 'http://replicate.example' }, 'REPLICATE_API_BASE must be https'],
    [{ COMFYUI_URL: comfyuiSettings.COMFYUI_URL }, 'COMFYUI_URL needs ANIMATOR=comfyui'],
    [{ ANIMATOR: 'comfyui' }, 'COMFYUI_URL, COMFYUI_WORKFLOW are missing: ANIMATOR=comfyui needs both'],
    [{ ...comfyuiSettings, COMFYUI_URL: '10.0.0.5:8188' }, 'COMFYUI_URL must be an http or https address'],
    [
      { ...comfyuiSettings, COMFYUI_TOKEN: 'a-proxy-token' },
      'COMFYUI_URL must be https, because COMFYUI_TOKEN is sent there',
    ],
    [
      { ...comfyuiSettings, COMFYUI_URL: 'https://me:secret@gpu.example' },
      'COMFYUI_URL must have no user name or password',
    ],
    [
      { ...comfyuiSettings, COMFYUI_URL: 'https://:secret@gpu.example' },
      'COMFYUI_URL must have no user name or password',
    ],
    [{ ...comfyuiSettings, COMFYUI_TOKEN: 'two words' }, 'COMFYUI_TOKEN must be a token'],
    [
      { ...comfyuiSettings, COMFYUI_WORKFLOW: '/nowhere.json' },
      'COMFYUI_WORKFLOW names a file that cannot be read: /nowhere.json',
    ],
    [
      { ...comfyuiSettings, COMFYUI_WORKFLOW: writeWorkflowFile('plain.json', 'a.png') },
      'COMFYUI_WORKFLOW has no {{image}}',
    ],
    [
      { ...comfyuiSettings, COMFYUI_WORKFLOW: writeWorkflowFile('odd.json', '{{photo}}') },
      'COMFYUI_WORKFLOW has unknown placeholders',
    ],
    [{ ...comfyuiSettings, ANIMATOR_MONTHLY_CAP: '50' }, 'ANIMATOR_MONTHLY_CAP needs ANIMATOR_PRICE'],
    [{ ADMIN_SECOND_FACTOR: 'no' }, 'ADMIN_SECOND_FACTOR must be on or off'],
    [{ OWNER_OIDC_CLIENT_ID: 'shop' }, 'OWNER_OIDC_SUBJECT is missing'],
    [{ OWNER_OIDC_SUBJECT: '4711' }, 'OWNER_OIDC_CLIENT_ID is missing'],
    [{ OWNER_OIDC_CLIENT_SECRET: 'secret' }, 'OWNER_OIDC_CLIENT_SECRET needs OWNER_OIDC_CLIENT_ID'],
    [{ ...ownerSettings, OWNER_OIDC_ISSUER: 'accounts.example' }, 'OWNER_OIDC_ISSUER must be an http or https address'],
    [{ ...ownerSettings, OWNER_OIDC_ISSUER: 'http://accounts.example' }, 'OWNER_OIDC_ISSUER must be https'],
  ])('refuses the settings %j', (environment, words) => {
    expect(findConfigMistakes(environment).join('\n')).toContain(words);
  });
  test.each([
    { RATE_LIMITS: 'off', HOST: '::1' },
    { RATE_LIMITS: 'off', HOST: 'localhost' },
    { ADMIN_KEY: 'k'.repeat(32) },
    { ADMIN_ALLOWED_IPS: '10.0.0.0/8, 2001:db8::/32, 192.0.2.7', TRUST_PROXY: '127.0.0.1' },
    { ROLE: 'web', DATABASE_URL: 'postgresql://shop@localhost/shop' },
    { ...replicateSettings, ANIMATOR: 'local' },
    { MAIL_FROM: 'Kinframe <hello@kinframe.example>' },
    {
      ...replicateSettings,
      ANIMATOR_PRICE: '0.35',
      ANIMATOR_MONTHLY_CAP: '50',
      REPLICATE_API_BASE: 'http://127.0.0.1:1/v1',
    },
    comfyuiSettings,
    {
      ...comfyuiSettings,
      COMFYUI_URL: 'https://gpu.example/comfy',
      COMFYUI_TOKEN: 'a-proxy-token',
      COMFYUI_MODEL: 'Wan 2.2',
    },
    {
      ...comfyuiSettings,
      COMFYUI_URL: 'http://127.0.0.1:8188',
      COMFYUI_TOKEN: 'a-proxy-token',
      ANIMATOR_PRICE: '0.05',
    },
    { ...ownerSettings, OWNER_OIDC_ISSUER: 'https://accounts.example', OWNER_OIDC_CLIENT_SECRET: 'secret' },
    { ...ownerSettings, OWNER_OIDC_ISSUER: 'http://127.0.0.1:4000' },
    stripeSettings,
  ])('accepts the settings %j', (environment) => {
    expect(findConfigMistakes(environment)).toEqual([]);
  });
});

test('reads a secret from a file, without its trailing line break', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const writeSecretFile = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const environmentWithFiles = {
    STRIPE_SECRET_KEY_FILE: writeSecretFile('secret', 'sk_test_1\n'),
    STRIPE_WEBHOOK_SECRET_FILE: writeSecretFile('webhook', 'whsec_1\r\n'),
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    ADMIN_PASSWORD_FILE: writeSecretFile('password', ' a phrase with spaces '),
    DATABASE_URL_FILE: writeSecretFile('database', 'postgres://shop:word@db/shop\n'),
  };
  expect(readConfig(environmentWithFiles)).toMatchObject({
    stripe: { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' },
    adminPassword: { plain: ' a phrase with spaces ' },
    databaseUrl: 'postgres://shop:word@db/shop',
  });
  expect(
    findConfigMistakes({
      ...environmentWithFiles,
      ADMIN_PASSWORD: 'another long enough one',
      ADMIN_KEY_FILE: join(folder, 'none'),
      SMTP_URL_FILE: folder,
      BACKUP_PASSPHRASE_FILE: writeSecretFile('empty', '\n'),
      STRIPE_SECRET_KEY_FILE: writeSecretFile('wrong', 'rubbish\n'),
    }),
  ).toEqual([
    `SMTP_URL_FILE names a file that cannot be read: ${folder} (EISDIR)`,
    'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set: set only one',
    `ADMIN_KEY_FILE names a file that cannot be read: ${join(folder, 'none')} (ENOENT)`,
    `BACKUP_PASSPHRASE_FILE names an empty file: ${join(folder, 'empty')}`,
    'STRIPE_SECRET_KEY must be a Stripe secret key (sk_… or rk_…)',
    expect.stringMatching(/^STRIPE_SECRET_KEY is missing/),
  ]);
  const secrets = {
    DATABASE_URL: 'postgres://shop:word@db/shop',
    S3_ACCESS_KEY_ID: 'files',
    S3_SECRET_ACCESS_KEY: 'files’ secret',
    SMTP_URL: 'smtp://shop:word@mail',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    ADMIN_PASSWORD_HASH: '$argon2id$v=19$x',
    ADMIN_KEY: 'k'.repeat(32),
    OWNER_OIDC_CLIENT_SECRET: 'client',
    REPLICATE_API_TOKEN: 'r8_secret',
    COMFYUI_TOKEN: 'a-proxy-token',
    BACKUP_S3_ACCESS_KEY_ID: 'backups',
    BACKUP_S3_SECRET_ACCESS_KEY: 'backups’ secret',
    BACKUP_PASSPHRASE: 'a phrase of sixteen and more',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=shop',
  };
  const otherSettings = {
    ...ownerSettings,
    S3_BUCKET: 'files',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    ANIMATOR: 'replicate',
    REPLICATE_MODEL: 'kin/motion',
    BACKUP_TO: 's3://safe/kinframe',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  };
  const fileSettings = Object.entries(secrets).map(([name, secret]) => [
    `${name}_FILE`,
    writeSecretFile(name, `${secret}\n`),
  ]);
  expect(readConfig({ ...otherSettings, ...Object.fromEntries(fileSettings) })).toEqual(
    readConfig({ ...otherSettings, ...secrets }),
  );
  // An empty NAME_FILE is treated as not set.
  expect(readConfig({ ADMIN_KEY_FILE: '' }).adminKey).toBeUndefined();
});

test('reads BACKUP_TO as a folder or a bucket, and uses the keys of the file bucket if it has no keys', () => {
  expect(readConfig({}).backup).toBeUndefined();
  expect(readConfig({ BACKUP_TO: '/backups' }).backup).toEqual({ to: '/backups', keep: 14, s3: undefined });
  const s3Settings = {
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'http://s3',
    S3_ACCESS_KEY_ID: 'one',
    S3_SECRET_ACCESS_KEY: 'two',
  };
  expect(readConfig({ ...s3Settings, BACKUP_TO: 's3://safe/kinframe/nightly', BACKUP_KEEP: '3' }).backup).toMatchObject(
    {
      keep: 3,
      s3: { bucket: 'safe', folder: 'kinframe/nightly', endpoint: 'http://s3', accessKeyId: 'one' },
    },
  );
  const backupS3Keys = { BACKUP_S3_ACCESS_KEY_ID: 'three', BACKUP_S3_SECRET_ACCESS_KEY: 'four' };
  expect(readConfig({ ...s3Settings, ...backupS3Keys, BACKUP_TO: 's3://safe/kinframe' }).backup).toMatchObject({
    s3: { accessKeyId: 'three', secretAccessKey: 'four' },
  });
  expect(findConfigMistakes({ BACKUP_TO: 'backups' })).toEqual([
    'BACKUP_TO must be a folder by its whole path, or s3://bucket/folder',
  ]);
  expect(findConfigMistakes({ BACKUP_TO: 's3://safe' })).toHaveLength(1);
  expect(findConfigMistakes({ BACKUP_TO: 's3://safe/kinframe' })).toEqual([
    'BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY are missing: BACKUP_TO is a bucket',
  ]);
  expect(findConfigMistakes({ BACKUP_TO: '/backups', BACKUP_KEEP: '0', BACKUP_PASSPHRASE: 'short' })).toHaveLength(2);
  expect(findConfigMistakes({ BACKUP_KEEP: '3' })).toEqual(['BACKUP_KEEP needs BACKUP_TO']);
});

test('refuses BACKUP_TO in a folder of the shop’s own files, where the sweep would remove backups', () => {
  const keys = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'one', S3_SECRET_ACCESS_KEY: 'two' };
  const expectedMistakes = (to: string) => [
    `BACKUP_TO is a folder that the shop uses itself (${to}): choose a separate folder`,
  ];
  const folders = [...namedFiles.flatMap((source) => source.folders), trashFolder, 'check/'];
  for (const folder of folders) {
    const backupTarget = `s3://files/${folder}`;
    expect(findConfigMistakes({ ...keys, BACKUP_TO: backupTarget })).toEqual(expectedMistakes(backupTarget));
    expect(findConfigMistakes({ ...keys, BACKUP_TO: `s3://another/${folder}` })).toEqual([]);
    expect(findConfigMistakes({ ...keys, BACKUP_TO: `s3://files/nightly/${folder}` })).toEqual([]);
  }
  for (const refusedTarget of ['/var/shop/db', '/var/shop/files/nightly', '/var/shop/./work/', '/var/shop/outbox'])
    expect(findConfigMistakes({ DATA_DIR: '/var/shop', BACKUP_TO: refusedTarget })).toEqual(
      expectedMistakes(refusedTarget),
    );
  for (const allowedTarget of [
    '/var/shop/backups',
    '/var/shop',
    '/var/files',
    '/var/shop/files-of-the-night',
    '/var/shop/..db',
  ])
    expect(findConfigMistakes({ DATA_DIR: '/var/shop', BACKUP_TO: allowedTarget })).toEqual([]);
});

test('uses Replit as the provider of the owner unless another issuer is set', () => {
  expect(readConfig(ownerSettings).ownerOidc).toEqual({
    issuer: 'https://replit.com/oidc',
    clientId: 'shop',
    clientSecret: undefined,
    subject: '4711',
  });
  expect(readConfig({}).ownerOidc).toBeUndefined();
});

describe('settings in production', () => {
  const productionSettings = {
    NODE_ENV: 'production',
    BASE_URL: 'https://kinframe.example',
    SMTP_URL: 'smtps://mail.kinframe.example',
    ...stripeSettings,
    ...passwordSetting,
  };
  const testKeys = { STRIPE_SECRET_KEY: 'rk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };

  test('refuses settings that only the demo may use, and names all of them in one error', () => {
    const settingMistakes = findConfigMistakes({ NODE_ENV: 'production', BASE_URL: 'http://kinframe.example' }).join(
      '\n',
    );
    expect(settingMistakes).toContain('STRIPE_SECRET_KEY is missing');
    expect(settingMistakes).toContain('SMTP_URL is missing');
    expect(settingMistakes).toContain('ADMIN_PASSWORD or ADMIN_PASSWORD_HASH is missing');
    expect(settingMistakes).toContain('BASE_URL must be https');
    expect(findConfigMistakes({ ...productionSettings, RATE_LIMITS: 'off' })).not.toEqual([]);
    expect(findConfigMistakes({ ...productionSettings, BASE_URL: 'http://127.0.0.1.example.com' }).join()).toContain(
      'must be https',
    );
  });
  test('refuses Stripe test keys', () => {
    expect(findConfigMistakes({ ...productionSettings, ...testKeys })).toEqual([
      expect.stringMatching(/^STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY are keys of Stripe's test mode/),
    ]);
    // Stripe keys are also refused when only one of the two keys is a test key.
    const mixedModeMistakes = findConfigMistakes({
      ...productionSettings,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      SMTP_URL: '',
    }).join('\n');
    expect(mixedModeMistakes).toContain('different modes');
    expect(mixedModeMistakes).toContain("STRIPE_PUBLISHABLE_KEY is a key of Stripe's test mode");
    expect(mixedModeMistakes).toContain('SMTP_URL is missing');
  });
  test.each([
    'https://stripe.example',
    'http://api.stripe.com',
    'https://api.stripe.com:8443',
    'https://api.stripe.com.example',
    'https://api.stripe.com@kinframe.example',
    'http://127.0.0.1.example.com',
    'http://10.0.0.7:12111/v1',
  ])('refuses to send a live key to %s', (STRIPE_API_BASE) => {
    expect(findConfigMistakes({ ...productionSettings, STRIPE_API_BASE })).toEqual([
      expect.stringMatching(/^STRIPE_API_BASE .*live key/),
    ]);
  });
  test.each([
    'https://api.stripe.com',
    'https://api.stripe.com/',
    'http://127.0.0.1:12111',
    'http://[::1]:12111/stripe',
  ])('accepts sending a live key to %s', (STRIPE_API_BASE) => {
    expect(findConfigMistakes({ ...productionSettings, STRIPE_API_BASE })).toEqual([]);
  });
  test('accepts complete real settings, a loopback BASE_URL, and demo settings with ALLOW_DEMO=on', () => {
    expect(readConfig(productionSettings)).toMatchObject({ isProduction: true, baseUrl: 'https://kinframe.example' });
    expect(findConfigMistakes({ ...productionSettings, BASE_URL: 'http://127.0.0.1:3000' })).toEqual([]);
    expect(readConfig({ NODE_ENV: 'production', ALLOW_DEMO: 'on' }).isProduction).toBe(false);
    const demoSettings = { ...productionSettings, ...testKeys, SMTP_URL: '', ALLOW_DEMO: 'on' };
    expect(findConfigMistakes(demoSettings)).toEqual([]);
    expect(
      findConfigMistakes({ ...demoSettings, ...stripeSettings, STRIPE_API_BASE: 'https://stripe.example' }),
    ).toEqual([]);
  });
});

test('reads the http address and the headers of a trace collector, and refuses malformed ones', () => {
  const collectorSettings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(readConfig(collectorSettings).traces).toEqual({ endpoint: 'http://127.0.0.1:4318', headers: {} });
  const OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Basic%20YTpi==, x-team=shop';
  expect(readConfig({ ...collectorSettings, OTEL_EXPORTER_OTLP_HEADERS }).traces?.headers).toEqual({
    authorization: 'Basic YTpi==',
    'x-team': 'shop',
  });
  for (const wrongValue of ['collector:4318', 'grpc://collector:4317', 'localhost'])
    expect(findConfigMistakes({ OTEL_EXPORTER_OTLP_ENDPOINT: wrongValue })).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address',
    ]);
  for (const wrongValue of ['secret', 'x-key=a b', 'x-key=%zz', 'x-key='])
    expect(findConfigMistakes({ ...collectorSettings, OTEL_EXPORTER_OTLP_HEADERS: wrongValue })).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS must be headers as name=value,name=value, with what is no letter as %20',
    ]);
  expect(findConfigMistakes({ OTEL_EXPORTER_OTLP_HEADERS })).toEqual([
    'OTEL_EXPORTER_OTLP_HEADERS needs OTEL_EXPORTER_OTLP_ENDPOINT',
  ]);
});

const labelSettings = { EASYPOST_API_KEY: 'EZTK0123456789', EASYPOST_API_BASE: 'https://labels.example' };

test('accepts EasyPost with its own address, and with an address on this machine', () => {
  expect(findConfigMistakes({ EASYPOST_API_KEY: labelSettings.EASYPOST_API_KEY })).toEqual([]);
  expect(findConfigMistakes({ ...labelSettings, EASYPOST_API_BASE: 'http://127.0.0.1:4000' })).toEqual([]);
});

test.each([
  [{ EASYPOST_API_BASE: 'https://labels.example' }, /^EASYPOST_API_BASE needs EASYPOST_API_KEY/],
  [{ ...labelSettings, EASYPOST_API_BASE: 'http://labels.example' }, /^EASYPOST_API_BASE must be https/],
  [
    { ...labelSettings, EASYPOST_API_BASE: 'https://user:secret@labels.example' },
    /^EASYPOST_API_BASE must have no user/,
  ],
  [{ ...labelSettings, EASYPOST_WEBHOOK_SECRET: 'short' }, /^EASYPOST_WEBHOOK_SECRET must have at least 16/],
  [{ SHIP_FROM_NAME: 'Kinframe' }, /^SHIP_FROM_STREET, .* are missing: a label needs the whole address/],
  [{ SHIP_FROM_PHONE: '+12075550142' }, /^SHIP_FROM_PHONE needs SHIP_FROM_NAME/],
])('refuses the label settings %j', (settings, words) => {
  expect(findConfigMistakes(settings)).toEqual([expect.stringMatching(words)]);
});
