/** Storage in a bucket, shared by all processes: Amazon S3 or any compatible server. */
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
import { checkContentType, checkStorageKey, checkPrefix, checkByteRange, contentTypeOf, isStorageKey } from './keys.ts';

export interface S3Settings {
  bucket: string;
  /** URL of an S3-compatible server. Absent for Amazon S3. */
  endpoint?: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const maxAttempts = 3;
/**
 * Files above this size are uploaded in parts. S3 accepts at most 5 GB in one request, and at most 10,000 parts of a
 * file.
 */
const maxSingleUploadBytes = 256 * 1024 * 1024;
const partBytes = 16 * 1024 * 1024;
const mostParts = 9_000;
const ignoreError = () => {};

/** @param workFolder contains files while they are in use; its sweep removes those that a killed process left. */
export function createS3Storage(settings: S3Settings, workFolder: string): Storage {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = settings;
  const client = new S3Client({
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: maxAttempts,
    // Without this, the SDK would log the errors that it throws.
    logger: { trace: ignoreError, debug: ignoreError, info: ignoreError, warn: ignoreError, error: ignoreError },
    // The SDK's checksums use a chunked encoding, which S3-compatible servers store as part of the file. Content-MD5 is
    // used instead: all servers support it and refuse a body that was changed in transit.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Limits the time without data instead of the total time, so that a large video can use a slow connection. When a
    // viewer pauses, the connection is released. The player later requests the rest with a range.
    requestHandler: {
      connectionTimeout: 5_000,
      socketTimeout: 60_000,
      httpAgent: { keepAlive: true, maxSockets: 128 },
      httpsAgent: { keepAlive: true, maxSockets: 128 },
    },
  });

  async function getObject(key: string, range?: { start: number; end: number }): Promise<Readable> {
    if (range) checkByteRange(range);
    try {
      const { Body, ContentRange } = await client.send(
        new GetObjectCommand({
          Bucket: bucket,
          Key: checkStorageKey(key),
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
      if (hasErrorName(error, 'NoSuchKey', 'NotFound')) throw new StorageMissing(key);
      if (range && hasErrorName(error, 'InvalidRange')) throw new RangeError(`no bytes ${range.start} to ${range.end}`);
      throw unavailableErrorOr(error, key);
    }
  }

  /**
   * Throws if the bucket does not contain the file. A proxy may report success for a request that never reached the
   * bucket.
   */
  async function requireStored(key: string, size?: number): Promise<void> {
    const { ContentLength } = await client
      .send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
      .catch((error: unknown) => {
        if (hasErrorName(error, 'NoSuchKey', 'NotFound')) return { ContentLength: undefined };
        throw unavailableErrorOr(error, key);
      });
    if (ContentLength === undefined || (size !== undefined && ContentLength !== size))
      throw new StorageUnavailable(`the bucket said that it had ${key}, and has it not`);
  }

  async function putObject(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
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
      await requireStored(key, bytes.byteLength);
    } catch (error) {
      throw storageFullErrorOr(error, key);
    }
  }

  /** Uploads a large file in parts. The SDK keeps only a few parts in memory and retries a failed part. */
  async function uploadInParts(key: string, path: string, size: number, contentType: string): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const upload = new Upload({
      client,
      params: { Bucket: bucket, Key: key, Body: createReadStream(path), ContentType: contentType },
      partSize: Math.max(partBytes, Math.ceil(size / mostParts)),
      queueSize: 2,
    });
    await upload.done().catch((error: unknown) => {
      throw storageFullErrorOr(error, key);
    });
    await requireStored(key, size);
  }

  async function deleteObject(key: string): Promise<void> {
    try {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    } catch (error) {
      if (!hasErrorName(error, 'NoSuchKey', 'NotFound')) throw unavailableErrorOr(error, key);
    }
  }

  return {
    kind: 's3',

    async putFile(key, path, contentType) {
      checkContentType(key, contentType);
      const { size } = await stat(path);
      if (size > maxSingleUploadBytes) return uploadInParts(key, path, size, contentType);
      const hash = createHash('md5');
      await pipeline(createReadStream(path), hash);
      const contentMd5 = hash.digest('base64');
      // The SDK cannot retry a stream that it has started to send, so retry here with a new stream each time.
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
          return await requireStored(key, size);
        } catch (error) {
          if (attempt === maxAttempts || !isTemporary(error)) throw storageFullErrorOr(error, key);
          await wait(100 * 2 ** attempt * (0.5 + Math.random()));
        } finally {
          body.destroy();
        }
      }
    },

    async put(key, bytes, contentType) {
      checkContentType(key, contentType);
      await putObject(key, bytes, contentType);
    },

    async stat(key): Promise<StoredFile | undefined> {
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: checkStorageKey(key) }));
        if (head.ContentLength === undefined || !head.ContentType || !head.LastModified)
          throw new Error(`the bucket tells too little about ${key}`);
        return { sizeBytes: head.ContentLength, contentType: head.ContentType, modifiedAt: head.LastModified };
      } catch (error) {
        if (hasErrorName(error, 'NoSuchKey', 'NotFound')) return undefined;
        throw unavailableErrorOr(error, key);
      }
    },

    read: getObject,

    async withLocalFile(key, use) {
      const bytes = await getObject(key);
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
      checkContentType(to, contentTypeOf(checkStorageKey(key)));
      try {
        await client.send(new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource: `${bucket}/${key}` }));
        await requireStored(to);
      } catch (error) {
        throw hasErrorName(error, 'NoSuchKey', 'NotFound') ? new StorageMissing(key) : storageFullErrorOr(error, to);
      }
      // If the process dies here, both files exist with the same bytes. The next move overwrites the target.
      await deleteObject(key);
    },

    async delete(key) {
      await deleteObject(checkStorageKey(key));
    },

    async *list(prefix) {
      checkPrefix(prefix);
      let continuation: string | undefined;
      do {
        const page = await client
          .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: continuation }))
          .catch((error: unknown) => {
            throw unavailableErrorOr(error, `the list of ${prefix || 'all it holds'}`);
          });
        for (const { Key, LastModified, Size } of page.Contents ?? [])
          // Skip other programs' files whose names are not keys.
          if (Key && isStorageKey(Key) && LastModified && Size !== undefined)
            yield { key: Key, modifiedAt: LastModified, sizeBytes: Size };
        continuation = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (continuation);
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
        throw explainBucketError(error, bucket);
      });
      const key = `check/${randomUUID()}.txt`;
      const bytes = Buffer.from(key);
      await putObject(key, bytes, 'text/plain');
      try {
        if (!bytes.equals(await buffer(await getObject(key)))) throw new Error('the bucket gave back other bytes');
      } finally {
        await deleteObject(key);
      }
    },
  };
}

