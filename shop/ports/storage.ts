import type { Readable } from 'node:stream';

/** Facts about a stored file, without its bytes. */
export interface StoredFile {
  sizeBytes: number;
  contentType: string;
  modifiedAt: Date;
}

/**
 * Private files under slash-separated keys of [a-zA-Z0-9._-] segments (`originals/3f…`, `videos/9c….mp4`). Each key is
 * written only once. A reader sees the whole file or none.
 */
export interface Storage {
  readonly kind: 'directory' | 's3';
  /**
   * Stores a finished file from local disk. The file is durable when this resolves. The source file may be gone
   * afterwards, because some stores move it.
   */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Returns undefined if there is no such file. */
  stat(key: string): Promise<StoredFile | undefined>;
  /**
   * Streams the file, or only the bytes from `start` to `end`, both included. Rejects with StorageMissing if there is
   * no such file.
   */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Provides a local path to the file's bytes while `use` runs. `use` must not write to it. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /**
   * Moves a file to another key with the same ending. If a file exists under that key, it is replaced. The modification
   * time becomes the time of the move. Rejects with StorageMissing if there is no such file.
   */
  move(key: string, to: string): Promise<void>;
  /** Deleting a file that does not exist is allowed. */
  delete(key: string): Promise<void>;
  /** The files below a prefix with their sizes and modification times, in any order. */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date; sizeBytes: number }>;
  /** The free and total space, if the store has a limit that it can report. */
  readFreeSpace?(): Promise<{ freeBytes: number; totalBytes: number }>;
  /** Resolves if a write and a read work now. For the health check and the doctor command. */
  check(): Promise<void>;
}
export class StorageMissing extends Error {
  override name = 'StorageMissing';
  constructor(key: string) {
    super(`no stored file ${key}`);
  }
}
/**
 * The store does not respond, refuses a request, or has lost a file that it had accepted. The HTTP response is a 503
 * with an error message for people.
 */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}
/** The store has no space left. The HTTP response is a 507 with an error message for people. */
export class StorageFull extends Error {
  override name = 'StorageFull';
}
