import type { Readable } from 'node:stream';

/** What a stored file is, without its bytes. */
export interface StoredFile {
  sizeBytes: number;
  contentType: string;
  modifiedAt: Date;
}

/**
 * Private files under slash-separated keys of [a-zA-Z0-9._-] segments (`originals/3f…`, `videos/9c….mp4`).
 * A key is written once; a reader sees the whole file or none.
 */
export interface Storage {
  readonly kind: 'directory' | 's3';
  /** Store a finished file from local disk, durable when this resolves. The source file may be moved away. */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Undefined when there is no such file. */
  stat(key: string): Promise<StoredFile | undefined>;
  /** Stream the file, or the inclusive byte range; rejects with StorageMissing when there is no such file. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** A local path holding the file's bytes while `use` runs; never written to by the user. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /**
   * Give a file another key with the same ending. It is as old as its move from then on, and takes the place of what
   * stood there; rejects with StorageMissing when there is no such file.
   */
  move(key: string, to: string): Promise<void>;
  /** Deleting what is not there is fine. */
  delete(key: string): Promise<void>;
  /** Keys below a prefix with their ages, in no order. */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date; sizeBytes: number }>;
  /** How much room there is, where the store has an end that can be told. */
  room?(): Promise<{ freeBytes: number; totalBytes: number }>;
  /** Resolves when a write and a read work now; for readiness and the doctor. */
  check(): Promise<void>;
}
export class StorageMissing extends Error {
  override name = 'StorageMissing';
  constructor(key: string) {
    super(`no stored file ${key}`);
  }
}
/** The store does not answer, refuses, or answers not as one that has what it was given: answered as 503 in words. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}
/** The store has no room: answered as 507 in words. */
export class StorageFull extends Error {
  override name = 'StorageFull';
}