function hasErrorName(error: unknown, ...names: string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}

/**
 * Explains why a bucket cannot be opened. The response to a HEAD request has only a status, which the SDK turns into an
 * `UnknownError`.
 */
function explainBucketError(error: unknown, bucket: string): unknown {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  const text = status && explanationByStatus[status];
  return text ? new Error(`the bucket ${bucket} ${text}`, { cause: error }) : error;
}
const explanationByStatus: Record<number, string> = {
  301: 'is in another region',
  400: 'refuses what it is asked: it may be in another region',
  403: 'may not be opened with these keys',
  404: 'is not there',
};

/** Whether a retry may succeed: the server was busy or broken, or did not respond. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true;
  const status = error.$metadata.httpStatusCode ?? 0;
  return status >= 500 ? status !== 507 : status === 429 || hasErrorName(error, 'RequestTimeout', 'BadDigest');
}

/** Returns StorageUnavailable if the server failed or refuses the access keys. Otherwise returns the error itself. */
function unavailableErrorOr(error: unknown, key: string): unknown {
  if (!(error instanceof S3ServiceException)) return error;
  if (error.$metadata.httpStatusCode === 403)
    return new StorageUnavailable(`the bucket refuses ${key} to these keys (${describeError(error)})`, {
      cause: error,
    });
  if (isTemporary(error))
    return new StorageUnavailable(`the bucket fails with ${key} (${error.name})`, { cause: error });
  return error;
}

/**
 * Returns StorageFull if the bucket has no room for the file. S3-compatible servers have different error names for
 * this.
 */
function storageFullErrorOr(error: unknown, key: string): unknown {
  const isFull =
    error instanceof S3ServiceException &&
    (error.$metadata.httpStatusCode === 507 ||
      hasErrorName(error, 'QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'EntityTooLarge'));
  if (isFull) return new StorageFull(`no room for ${key} (${error.name})`, { cause: error });
  return unavailableErrorOr(error, key);
}

/** Adds the message if it says more than the name, for example that a limit was reached. */
const describeError = ({ name, message }: Error) => (message && message !== name ? `${name}: ${message}` : name);
