import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { BackupRefused } from './backup-refused.ts';

/** The first line of every file that age has encrypted. */
export const encryptedFileHeader = 'age-encryption.org/v1';
/**
 * The exponent of scrypt's cost. One guess of the passphrase takes 64 MB and half a second: expensive for an attacker,
 * affordable for the shop.
 */
const workFactor = 16;

/** Encrypt a backup with a passphrase. The command `age --decrypt` can open it without the shop. */
export async function encryptBackup(plain: Readable, passphrase: string): Promise<Readable> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(workFactor);
  encrypter.setPassphrase(passphrase);
  return Readable.fromWeb((await encrypter.encrypt(toWebStream(plain))) as WebStream);
}

/**
 * Rejects with BackupRefused if the passphrase is wrong. If the backup was changed or truncated, reading the returned
 * stream fails.
 */
export async function decryptBackup(sealed: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return Readable.fromWeb((await decrypter.decrypt(toWebStream(sealed))) as WebStream);
  } catch (cause) {
    sealed.destroy();
    throw new BackupRefused('BACKUP_PASSPHRASE does not open this backup: it was encrypted with another one.', {
      cause,
    });
  }
}

const toWebStream = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
