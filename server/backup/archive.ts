/**
 * The file of a backup: a plain tar. Its last two entries are SHA256SUMS, with the hash of each earlier entry, and a
 * file with the hash of SHA256SUMS itself. With them, `sha256sum -c` can verify an unpacked backup without the shop.
 */
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { appendFile, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { extract, pack } from 'tar-stream';
import { splitIntoLines } from './lines.ts';
import { encryptedFileHeader, decryptBackup } from './encryption.ts';
import { BackupRefused } from './backup-refused.ts';

const checksumListName = 'SHA256SUMS';
const checksumListHashName = 'SHA256SUMS.sha256';
const streamBufferBytes = 256 * 1024;
const checksumsPerEntry = 500;

export interface ArchiveWriter {
  /** The bytes of the archive, while it is written. */
  stream: Readable;
  /** Rejects if the number of bytes is not `sizeBytes`. */
  add(name: string, sizeBytes: number, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  addFile(name: string, path: string): Promise<void>;
  /** Nothing can be added after this. Returns the hash of the whole backup. */
  finish(): Promise<string>;
}

/** @param sumsPath a temporary file for the hashes, because a large shop has too many to keep in memory */
export function createArchiveWriter(sumsPath: string): ArchiveWriter {
  const tar = pack({ highWaterMark: streamBufferBytes });
  /** Hashes that are not yet written to the file at `sumsPath`. */
  let sums: string[] = [];
  const archiveErrorPromise = new Promise<never>((_, reject) => {
    tar.on('error', reject);
    tar.on('close', () => reject(new Error('the reader of the backup has stopped')));
  });
  archiveErrorPromise.catch(() => {});

  async function addArchiveEntry(name: string, sizeBytes: number, bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const hash = createHash('sha256');
    const addedPromise = Promise.withResolvers<void>();
    const entry = tar.entry({ name, size: sizeBytes, mode: 0o600 }, (error) =>
      error ? addedPromise.reject(error) : addedPromise.resolve(undefined),
    );
    addedPromise.promise.catch(() => {});
    entry.on('error', () => {}); // `addedPromise` rejects with this error. Without a listener, Node would throw it
    for await (const chunk of bytes) {
      hash.update(chunk);
      if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), addedPromise.promise, archiveErrorPromise]);
    }
    entry.end(undefined);
    await Promise.race([addedPromise.promise, archiveErrorPromise]);
    return hash.digest('hex');
  }
  async function addEntry(name: string, sizeBytes: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    sums.push(checksumLine(await addArchiveEntry(name, sizeBytes, bytes), name));
    if (sums.length >= checksumsPerEntry) await flushChecksums();
  }
  async function flushChecksums(): Promise<void> {
    await appendFile(sumsPath, sums.join(''), { mode: 0o600 });
    sums = [];
  }
  return {
    stream: Readable.from(tar, { objectMode: false, highWaterMark: streamBufferBytes }),
    add: addEntry,
    async addFile(name, path) {
      await addEntry(name, (await stat(path)).size, createPieceStream(path));
    },
    async finish() {
      await flushChecksums();
      const checksumListHash = await addArchiveEntry(
        checksumListName,
        (await stat(sumsPath)).size,
        createPieceStream(sumsPath),
      );
      const checksumListHashLine = Buffer.from(checksumLine(checksumListHash, checksumListName));
      await addArchiveEntry(checksumListHashName, checksumListHashLine.length, Readable.from([checksumListHashLine]));
      tar.finalize();
      return checksumListHash;
    },
  };
}

const checksumLine = (hash: string, name: string) => `${hash}  ${name}\n`;
const createPieceStream = (path: string) => createReadStream(path, { highWaterMark: streamBufferBytes });

/** The file is not a complete and unchanged backup. */
export class BackupDamaged extends BackupRefused {
  override name = 'BackupDamaged';
  constructor(path: string, what: string, options?: ErrorOptions) {
    super(`${path} ${what} Nothing was changed.`, options);
  }
}

