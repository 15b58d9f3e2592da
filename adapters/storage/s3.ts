/** Files in a bucket, shared by every process: Amazon S3 or anything that speaks its language. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { StorageFull, StorageMissing, StorageUnavailable } from '#shop/ports/storage.ts';
import type { Storage, StoredFile } from '#shop/ports/storage.ts';
import { checkContentType, checkKey, checkPrefix, checkRange, contentTypeOf, isKey } from './keys.ts';

export interface S3Settings {
  bucket: string;
  /** The address of a server other than Amazon's own. */
  endpoint?: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const attempts = 3;
/** A larger file goes in parts: S3 takes 5 GB at once, and 10,000 parts of a file. */
const wholeBytes = 256 * 1024 * 1024;
const partBytes = 16 * 1024 * 1024;
const mostParts = 9_000;
const ignore = () => {};

/** @param workFolder where files lie while they are lent; whoever sweeps it clears away what a killed process left. */
export function createS3Storage(settings: S3Settings, workFolder: string): Storage {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = settings;
  const client = new S3Client({
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: attempts,
    // Failures are thrown; the SDK would also write them to the console.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
    // The SDK's own checksums arrive as a chunked encoding that other servers store as if it were the file. Content-MD5
    // is understood everywhere and refuses a body that changed on its way.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Idle time, not total time: a large video over a slow line is fine, a silent server is not. A viewer who pauses
    // gives the connection back and asks again with a range.
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 60_000,
      httpAgent: { keepAlive: true, maxSockets: 128 },
      httpsAgent: { keepAlive: true, maxSockets: 128 },
    },
  });

  async function get(key: string, range?: { start: number; end: number }): Promise<Readable> {
    if (range) checkRange(range);
    try {
      const { Body, ContentRange } = await client.send(
        new GetObjectCommand({
          Bucket: bucket,
          Key: checkKey(key),
          ...(range && { Range: `bytes=${range.start}-${range.end}` }),
        }),
      );
      if (!(Body instanceof Readable)) throw new Error(`the bucket gave no body for ${key}`);
      if (range && !ContentRange) {
        Body.destroy();
        throw new Error('the bucket ignores ranges');
      }
      return Body;
    } catch (error) {
      if (isCalled(error, 'NoSuchKey', 'NotFound')) throw new StorageMissing(key);
      if (range && isCalled(error, 'InvalidRange')) throw new RangeError(`no bytes ${range.start} to ${range.end}`);
      throw brokenOr(error, key);
    }
  }

  /** What stands before a bucket may say yes to what never reached it: a file is stored once the bucket shows it. */
  async function expectThere(key: string, size?: number): Promise<void> {
    const { ContentLength } = await client
      .send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
      .catch((error: unknown) => {
        if (isCalled(error, 'NoSuchKey', 'NotFound')) return { ContentLength: undefined };
        throw brokenOr(error, key);
      });
    if (ContentLength === undefined || (size !== undefined && ContentLength !== size))
      throw new StorageUnavailable(`the bucket said that it had ${key}, and has it not`);
  }

  async function put(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    try {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ContentLength: bytes.byteLength,
          ContentMD5: createHash('md5').update(bytes).digest('base64'),
          ContentType: contentType,
        }),
      );
      await expectThere(key, bytes.byteLength);
    } catch (error) {
      throw ofStore(error, key);
    }
  }

  /** The SDK holds a few parts in memory, and repeats one that fails. */
  async function putInParts(key: string, path: string, size: number, contentType: string): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const upload = new Upload({
      client,
      params: { Bucket: bucket, Key: key, Body: createReadStream(path), ContentType: contentType },
      partSize: Math.max(partBytes, Math.ceil(size / mostParts)),
      queueSize: 2,
    });
    await upload.done().catch((error: unknown) => {
      throw ofStore(error, key);
    });
    await expectThere(key, size);
  }

  async function remove(key: string): Promise<void> {
    try {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    } catch (error) {
      if (!isCalled(error, 'NoSuchKey', 'NotFound')) throw brokenOr(error, key);
    }
  }

  return {
    kind: 's3',

    async putFile(key, path, contentType) {
      checkContentType(key, contentType);
      const { size } = await stat(path);
      if (size > wholeBytes) return putInParts(key, path, size, contentType);
      const hash = createHash('md5');
      await pipeline(createReadStream(path), hash);
      const contentMd5 = hash.digest('base64');
      // The SDK cannot repeat a stream it has begun to send, so the repeating is done here, with a new one each time.
      for (let attempt = 1; ; attempt += 1) {
        const body = size > 0 ? createReadStream(path, { end: size - 1 }) : Readable.from([]);
        try {
          await client.send(
            new PutObjectCommand({
              Bucket: bucket,
              Key: key,
              Body: body,
              ContentLength: size,
              ContentMD5: contentMd5,
              ContentType: contentType,
            }),
          );
          return await expectThere(key, size);
        } catch (error) {
          if (attempt === attempts || !mayPass(error)) throw ofStore(error, key);
          await wait(100 * 2 ** attempt * (0.5 + Math.random()));
        } finally {
          body.destroy();
        }
      }
    },

    async put(key, bytes, contentType) {
      checkContentType(key, contentType);
      await put(key, bytes, contentType);
    },

    async stat(key): Promise<StoredFile | undefined> {
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: checkKey(key) }));
        if (head.ContentLength === undefined || !head.ContentType || !head.LastModified)
          throw new Error(`the bucket tells too little about ${key}`);
        return { sizeBytes: head.ContentLength, contentType: head.ContentType, modifiedAt: head.LastModified };
      } catch (error) {
        if (isCalled(error, 'NoSuchKey', 'NotFound')) return undefined;
        throw brokenOr(error, key);
      }
    },

    read: get,

    async withLocalFile(key, use) {
      const bytes = await get(key);
      const folder = await mkdtemp(join(workFolder, 'lent-')).catch((error: unknown) => {
        bytes.destroy();
        throw error;
      });
      try {
        const path = join(folder, basename(key));
        await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        return await use(path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },

    async move(key, to) {
      checkContentType(to, contentTypeOf(checkKey(key)));
      try {
        await client.send(new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: `${bucket}/${key}` }));
        await expectThere(to);
      } catch (error) {
        throw isCalled(error, 'NoSuchKey', 'NotFound') ? new StorageMissing(key) : ofStore(error, to);
      }
      // A process that dies here leaves both: the same bytes, and whoever moves again moves over them.
      await remove(key);
    },

    async delete(key) {
      await remove(checkKey(key));
    },

    async *list(prefix) {
      checkPrefix(prefix);
      let continuation: string | undefined;
      do {
        const page = await client
          .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: continuation }))
          .catch((error: unknown) => {
            throw brokenOr(error, `the list of ${prefix || 'all it holds'}`);
          });
        for (const { Key, LastModified, Size } of page.Contents ?? [])
          // What others keep in the bucket under names that are no keys is not ours to show.
          if (Key && isKey(Key) && LastModified && Size !== undefined)
            yield { key: Key, modifiedAt: LastModified, sizeBytes: Size };
        continuation = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (continuation);
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
        throw closedOr(error, bucket);
      });
      const key = `check/${randomUUID()}.txt`;
      const bytes = Buffer.from(key);
      await put(key, bytes, 'text/plain');
      try {
        if (!bytes.equals(await buffer(await get(key)))) throw new Error('the bucket gave back other bytes');
      } finally {
        await remove(key);
      }
    },
  };
}

