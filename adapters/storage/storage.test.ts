import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import {
  access,
  link,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buffer, text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { StorageFull, StorageMissing, StorageUnavailable } from '#shop/ports/storage.ts';
import type { Storage } from '#shop/ports/storage.ts';
import { createDirectoryStorage } from './directory.ts';
import { startS3Server } from './s3-server.ts';
import { createS3Storage } from './s3.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kinframe-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function createTemporaryFile(bytes: Uint8Array): Promise<string> {
  const path = join(await createTemporaryFolder(), 'upload');
  await writeFile(path, bytes);
  return path;
}

async function listKeys(storage: Storage, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys.toSorted();
}

/** The source code of a separate program that stores files in the folder. */
const writerProgramText = (folder: string, body: string) => `
  import { createDirectoryStorage } from ${JSON.stringify(new URL('./directory.ts', import.meta.url).href)};
  const storage = createDirectoryStorage(${JSON.stringify(folder)});
  ${body}`;

const startBucketAnswering = async (answer: RequestListener): Promise<Storage> =>
  createS3Storage(await startBucketAnsweringWith(answer), await createTemporaryFolder());

/** The settings of a bucket that responds with `answer`. */
async function startBucketAnsweringWith(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    bucket: 'kinframe',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  };
}
const createErrorXml = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

const createResponseXml = (call: string, words: string) =>
  `<?xml version="1.0"?><${call}Result>${words}</${call}Result>`;

const readBytes = async (storage: Storage, key: string, range?: { start: number; end: number }) =>
  buffer(await storage.read(key, range));

interface OpenStore {
  storage: Storage;
  /** The folder for local copies of stored files. */
  workFolder: string;
  close: () => Promise<void>;
}
const stores: { kind: Storage['kind']; open: () => Promise<OpenStore> }[] = [
  {
    kind: 'directory',
    async open() {
      const folder = await mkdtemp(join(tmpdir(), 'kinframe-test-'));
      const close = () => rm(folder, { recursive: true, force: true });
      return { storage: createDirectoryStorage(join(folder, 'files')), workFolder: join(folder, 'work'), close };
    },
  },
  {
    kind: 's3',
    async open() {
      const server = await startS3Server();
      const workFolder = await mkdtemp(join(tmpdir(), 'kinframe-test-'));
      const close = async () => {
        await server.stop();
        await rm(workFolder, { recursive: true, force: true });
      };
      return { storage: createS3Storage(server.settings, workFolder), workFolder, close };
    },
  },
];

