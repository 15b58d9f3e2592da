import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Secrets that the shop generates, kept in DATA_DIR/secrets.json (mode 600). */
export interface Secrets {
  sandboxWebhookSecret: string;
  /** argon2id hash of the generated admin password; absent until the shop starts without an ADMIN_PASSWORD. */
  adminPasswordHash?: string;
}

export const generatePassword = () => randomBytes(12).toString('base64url');

/**
 * The first start creates the secrets. If two processes start at the same time, both use the secrets of the process
 * that was first.
 */
export function readSecrets(dataDir: string): Secrets {
  const path = secretsFilePath(dataDir);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new Error(`${path} cannot be read`, { cause: error });
  }
  const createdSecretsPath = writeSecrets(dataDir, {
    sandboxWebhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  });
  try {
    linkSync(createdSecretsPath, path); // fails if the other process was first
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(createdSecretsPath, { force: true });
  }
  return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
}

export function storeAdminPassword(dataDir: string, secrets: Secrets, adminPasswordHash: string): string {
  renameSync(writeSecrets(dataDir, { ...secrets, adminPasswordHash }), secretsFilePath(dataDir));
  return adminPasswordHash;
}

export const secretsFilePath = (dataDir: string) => join(dataDir, 'secrets.json');

/**
 * Write a complete file next to the final one, for the caller to link or rename. A power cut leaves the old file or
 * the new one, never half of one.
 */
function writeSecrets(dataDir: string, secrets: Secrets): string {
  mkdirSync(dataDir, { recursive: true });
  const path = `${secretsFilePath(dataDir)}.${crypto.randomUUID()}`;
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  const fileDescriptor = openSync(path, 'r');
  fsyncSync(fileDescriptor);
  closeSync(fileDescriptor);
  return path;
}