function isCalled(error: unknown, ...names: string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}

/** Asked for its head a bucket refuses in a number alone, of which the SDK makes an `UnknownError`. */
function closedOr(error: unknown, bucket: string): unknown {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  const words = status && refusals[status];
  return words ? new Error(`the bucket ${bucket} ${words}`, { cause: error }) : error;
}
const refusals: Record<number, string> = {
  301: 'is in another region',
  400: 'refuses what it is asked: it may be in another region',
  403: 'may not be opened with these keys',
  404: 'is not there',
};

/** Whether the same again may work: the server was busy or broken, or never answered. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true;
  const status = error.$metadata.httpStatusCode ?? 0;
  return status >= 500 ? status !== 507 : status === 429 || isCalled(error, 'RequestTimeout', 'BadDigest');
}

/** The server's own trouble, or keys that it does not let in. */
function brokenOr(error: unknown, key: string): unknown {
  if (!(error instanceof S3ServiceException)) return error;
  if (error.$metadata.httpStatusCode === 403)
    return new StorageUnavailable(`the bucket refuses ${key} to these keys (${wordsOf(error)})`, { cause: error });
  if (mayPass(error)) return new StorageUnavailable(`the bucket fails with ${key} (${error.name})`, { cause: error });
  return error;
}

/** A quota used up: other servers say so with their own names. */
function ofStore(error: unknown, key: string): unknown {
  const isFull =
    error instanceof S3ServiceException &&
    (error.$metadata.httpStatusCode === 507 ||
      isCalled(error, 'QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'EntityTooLarge'));
  if (isFull) return new StorageFull(`no room for ${key} (${error.name})`, { cause: error });
  return brokenOr(error, key);
}

/** Where no name of the error's own says more, its words do: of a cap that was reached, say. */
const wordsOf = ({ name, message }: Error) => (message && message !== name ? `${name}: ${message}` : name);
