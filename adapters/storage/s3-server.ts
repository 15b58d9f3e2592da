/** A local S3 server for tests. It uses s3rver and adds the guarantees of S3 that s3rver lacks. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import S3rver from 's3rver';
import type { S3Settings } from './s3.ts';

export interface S3Server {
  settings: S3Settings & { endpoint: string };
  stop(): Promise<void>;
}

export async function startS3Server(bucket = 'kinframe'): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'kinframe-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  makeWritesAtomic(server.store);
  readFirstByte(server.store);
  listInPages(server, bucket);
  const { port } = await server.run();
  return {
    settings: {
      bucket,
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    async stop() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Changes s3rver so that an object appears only after it is complete, verified and stored, as in S3. Without the
 * change, s3rver writes in place, responds before the last bytes are on disk and ignores Content-MD5.
 */
function makeWritesAtomic(store: S3rver['store']): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const path = store.getResourcePath(bucket, key, 'object');
    const temporaryPath = join(tmpdir(), `kinframe-s3-${randomUUID()}`);
    const hash = createHash('md5');
    let size = 0;
    try {
      await pipeline(
        content instanceof Readable ? content : Readable.from([content]),
        async function* measured(chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            size += chunk.length;
            yield chunk;
          }
        },
        createWriteStream(temporaryPath),
      );
      const digest = hash.digest();
      const expected = metadata['content-md5'];
      if (expected && expected !== digest.toString('base64')) throw new Error('BadDigest');
      await mkdir(dirname(path), { recursive: true });
      await store.putMetadata(bucket, key, metadata, digest.toString('hex'));
      await rename(temporaryPath, path);
      return { size, md5: digest.toString('hex') };
    } finally {
      await rm(temporaryPath, { force: true });
    }
  };
}

/**
 * Fixes ranges that end at byte 0. s3rver treats the falsy value 0 as a missing end. A Number object with value 0 is
 * not falsy.
 */
function readFirstByte(store: S3rver['store']): void {
  const getObject = store.getObject.bind(store);
  store.getObject = (bucket, key, options) =>
    getObject(bucket, key, options?.end === 0 ? { ...options, end: Object(0) as number } : options);
}

/**
 * Replaces s3rver's listing in pages: it encrypts the continuation tokens with DES, which current OpenSSL no longer
 * supports.
 */
function listInPages(server: S3rver, bucket: string): void {
  server.middleware.unshift(async (context, next) => {
    const { 'list-type': version, prefix = '', 'continuation-token': token } = context.query;
    if (version !== '2' || context.path.replaceAll('/', '') !== bucket) return next();
    const { objects, isTruncated } = await server.store.listObjects(bucket, {
      prefix,
      maxKeys: 1000,
      ...(token && { startAfter: Buffer.from(token, 'base64url').toString() }),
    });
    const contents = objects.map(
      ({ key, size, lastModifiedDate }) =>
        `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${lastModifiedDate.toISOString()}</LastModified></Contents>`,
    );
    const lastKey = objects.at(-1)?.key;
    const nextToken =
      isTruncated && lastKey
        ? `<NextContinuationToken>${Buffer.from(lastKey).toString('base64url')}</NextContinuationToken>`
        : '';
    context.type = 'application/xml';
    context.body = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}${nextToken}</ListBucketResult>`;
  });
}
