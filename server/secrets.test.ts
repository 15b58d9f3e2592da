import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { storeAdminPassword, readSecrets } from './secrets.ts';

test('creates the secrets once, in a file that only its owner can read', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-secrets-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const fileMode = () => (statSync(join(dataDir, 'secrets.json')).mode & 0o777).toString(8);
  const secrets = readSecrets(dataDir);
  expect(secrets.sandboxWebhookSecret).toMatch(/^whsec_[0-9a-f]{48}$/);
  expect(fileMode()).toBe('600');
  storeAdminPassword(dataDir, secrets, '$argon2id$hash');
  expect(readSecrets(dataDir)).toEqual({ ...secrets, adminPasswordHash: '$argon2id$hash' });
  expect(fileMode()).toBe('600');
});