describe.each(stores)('any storage: $kind', ({ kind, open }) => {
  let storage: Storage;
  let workFolder: string;
  let close: () => Promise<void>;
  beforeAll(async () => ({ storage, workFolder, close } = await open()));
  afterAll(() => close());

  test('returns its kind, and its check succeeds and leaves no file', async () => {
    expect(storage.kind).toBe(kind);
    await storage.check();
    expect(await listKeys(storage, '')).toEqual([]);
  });

  test('returns a stored file byte for byte', async () => {
    const bytes = randomBytes(10 * 1024 * 1024);
    const key = `originals/${randomUUID()}.jpg`;
    const startedAt = Date.now();
    await storage.putFile(key, await createTemporaryFile(bytes), 'image/jpeg');
    expect(sha256(await readBytes(storage, key))).toBe(sha256(bytes));
    const file = await storage.stat(key);
    expect(file).toMatchObject({ sizeBytes: bytes.length, contentType: 'image/jpeg' });
    expect(file?.modifiedAt.getTime()).toBeGreaterThan(startedAt - 2000);
    expect(file?.modifiedAt.getTime()).toBeLessThan(Date.now() + 2000);
  });

  test('stores bytes from memory, and empty files', async () => {
    const key = `originals/${randomUUID()}.png`;
    const bytes = randomBytes(70_000);
    await storage.put(key, bytes, 'image/png');
    expect((await readBytes(storage, key)).equals(bytes)).toBe(true);
    for (const emptyFileKey of ['empty/memory.txt', 'empty/file.txt']) {
      if (emptyFileKey.includes('memory')) await storage.put(emptyFileKey, new Uint8Array(), 'text/plain');
      else await storage.putFile(emptyFileKey, await createTemporaryFile(new Uint8Array()), 'text/plain');
      expect(await readBytes(storage, emptyFileKey)).toHaveLength(0);
      expect(await storage.stat(emptyFileKey)).toMatchObject({ sizeBytes: 0, contentType: 'text/plain' });
    }
  });

  test('keeps the content type of a file, and refuses a type that contradicts the ending of the key', async () => {
    const types = {
      'a.heic': 'image/heic',
      'b.MP4': 'video/mp4',
      'c.zip': 'application/zip',
      d: 'application/octet-stream',
    };
    for (const [name, type] of Object.entries(types)) {
      await storage.put(`types/${name}`, Buffer.from(name), type);
      expect((await storage.stat(`types/${name}`))?.contentType).toBe(type);
    }
    await expect(storage.put('types/e.jpg', Buffer.from('e'), 'text/html')).rejects.toThrow(TypeError);
    expect(await storage.stat('types/e.jpg')).toBeUndefined();
  });

  test('reads ranges that include both ends, and refuses invalid ranges', async () => {
    const key = `videos/${randomUUID()}.mp4`;
    const bytes = randomBytes(200_000);
    await storage.put(key, bytes, 'video/mp4');
    expect((await readBytes(storage, key, { start: 0, end: 0 })).equals(bytes.subarray(0, 1))).toBe(true);
    expect((await readBytes(storage, key, { start: 100, end: 150_099 })).equals(bytes.subarray(100, 150_100))).toBe(
      true,
    );
    expect((await readBytes(storage, key, { start: 199_999, end: 199_999 })).equals(bytes.subarray(199_999))).toBe(
      true,
    );
    expect((await readBytes(storage, key, { start: 199_990, end: 900_000 })).equals(bytes.subarray(199_990))).toBe(
      true,
    );
    for (const range of [
      { start: 200_000, end: 200_001 },
      { start: 5, end: 4 },
      { start: -1, end: 4 },
      { start: 0.5, end: 4 },
    ])
      await expect(storage.read(key, range)).rejects.toThrow(RangeError);
  });

  test('throws StorageMissing for a missing file', async () => {
    const key = 'originals/nowhere.jpg';
    expect(await storage.stat(key)).toBeUndefined();
    await expect(storage.read(key)).rejects.toThrow(StorageMissing);
    await expect(storage.read(key, { start: 0, end: 1 })).rejects.toThrow(StorageMissing);
    const use = vi.fn<(path: string) => Promise<void>>();
    await expect(storage.withLocalFile(key, use)).rejects.toThrow(StorageMissing);
    expect(use).not.toHaveBeenCalled();
    await expect(storage.putFile(key, '/nowhere/at/all', 'image/jpeg')).rejects.toThrow('ENOENT');
    expect(await storage.stat(key)).toBeUndefined();
  });

  test('a key of a folder, or below a file, counts as missing, and deleting it removes nothing', async () => {
    await storage.put('shape/folder/file', Buffer.from('1'), 'application/octet-stream');
    expect(await storage.stat('shape/folder')).toBeUndefined();
    await expect(storage.read('shape/folder')).rejects.toThrow(StorageMissing);
    await storage.delete('shape/folder');
    await storage.delete('shape/folder/file/deeper');
    expect(await storage.stat('shape/folder/file/deeper')).toBeUndefined();
    expect(await listKeys(storage, 'shape/')).toEqual(['shape/folder/file']);
  });

  test('deletes a file, and does not fail when it is deleted again', async () => {
    const key = `originals/${randomUUID()}.webp`;
    await storage.put(key, Buffer.from('x'), 'image/webp');
    await storage.delete(key);
    expect(await storage.stat(key)).toBeUndefined();
    await storage.delete(key);
    expect(await listKeys(storage, 'originals/')).not.toContain(key);
  });

  test('moves a file, even over an existing file, and resets its age', async () => {
    const [from, to] = [`originals/${randomUUID()}.heic`, `trash/originals/${randomUUID()}.heic`] as const;
    const bytes = randomBytes(70_000);
    await storage.put(to, Buffer.from('what stood there'), 'image/heic');
    await storage.put(from, bytes, 'image/heic');
    const modifiedBefore = (await storage.stat(from))!.modifiedAt;
    await vi.waitUntil(() => Date.now() > modifiedBefore.getTime() + 1000, 5000); // a bucket reports whole seconds
    await storage.move(from, to);
    expect(await storage.stat(from)).toBeUndefined();
    expect(await storage.stat(to)).toMatchObject({ sizeBytes: bytes.length, contentType: 'image/heic' });
    expect((await storage.stat(to))!.modifiedAt.getTime()).toBeGreaterThan(modifiedBefore.getTime());
    expect((await readBytes(storage, to)).equals(bytes)).toBe(true);
    await storage.move(to, from);
    expect((await readBytes(storage, from)).equals(bytes)).toBe(true);
    await expect(storage.move(to, from)).rejects.toThrow(StorageMissing);
    await expect(storage.move(from, 'originals/another-type.jpg')).rejects.toThrow(TypeError);
    expect((await readBytes(storage, from)).equals(bytes)).toBe(true);
  });

  test('provides a local path while a file is used, and removes the local copy afterwards', async () => {
    const key = `originals/${randomUUID()}.heic`;
    const bytes = randomBytes(300_000);
    await storage.put(key, bytes, 'image/heic');
    const path = await storage.withLocalFile(key, async (path) => {
      expect(path).toMatch(/\.heic$/);
      expect((await readFile(path)).equals(bytes)).toBe(true);
      return path;
    });
    // The copy is in the work folder. If this process is killed now, the sweep of that folder removes the copy.
    if (kind === 's3') expect(dirname(dirname(path))).toBe(workFolder);
    if (kind === 's3') await expect(access(dirname(path))).rejects.toThrow('ENOENT');
    let localPath = '';
    const failingCall = storage.withLocalFile(key, (path) => {
      localPath = path;
      throw new Error('decoder fell over');
    });
    await expect(failingCall).rejects.toThrow('decoder fell over');
    if (kind === 's3') await expect(access(dirname(localPath))).rejects.toThrow('ENOENT');
    expect((await readBytes(storage, key)).equals(bytes)).toBe(true);
  });

  test('lists keys with a prefix, with sizes and times', async () => {
    for (const key of ['list/a/1.txt', 'list/a/22.txt', 'list/ab/3.txt', 'list/b.txt', 'listless.txt'])
      await storage.put(key, Buffer.from(key), 'text/plain');
    expect(await listKeys(storage, 'list/')).toEqual(['list/a/1.txt', 'list/a/22.txt', 'list/ab/3.txt', 'list/b.txt']);
    expect(await listKeys(storage, 'list/a')).toEqual(['list/a/1.txt', 'list/a/22.txt', 'list/ab/3.txt']);
    expect(await listKeys(storage, 'list/a/')).toEqual(['list/a/1.txt', 'list/a/22.txt']);
    expect(await listKeys(storage, 'list/a/2')).toEqual(['list/a/22.txt']);
    expect(await listKeys(storage, 'list')).toContain('listless.txt');
    expect(await listKeys(storage, 'list/b.txt/')).toEqual([]);
    expect(await listKeys(storage, 'nothing/here/')).toEqual([]);
    for await (const file of storage.list('list/a/1')) {
      expect(file).toMatchObject({ key: 'list/a/1.txt', sizeBytes: 12 });
      expect(Math.abs(Date.now() - file.modifiedAt.getTime())).toBeLessThan(10_000);
    }
  });

  test('lists more than one page of keys', async () => {
    const keys = Array.from({ length: 1100 }, (_, i) => `pages/${String(i).padStart(4, '0')}.txt`);
    for (let i = 0; i < keys.length; i += 50)
      await Promise.all(keys.slice(i, i + 50).map((key) => storage.put(key, Buffer.from(key), 'text/plain')));
    expect(await listKeys(storage, 'pages/')).toEqual(keys);
  });

  test('refuses hostile keys in every call', async () => {
    const hostileKeys = [
      '',
      '/',
      '/etc/passwd',
      '../outside.jpg',
      'a/../../outside.jpg',
      'a/./b.jpg',
      'a//b.jpg',
      'a/b/',
      '..',
      '...',
      'a\\..\\b.jpg',
      'a/b\0.jpg',
      'a/b\n.jpg',
      'a b.jpg',
      'a/ü.jpg',
      '%2e%2e/b.jpg',
      'tmp/unfinished.jpg',
      `a/${'x'.repeat(300)}.jpg`,
      'a/'.repeat(400) + 'b.jpg',
    ];
    const path = await createTemporaryFile(Buffer.from('x'));
    for (const key of hostileKeys) {
      await expect(storage.put(key, Buffer.from('x'), 'image/jpeg')).rejects.toThrow(TypeError);
      await expect(storage.putFile(key, path, 'image/jpeg')).rejects.toThrow(TypeError);
      await expect(storage.stat(key)).rejects.toThrow(TypeError);
      await expect(storage.read(key)).rejects.toThrow(TypeError);
      await expect(storage.withLocalFile(key, async () => {})).rejects.toThrow(TypeError);
      await expect(storage.move(key, 'a/b.jpg')).rejects.toThrow(TypeError);
      await expect(storage.move('a/b.jpg', key)).rejects.toThrow(TypeError);
      await expect(storage.delete(key)).rejects.toThrow(TypeError);
    }
    for (const prefix of ['../', '/', 'a/../', 'a//', 'tmp/', 'a\0'])
      await expect(listKeys(storage, prefix)).rejects.toThrow(TypeError);
  });

  test('stores 20 files at the same time without mixing their bytes', async () => {
    const files = Array.from({ length: 20 }, (_, i) => ({
      key: `parallel/${i}/photo.jpg`,
      bytes: randomBytes(1_000_000 + i),
    }));
    await Promise.all(
      files.map(async ({ key, bytes }) => storage.putFile(key, await createTemporaryFile(bytes), 'image/jpeg')),
    );
    const readHashes = await Promise.all(files.map(async ({ key }) => sha256(await readBytes(storage, key))));
    expect(readHashes).toEqual(files.map(({ bytes }) => sha256(bytes)));
  });

  test('shows a file only when it is complete, also when it is replaced', async () => {
    const key = 'whole/video.mp4';
    const versions = [1, 2].map((version) => Buffer.alloc(12_000_000, version));
    for (const bytes of versions) {
      const path = await createTemporaryFile(bytes);
      const progress = { isStored: false };
      const storedFile = storage.putFile(key, path, 'video/mp4').finally(() => (progress.isStored = true));
      while (!progress.isStored) {
        const readResult = await readBytes(storage, key).catch((error: unknown) => {
          expect(error).toBeInstanceOf(StorageMissing);
        });
        if (readResult) expect(versions.some((version) => version.equals(readResult))).toBe(true);
        await wait(1);
      }
      await storedFile;
      expect((await readBytes(storage, key)).equals(bytes)).toBe(true);
    }
  });

  test('reads a file even after 40 streams were destroyed before their end', async () => {
    const key = 'streams/long.mp4';
    await storage.put(key, Buffer.alloc(5_000_000, 7), 'video/mp4');
    for (let i = 0; i < 40; i += 1) {
      const stream = await storage.read(key);
      stream.destroy();
    }
    expect(await readBytes(storage, key, { start: 1, end: 3 })).toEqual(Buffer.from([7, 7, 7]));
  });
});

