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

/** What the shop makes for itself, kept in DATA_DIR/secrets.json (mode 600). */
export interface Secrets {
  sandboxWebhookSecret: string;
  /** argon2id of the generated admin password; absent until a start without an ADMIN_PASSWORD. */
  adminPasswordHash?: string;
}

export const generatePassword = () => randomBytes(12).toString('base64url');

/** Made by the first start; of two processes that start at once, both use what one of them made. */
export function readSecrets(dataDir: string): Secrets {
  const path = secretsFile(dataDir);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new Error(`${path} cannot be read`, { cause: error });
  }
  const made = write(dataDir, { sandboxWebhookSecret: `whsec_${randomBytes(24).toString('hex')}` });
  try {
    linkSync(made, path); // fails where the other was first
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made, { force: true });
  }
  return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
}

export function keepAdminPassword(dataDir: string, secrets: Secrets, adminPasswordHash: string): string {
  renameSync(write(dataDir, { ...secrets, adminPasswordHash }), secretsFile(dataDir));
  return adminPasswordHash;
}

/** Where they lie. */
export const secretsFile = (dataDir: string) => join(dataDir, 'secrets.json');

/** A finished file beside the one it is to become: a power cut leaves the old or the new, never half of one. */
function write(dataDir: string, secrets: Secrets): string {
  mkdirSync(dataDir, { recursive: true });
  const path = `${secretsFile(dataDir)}.${crypto.randomUUID()}`;
  writeFileSync(path, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
  return path;
}
