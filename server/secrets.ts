import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the shop makes for itself at its first start, kept in DATA_DIR/secrets.json (mode 600). */
export interface Secrets {
  /** argon2id. */
  adminPasswordHash: string;
  sandboxWebhookSecret: string;
}

/** `hashPassword` hashes a new admin password, which is answered once, to be shown to whoever started the shop. */
export async function readSecrets(
  dataDir: string,
  hashPassword: (password: string) => Promise<string>,
): Promise<Secrets & { generatedPassword?: string }> {
  const path = join(dataDir, 'secrets.json');
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  const generatedPassword = randomBytes(12).toString('base64url');
  const secrets: Secrets = {
    adminPasswordHash: await hashPassword(generatedPassword),
    sandboxWebhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return { ...secrets, generatedPassword };
}