describe('files in a directory', () => {
  test('after a process is killed while writing, all files are complete and no confirmed file is missing', async () => {
    const folder = await createTemporaryFolder();
    const body = `
      for (let i = 0; ; i += 1) {
        const key = 'killed/' + process.argv[1] + '-' + i + '.mp4';
        await storage.put(key, Buffer.alloc(6_000_000, i % 251), 'video/mp4');
        process.stdout.write(key + '\\n');
      }`;
    const promisedKeys: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const child = spawn(process.execPath, [
        '--input-type=module',
        '-e',
        writerProgramText(folder, body),
        String(round),
      ]);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await once(child.stdout, 'data');
      await wait(Math.random() * 60);
      child.kill('SIGKILL');
      await once(child, 'close');
      promisedKeys.push(...output.split('\n').slice(0, -1));
    }
    const storage = createDirectoryStorage(folder);
    const visibleKeys = await listKeys(storage, '');
    expect(visibleKeys.filter((key) => !key.startsWith('killed/'))).toEqual([]);
    expect(promisedKeys.filter((key) => !visibleKeys.includes(key))).toEqual([]);
    for (const key of visibleKeys) {
      const bytes = await readBytes(storage, key);
      const expected = Number(/-(\d+)\.mp4$/.exec(key)?.[1]) % 251;
      expect(bytes.equals(Buffer.alloc(6_000_000, expected))).toBe(true);
    }
    await storage.check();
  });

  test('throws StorageFull and leaves no partial file when the disk is full', async () => {
    const folder = await createTemporaryFolder();
    const source = await createTemporaryFile(Buffer.alloc(3_000_000, 1));
    // The source is a symbolic link, so its content is copied instead of moved. This writes more bytes than the
    // process's file size limit allows, so it fails.
    const linkPath = join(dirname(source), 'linked');
    await symlink(source, linkPath);
    const body = `
      const nameOf = (error) => error.name;
      await storage.put('small.txt', Buffer.from('fits'), 'text/plain');
      console.log(await storage.put('big.mp4', Buffer.alloc(3_000_000), 'video/mp4').catch(nameOf));
      console.log(await storage.putFile('copied.mp4', ${JSON.stringify(linkPath)}, 'video/mp4').catch(nameOf));`;
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      'ulimit -f 2048; exec "$0" "$@"',
      process.execPath,
      '--input-type=module',
      '-e',
      writerProgramText(folder, body),
    ]);
    expect(stdout.trim().split('\n')).toEqual(['StorageFull', 'StorageFull']);
    expect(await listKeys(createDirectoryStorage(folder), '')).toEqual(['small.txt']);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect((await stat(source)).size).toBe(3_000_000);
  });

  test('throws StorageFull when the disk turns out to be full only at the sync', async () => {
    const folder = await createTemporaryFolder();
    const storage = createDirectoryStorage(folder);
    const { open } = await import('node:fs/promises');
    const file = await open(join(folder, 'any'), 'w');
    const fileHandlePrototype = Object.getPrototypeOf(file) as typeof file;
    await file.close();
    await rm(join(folder, 'any'));
    const diskFullError = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const source = await createTemporaryFile(Buffer.from('kept'));
    for (const store of [
      () => storage.put('a.txt', Buffer.from('a'), 'text/plain'),
      () => storage.putFile('b.txt', source, 'text/plain'),
      () => storage.check(),
    ]) {
      const sync = vi.spyOn(fileHandlePrototype, 'sync').mockRejectedValueOnce(diskFullError);
      await expect(store()).rejects.toThrow(StorageFull);
      sync.mockRestore();
    }
    expect(await listKeys(storage, '')).toEqual([]);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    await storage.putFile('b.txt', source, 'text/plain');
    expect(await text(await storage.read('b.txt'))).toBe('kept');
  });

  test('removes a dead process’s unfinished files after an hour, and never lists them', async () => {
    const folder = await createTemporaryFolder();
    await mkdir(join(folder, 'tmp'));
    const [old, fresh] = [join(folder, 'tmp', 'old'), join(folder, 'tmp', 'fresh')] as const;
    await writeFile(old, 'x');
    await writeFile(fresh, 'x');
    await utimes(old, new Date(), new Date(Date.now() - 2 * 60 * 60 * 1000));
    await writeFile(join(folder, 'not a key'), 'x');
    const storage = createDirectoryStorage(folder);
    await storage.put('a.txt', Buffer.from('a'), 'text/plain');
    expect(await readdir(join(folder, 'tmp'))).toEqual(['fresh']);
    expect(await listKeys(storage, '')).toEqual(['a.txt']);
  });

  test('a moved or copied file is private, and its time is the time of storing', async () => {
    const storage = createDirectoryStorage(await createTemporaryFolder());
    const movedFile = await createTemporaryFile(Buffer.from('moved'));
    const copiedFile = await createTemporaryFile(Buffer.from('copied'));
    await link(copiedFile, `${copiedFile}-twin`);
    for (const [key, path] of Object.entries({ 'moved.txt': movedFile, 'copied.txt': copiedFile })) {
      await utimes(path, new Date(0), new Date(0));
      await storage.putFile(key, path, 'text/plain');
      expect(Date.now() - ((await storage.stat(key))?.modifiedAt.getTime() ?? 0)).toBeLessThan(10_000);
      await storage.withLocalFile(key, async (path) => expect((await stat(path)).mode & 0o777).toBe(0o600));
    }
    // The other name of a linked file can still be written to, so the stored file must be a copy.
    await writeFile(`${copiedFile}-twin`, 'changed');
    expect(await text(await storage.read('copied.txt'))).toBe('copied');
  });

  test('the check fails when the directory cannot be written', async () => {
    const folder = await createTemporaryFolder();
    await writeFile(join(folder, 'files'), 'a file where the directory should be');
    await expect(createDirectoryStorage(join(folder, 'files')).check()).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});

