/** Types for the parts of s3rver that the tests use; the package has none. */
declare module 's3rver' {
  import type { Server } from 'node:http';
  import type { AddressInfo } from 'node:net';
  import type { Readable } from 'node:stream';

  interface IncomingObject {
    bucket: string;
    key: string;
    content: Readable | Buffer;
    metadata: Record<string, string>;
  }
  interface FoundObject {
    key: string;
    size: number;
    lastModifiedDate: Date;
  }
  interface FilesystemStore {
    putObject(object: IncomingObject): Promise<{ size: number; md5: string }>;
    getObject(bucket: string, key: string, options?: { start?: number; end?: number }): Promise<unknown>;
    listObjects(
      bucket: string,
      options: { prefix?: string; startAfter?: string; maxKeys: number },
    ): Promise<{ objects: FoundObject[]; isTruncated: boolean }>;
    putMetadata(bucket: string, key: string, metadata: Record<string, string>, md5: string): Promise<void>;
    getResourcePath(bucket: string, key: string, resource: string): string;
  }
  interface S3Request {
    path: string;
    query: Record<string, string | undefined>;
    type: string;
    body: string;
  }
  export default class S3rver {
    constructor(options: {
      address?: string;
      port?: number;
      silent?: boolean;
      directory?: string;
      vhostBuckets?: boolean;
      configureBuckets?: { name: string }[];
    });
    readonly store: FilesystemStore;
    readonly httpServer: Server;
    readonly middleware: ((context: S3Request, next: () => Promise<void>) => Promise<void>)[];
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
