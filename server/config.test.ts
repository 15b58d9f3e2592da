import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

function mistakesOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
}
const stripe = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};
const password = { ADMIN_PASSWORD: 'a long enough one' };

test('nothing set is the demo on this machine', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    dataDir: expect.stringMatching(/^\/.*\/data$/),
    databaseUrl: undefined,
    s3: undefined,
    smtpUrl: undefined,
    stripe: undefined,
    adminPassword: undefined,
    adminKey: undefined,
    adminAllowedIps: [],
    trustProxy: [],
    animator: 'local',
    autoApprove: false,
    role: 'all',
    rateLimits: true,
    logLevel: 'info',
    isProduction: false,
  });
  expect(readConfig({ PORT: '4000' }).baseUrl).toBe('http://localhost:4000');
});

test('an empty line means the setting is not given', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', ADMIN_KEY: '', RATE_LIMITS: '' })).toEqual(readConfig({}));
});

test('every mistake is named at once', () => {
  const mistakes = mistakesOf({
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
    FFMPEG_PATH: '/nowhere/ffmpeg',
    ROLE: 'boss',
    RATE_LIMITS: 'maybe',
    LOG_LEVEL: 'loud',
    S3_BUCKET: 'photos',
    STRIPE_API_BASE: 'http://127.0.0.1:1',
  });
  const named = mistakes.map((it) => it.split(' ')[0]!.replace(',', ''));
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
    'FFMPEG_PATH',
    'ROLE',
    'RATE_LIMITS',
    'LOG_LEVEL',
    'S3_ACCESS_KEY_ID',
    'STRIPE_API_BASE',
  ])
    expect(named, name).toContain(name);
  expect(mistakes.join('\n')).toContain('"office"');
  expect(new ConfigError(mistakes).message.split('\n')).toHaveLength(mistakes.length + 1);
});

describe('settings that only go together', () => {
  test.each([
    [{ S3_ACCESS_KEY_ID: 'a' }, 'S3_BUCKET, S3_SECRET_ACCESS_KEY are missing'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET are missing'],
    [{ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'different modes'],
    [{ ...password, ADMIN_PASSWORD_HASH: '$argon2id$v=19$x' }, 'give one'],
    [{ ADMIN_PASSWORD_HASH: 'plain' }, 'must be an argon2id hash'],
    [{ ADMIN_PASSWORD: 'short' }, 'at least 12'],
    [{ ADMIN_KEY: 'k'.repeat(31) }, 'at least 32'],
    [{ ADMIN_ALLOWED_IPS: ' , ' }, 'ADMIN_ALLOWED_IPS names no address'],
    [{ ROLE: 'worker' }, 'ROLE=worker needs DATABASE_URL'],
    [{ ...stripe, RATE_LIMITS: 'off' }, 'RATE_LIMITS=off is refused with real payments'],
    [{ RATE_LIMITS: 'off', HOST: '0.0.0.0' }, 'loopback only'],
    [{ RATE_LIMITS: 'off', HOST: '127.0.0.1.example.com' }, 'loopback only'],
    [{ RATE_LIMITS: 'off', HOST: '127.kinframe.example' }, 'loopback only'],
    [{ STRIPE_TAX: 'yes' }, 'STRIPE_TAX must be on or off'],
  ])('%j is refused', (environment, words) => {
    expect(mistakesOf(environment).join('\n')).toContain(words);
  });
  test.each([
    { RATE_LIMITS: 'off', HOST: '::1' },
    { RATE_LIMITS: 'off', HOST: 'localhost' },
    { ADMIN_KEY: 'k'.repeat(32) },
    { ADMIN_ALLOWED_IPS: '10.0.0.0/8, 2001:db8::/32, 192.0.2.7', TRUST_PROXY: '127.0.0.1' },
    { ROLE: 'web', DATABASE_URL: 'postgresql://shop@localhost/shop' },
    { MAIL_FROM: 'Kinframe <hello@kinframe.example>' },
    stripe,
  ])('%j is fine', (environment) => {
    expect(mistakesOf(environment)).toEqual([]);
  });
});

describe('in production', () => {
  const production = { NODE_ENV: 'production', BASE_URL: 'https://kinframe.example', ...stripe, ...password };
  test('what only a demo may do is refused, all of it at once', () => {
    const mistakes = mistakesOf({ NODE_ENV: 'production', BASE_URL: 'http://kinframe.example' }).join('\n');
    expect(mistakes).toContain('STRIPE_SECRET_KEY is missing');
    expect(mistakes).toContain('ADMIN_PASSWORD or ADMIN_PASSWORD_HASH is missing');
    expect(mistakes).toContain('BASE_URL must be https');
    expect(mistakesOf({ ...production, RATE_LIMITS: 'off' })).not.toEqual([]);
    expect(mistakesOf({ ...production, BASE_URL: 'http://127.0.0.1.example.com' }).join()).toContain('must be https');
  });
  test('the real thing, a loopback address and an allowed demo are fine', () => {
    expect(readConfig(production)).toMatchObject({ isProduction: true, baseUrl: 'https://kinframe.example' });
    expect(mistakesOf({ ...production, BASE_URL: 'http://127.0.0.1:3000' })).toEqual([]);
    expect(readConfig({ NODE_ENV: 'production', ALLOW_DEMO: 'on' }).isProduction).toBe(false);
  });
});