describe('a bucket that misbehaves', () => {
  test('sends the whole file again after a lost connection or a busy response', async () => {
    const bytes = randomBytes(3_000_000);
    const receivedBuffers: Buffer[] = [];
    let requestCount = 0;
    const storage = await startBucketAnswering((request, response) => {
      if (request.method === 'HEAD')
        return response.writeHead(200, { 'content-length': receivedBuffers[0]!.length }).end();
      requestCount += 1;
      if (requestCount === 1) {
        request.once('data', () => request.destroy());
        return;
      }
      void buffer(request).then((body) => {
        if (requestCount === 2) return response.writeHead(503).end(createErrorXml('SlowDown'));
        receivedBuffers.push(body);
        return response.writeHead(200, { etag: '"x"' }).end();
      });
    });
    await storage.putFile('a.jpg', await createTemporaryFile(bytes), 'image/jpeg');
    expect(requestCount).toBe(3);
    expect(receivedBuffers.map(sha256)).toEqual([sha256(bytes)]);
  });

  test('sends plain bytes with their length and digest', async () => {
    let headers: Record<string, unknown> = {};
    const storage = await startBucketAnswering((request, response) => {
      if (request.method === 'HEAD') return response.writeHead(200, { 'content-length': 9 }).end();
      headers = request.headers;
      request.resume().on('end', () => response.writeHead(200).end());
    });
    const bytes = Buffer.from('a picture');
    const md5 = createHash('md5').update(bytes).digest('base64');
    await storage.put('a.jpg', bytes, 'image/jpeg');
    expect(headers).toMatchObject({ 'content-md5': md5, 'content-length': '9', 'content-type': 'image/jpeg' });
    await storage.putFile('a.jpg', await createTemporaryFile(bytes), 'image/jpeg');
    expect(headers).toMatchObject({ 'content-md5': md5, 'content-length': '9', 'content-type': 'image/jpeg' });
    expect(headers).not.toHaveProperty('x-amz-trailer');
    expect(headers).not.toHaveProperty('content-encoding');
  });

  test('uploads 320 MB in parts, retries a failed part, and never has the whole file in memory', async () => {
    const sizeBytes = 320 * 1024 * 1024;
    const parts = new Map<number, number>();
    let refusedPartCount = 0;
    let isComplete = false;
    const settings = await startBucketAnsweringWith((request, response) => {
      const { searchParams } = new URL(request.url!, 'http://bucket');
      const part = Number(searchParams.get('partNumber'));
      if (request.method === 'HEAD') return response.writeHead(200, { 'content-length': sizeBytes }).end();
      let receivedBodies = 0;
      request.on('data', (bytes: Buffer) => (receivedBodies += bytes.length));
      request.on('end', () => {
        if (searchParams.has('uploads'))
          return response.end(createResponseXml('InitiateMultipartUpload', '<UploadId>1</UploadId>'));
        if (part === 0) {
          isComplete = true;
          return response.end(createResponseXml('CompleteMultipartUpload', '<ETag>whole</ETag>'));
        }
        if (part === 3 && refusedPartCount === 0) {
          refusedPartCount = receivedBodies;
          return response.writeHead(503).end(createErrorXml('SlowDown'));
        }
        parts.set(part, receivedBodies);
        return response.setHeader('etag', `"${part}"`).end();
      });
    });
    const path = await createTemporaryFile(new Uint8Array());
    await truncate(path, sizeBytes);
    const code = `
      import { createS3Storage } from ${JSON.stringify(new URL('./s3.ts', import.meta.url).href)};
      const storage = createS3Storage(${JSON.stringify(settings)}, ${JSON.stringify(dirname(path))});
      const { maxRSS } = process.resourceUsage();
      await storage.putFile('night.backup', ${JSON.stringify(path)}, 'application/octet-stream');
      console.log(process.resourceUsage().maxRSS - maxRSS);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
    expect(isComplete).toBe(true);
    expect(refusedPartCount).toBeGreaterThan(0);
    expect(parts.size).toBe(20);
    expect([...parts.values()].reduce((sum, it) => sum + it, 0)).toBe(sizeBytes);
    expect(Number(stdout) / 1024).toBeLessThan(200);
  });

  test.each([
    [507, 'InsufficientStorage'],
    [403, 'QuotaExceeded'],
  ])('a refusal for lack of space (%s %s) throws StorageFull without a retry', async (status, code) => {
    let requestCount = 0;
    const storage = await startBucketAnswering((request, response) => {
      requestCount += 1;
      request.resume().on('end', () => response.writeHead(status).end(createErrorXml(code)));
    });
    await expect(storage.putFile('a.jpg', await createTemporaryFile(Buffer.from('x')), 'image/jpeg')).rejects.toThrow(
      StorageFull,
    );
    expect(requestCount).toBe(1);
    await expect(storage.put('a.jpg', Buffer.from('x'), 'image/jpeg')).rejects.toThrow(StorageFull);
  });

  test('refused access keys throw StorageUnavailable without a retry', async () => {
    let requestCount = 0;
    const storage = await startBucketAnswering((request, response) => {
      requestCount += 1;
      request.resume().on('end', () => response.writeHead(403).end(createErrorXml('AccessDenied')));
    });
    const path = await createTemporaryFile(Buffer.from('x'));
    for (const writeCall of [
      () => storage.putFile('a.jpg', path, 'image/jpeg'),
      () => storage.put('a.jpg', Buffer.from('x'), 'image/jpeg'),
      () => storage.move('b.jpg', 'a.jpg'),
      () => storage.read('a.jpg'),
      () => storage.delete('a.jpg'),
    ]) {
      const error: unknown = await writeCall().catch((error: unknown) => error);
      expect(error).toBeInstanceOf(StorageUnavailable);
      expect((error as Error).message).toMatch(/^the bucket refuses a\.jpg to these keys \(AccessDenied/);
    }
    expect(requestCount).toBe(5);
  });

  test('a truncated download throws an error instead of returning a shorter file', async () => {
    const storage = await startBucketAnswering((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('only the beginning');
      setTimeout(() => response.destroy(), 20);
    });
    await expect(readBytes(storage, 'a.jpg')).rejects.toThrow(/abort/);
    const use = vi.fn<(path: string) => Promise<void>>();
    await expect(storage.withLocalFile('a.jpg', use)).rejects.toThrow(/abort/);
    expect(use).not.toHaveBeenCalled();
  });

  test('refuses the response of a server that ignores ranges', async () => {
    const storage = await startBucketAnswering((_request, response) => response.end('everything'));
    await expect(storage.read('a.jpg', { start: 2, end: 3 })).rejects.toThrow('ignores ranges');
  });

  test('when the bucket is missing, check and read fail with an error other than StorageMissing', async () => {
    const server = await startS3Server();
    onTestFinished(() => server.stop());
    const storage = createS3Storage({ ...server.settings, bucket: 'elsewhere' }, await createTemporaryFolder());
    await expect(storage.check()).rejects.toThrow();
    await expect(storage.read('a.jpg')).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  test.each([
    [301, 'is in another region'],
    [403, 'may not be opened with these keys'],
    [404, 'is not there'],
  ])('a bucket refusal with only status %i gets a clear message', async (status, words) => {
    const storage = await startBucketAnswering((_request, answer) => answer.writeHead(status).end());
    await expect(storage.check()).rejects.toThrow(new RegExp(`^the bucket \\S+ ${words}$`));
  });

  test('a server that is down causes an error, neither StorageFull nor StorageMissing', async () => {
    const server = await startS3Server();
    const storage = createS3Storage(server.settings, await createTemporaryFolder());
    await storage.check();
    await server.stop();
    const path = await createTemporaryFile(Buffer.from('x'));
    for (const storageCall of [
      () => storage.check(),
      () => storage.stat('a.jpg'),
      () => storage.read('a.jpg'),
      () => storage.putFile('a.jpg', path, 'image/jpeg'),
      () => storage.delete('a.jpg'),
      () => listKeys(storage, ''),
    ]) {
      const error: unknown = await storageCall().catch((error: unknown) => error);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(StorageFull);
      expect(error).not.toBeInstanceOf(StorageMissing);
    }
    expect(await text(createReadStream(path))).toBe('x');
  });
});

describe('a bucket that reports a false success', () => {
  const startFakeServer = async (answers: Record<string, (answer: Parameters<RequestListener>[1]) => void>) => {
    const recordedCalls: string[] = [];
    const storage = await startBucketAnswering(({ method, headers }, answer) => {
      const requestName = headers['x-amz-copy-source'] ? 'COPY' : method!;
      recordedCalls.push(requestName);
      (answers[requestName] ?? ((it) => it.writeHead(204).end()))(answer);
    });
    return { storage, calls: recordedCalls };
  };
  const endResponse = (answer: Parameters<RequestListener>[1]) => void answer.writeHead(200).end();
  const sendNotFound = (answer: Parameters<RequestListener>[1]) => void answer.writeHead(404).end();
  const sendCopyResult = (answer: Parameters<RequestListener>[1]) =>
    void answer
      .writeHead(200, { 'content-type': 'application/xml' })
      .end('<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>');

  test('storing throws if the bucket reports success but does not contain the file', async () => {
    const { storage } = await startFakeServer({ PUT: endResponse, HEAD: sendNotFound });
    const path = await createTemporaryFile(Buffer.from('a photo'));
    await expect(storage.putFile('originals/a.jpg', path, 'image/jpeg')).rejects.toThrow(StorageUnavailable);
    await expect(storage.put('originals/b.jpg', Buffer.from('b'), 'image/jpeg')).rejects.toThrow(StorageUnavailable);
  });

  test('a move deletes nothing if the bucket reports a copy that does not exist', async () => {
    const { storage, calls } = await startFakeServer({ COPY: sendCopyResult, HEAD: sendNotFound });
    await expect(storage.move('originals/a.jpg', 'trash/originals/a.jpg')).rejects.toThrow(StorageUnavailable);
    expect(calls).not.toContain('DELETE');
  });
});

test('stat, read, put and delete throw StorageUnavailable when the bucket responds with status 500', async () => {
  const storage = await startBucketAnswering((_request, answer) => void answer.writeHead(500).end());
  for (const operation of [
    () => storage.stat('originals/a.jpg'),
    () => storage.read('originals/a.jpg'),
    () => storage.put('originals/a.jpg', Buffer.from('a'), 'image/jpeg'),
    () => storage.delete('originals/a.jpg'),
  ])
    await expect(operation()).rejects.toThrow(StorageUnavailable);
});
