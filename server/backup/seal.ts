import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { BackupRefused } from './words.ts';

/** The first line of every file that age has sealed. */
export const sealMark = 'age-encryption.org/v1';
/** Two to this: 64 MB and half a second a guess, which a machine that sells frames can spare. */
const workFactor = 16;

/** Seal a backup with a passphrase, so that `age --decrypt` opens it by hand as well. */
export async function seal(plain: Readable, passphrase: string): Promise<Readable> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(workFactor);
  encrypter.setPassphrase(passphrase);
  return Readable.fromWeb((await encrypter.encrypt(webOf(plain))) as WebStream);
}

/** Rejects with BackupRefused where the passphrase is another one. What was changed or cut off fails while it is read. */
export async function unseal(sealed: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return Readable.fromWeb((await decrypter.decrypt(webOf(sealed))) as WebStream);
  } catch (cause) {
    sealed.destroy();
    throw new BackupRefused('BACKUP_PASSPHRASE does not open this backup: it was sealed with another one.', { cause });
  }
}

const webOf = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;