export interface ArchivedEntry {
  name: string;
  sizeBytes: number;
  /** The caller may leave them unread. */
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Yields the entries of a backup in order. The hashes are at the end of the file, so the entries are verified only
 * after the last one. A caller that needs verified entries before it acts reads the backup twice. Rejects with
 * BackupRefused.
 */
export async function* readArchive(path: string, passphrase: string | undefined): AsyncGenerator<ArchivedEntry> {
  const backupStream = await openBackup(path, passphrase);
  const tar = extract();
  const failTarExtract = (cause: Error) => tar.destroy(cause);
  backupStream.on('error', failTarExtract);
  backupStream.pipe(tar);
  const entryChecksums = new Checksums(path);
  const createDamageError = (cause: unknown) =>
    cause instanceof BackupRefused
      ? cause
      : new BackupDamaged(path, `is damaged or cut off ${entryChecksums.describePlace()}.`, { cause });
  let isWhole = false;
  try {
    for await (const entry of tar) {
      const { name, size, type } = entry.header;
      if (isWhole || type !== 'file') throw new BackupDamaged(path, `holds ${name}, which no backup holds.`);
      const measuredEntry = new HashingStream(entry as AsyncIterable<Uint8Array>, createDamageError);
      if (name === checksumListName) await entryChecksums.compareWithList(measuredEntry);
      else if (name === checksumListHashName) isWhole = await entryChecksums.isWholeAs(measuredEntry);
      else {
        yield { name, sizeBytes: size, bytes: measuredEntry };
        entryChecksums.add(name, await measuredEntry.digest());
      }
    }
  } catch (cause) {
    throw createDamageError(cause);
  } finally {
    backupStream.destroy();
    tar.destroy();
  }
  if (!isWhole) throw new BackupDamaged(path, `is cut off ${entryChecksums.describePlace()}.`);
}

async function openBackup(path: string, passphrase: string | undefined): Promise<Readable> {
  const backupStart = await readStart(path);
  const source = createPieceStream(path);
  if (!backupStart.startsWith(encryptedFileHeader)) {
    if (!backupStart.startsWith('backup.json\0')) throw new BackupDamaged(path, 'is no backup of a shop.');
    return source;
  }
  if (passphrase === undefined)
    throw new BackupRefused(`${path} is encrypted: set BACKUP_PASSPHRASE to the passphrase it was made with.`);
  return decryptBackup(source, passphrase);
}

async function readStart(path: string): Promise<string> {
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw new BackupRefused(
      cause.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${cause.code}).`,
      { cause },
    );
  });
  try {
    if (!(await file.stat()).isFile()) throw new BackupRefused(`${path} is not a file.`);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64) });
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Passes bytes on to the caller, and computes their hash. */
class HashingStream implements AsyncIterable<Uint8Array> {
  readonly #hash: Hash = createHash('sha256');
  readonly #bytes: AsyncIterator<Uint8Array>;
  readonly #damagedAt: (cause: unknown) => Error;
  constructor(bytes: AsyncIterable<Uint8Array>, damagedAt: (cause: unknown) => Error) {
    this.#bytes = bytes[Symbol.asyncIterator]();
    this.#damagedAt = damagedAt;
  }
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        const nextChunk = await this.#bytes.next().catch((cause: unknown) => {
          throw this.#damagedAt(cause);
        });
        if (!nextChunk.done) this.#hash.update(nextChunk.value);
        return nextChunk;
      },
    };
  }
  /** Reads the rest of the bytes, and returns the hash of all bytes. */
  async digest(): Promise<string> {
    const remainingChunks = this[Symbol.asyncIterator]();
    while (!(await remainingChunks.next()).done);
    return this.#hash.digest('hex');
  }
}

/** The hashes of the entries that were read, 32 bytes each. */
class Checksums {
  readonly #path: string;
  readonly #list = createHash('sha256');
  #whole = '';
  #digests = Buffer.alloc(1024 * 32);
  #count = 0;
  #last = '';
  constructor(path: string) {
    this.#path = path;
  }

  add(name: string, digest: string): void {
    if (this.#count * 32 === this.#digests.length) this.#digests = Buffer.concat([this.#digests, this.#digests]);
    this.#digests.write(digest, this.#count * 32, 'hex');
    this.#list.update(checksumLine(digest, name));
    this.#count += 1;
    this.#last = name;
  }

  /** Compares the hashes with the list in the backup. Rejects with the name of the first entry whose hash differs. */
  async compareWithList(list: HashingStream): Promise<void> {
    let at = 0;
    for await (const line of splitIntoLines(list)) {
      const expectedDigest = this.#digests.toString('hex', at * 32, (at + 1) * 32);
      if (at < this.#count && line.slice(0, 64) !== expectedDigest)
        throw new BackupDamaged(
          this.#path,
          `was changed since it was made: ${line.slice(66)} does not match its hash.`,
        );
      at += 1;
    }
    this.#whole = await list.digest();
    if (at !== this.#count || this.#list.digest('hex') !== this.#whole)
      throw new BackupDamaged(this.#path, 'was changed since it was made: its list of hashes does not match.');
  }

  async isWholeAs(line: HashingStream): Promise<boolean> {
    for await (const text of splitIntoLines(line))
      if (`${text}\n` === checksumLine(this.#whole, checksumListName)) return true;
    throw new BackupDamaged(this.#path, 'was changed since it was made: the hash of the whole backup does not match.');
  }

  describePlace(): string {
    return this.#last === '' ? 'at its beginning' : `after ${this.#last}`;
  }
}
