import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite, types } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { childProgramUrl } from '../../processes/child-entry.ts';
import { runInChild } from '../../processes/run-in-child.ts';

/**
 * Opens a PGlite that keeps acknowledged commits after a power loss and needs only a third of the usual memory. By
 * default, PGlite starts PostgreSQL without fsync, and its file system does not implement fsync; this module adds fsync
 * to PostgreSQL's options and to the file system. It relies on PGlite internals: the version is pinned, and
 * `embedded.test.ts` checks that fsync is called. If the directory contains no database, the database starts as a copy
 * of the first template in `beginnings` that exists, or empty if none exists.
 */
export async function openDurablePglite(directory: string, beginnings: string[] = []): Promise<PGlite> {
  if (!existsSync(join(directory, 'PG_VERSION'))) {
    requireDiskSpace(directory);
    const templateFolder = beginnings.find((it) => existsSync(join(it, 'PG_VERSION')));
    if (templateFolder !== undefined) copyDatabase(templateFolder, directory);
    // Runs in a child process, because creating a database takes several times as much memory as serving it.
    else
      await runInChild({
        entry: childProgramUrl(import.meta.url, 'create-database-child'),
        job: { directory },
        timeoutMs: 300_000,
      });
  }
  return await openFolder(directory);
}

/**
 * Creates an empty database, or a copy of the closed database `beginning`. `finish` can fill the new database and must
 * close it. `directory` appears only after everything has succeeded.
 */
export async function createDatabase(
  directory: string,
  { beginning, finish }: { beginning?: string; finish?: (lite: PGlite) => Promise<void> } = {},
): Promise<void> {
  const unfinishedFolder = createUnfinishedFolder(directory);
  if (beginning !== undefined) cpSync(beginning, unfinishedFolder, { recursive: true });
  const pglite = await openFolder(unfinishedFolder);
  await (finish ?? ((it) => it.close()))(pglite);
  moveIntoPlace(unfinishedFolder, directory);
}

/** Copies a template database that no process has open. This is seconds faster than creating a database. */
export function copyDatabase(beginning: string, directory: string): void {
  const unfinishedFolder = createUnfinishedFolder(directory);
  cpSync(beginning, unfinishedFolder, { recursive: true });
  moveIntoPlace(unfinishedFolder, directory);
}

/** Checks the free space first, because PostgreSQL's own error for a full disk is not understandable here. */
function requireDiskSpace(directory: string): void {
  rmSync(`${directory}.new`, { recursive: true, force: true }); // left behind by a killed process
  const { bavail, blocks, bsize } = statfsSync(dirname(directory));
  if (blocks > 0 && bavail * bsize < newBytes)
    throw new Error(`There is no room for a database in ${dirname(directory)}: a new one takes ${newBytes / 1e6} MB.`);
}
/** Size of a new database with all its tables, and some room to start with. */
const newBytes = 60_000_000;

function createUnfinishedFolder(directory: string): string {
  const unfinishedFolder = `${directory}.new`;
  rmSync(unfinishedFolder, { recursive: true, force: true });
  mkdirSync(unfinishedFolder, { mode: 0o700 });
  return unfinishedFolder;
}

function moveIntoPlace(unfinished: string, directory: string): void {
  syncTree(unfinished); // neither PostgreSQL's initdb nor cpSync syncs its files to disk
  renameSync(unfinished, directory);
  syncPath(dirname(directory));
}

async function openFolder(directory: string): Promise<PGlite> {
  // Inside PGlite, PostgreSQL creates world-writable files. Only the directory's mode protects them.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`); // V8 reads this flag when it sets up the engine
  const pglite = new LeanPGlite({ fs: new DurableNodeFS(directory), startParams, ...pgliteCompatibilityOptions });
  await pglite.waitReady;
  return pglite;
}

/**
 * V8 optimizes a WebAssembly function after it has run this many bytes of the function, 13 MB by default. With the
 * default, V8 already optimizes many functions during the start and spends a quarter of the start's CPU time on it.
 * With this value, a busy shop still reaches optimized code soon, and it takes as many orders per second.
 */
const tieringBudget = 300_000_000;

const startParams = [
  ...PGlite.defaultStartParams.filter((it) => it !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  // The cache is small because the kernel already caches the files, and this cache counts as memory of the process.
  '-c',
  'shared_buffers=32MB',
];

/**
 * Makes PGlite behave like PostgreSQL through node-postgres: bigint stays text, and the trigram extension is available.
 */
export const pgliteCompatibilityOptions = {
  parsers: { [types.INT8]: (text: string) => text },
  extensions: { pg_trgm },
};

/**
 * A PGlite whose SQL grammar V8 never optimizes. The grammar is one function of 100 KB. Optimizing it takes 600 MB and
 * 4 s of CPU and gains nothing measurable. V8 decides at a function's first call whether it may optimize the function.
 * So an empty statement calls the grammar once while optimization is off.
 */
class LeanPGlite extends PGlite {
  /** PGlite calls this method as the first step after PostgreSQL has started. */
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    setFlagsFromString('--wasm-tier-up-filter=0'); // V8 may optimize only function 0, which is not part of PostgreSQL
    try {
      await this.exec('');
    } finally {
      setFlagsFromString('--wasm-tier-up-filter=-1');
    }
    await super._initArrayTypes(options);
  }
}

interface Emscripten {
  NODEFS: {
    stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
    realPath(node: unknown): string;
  };
}

class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const startOptions = await super.init(...args);
    startOptions.emscriptenOpts.preRun!.push((module: unknown) => {
      const { NODEFS } = module as Emscripten;
      NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd);
        else syncPath(NODEFS.realPath(stream.node)); // a directory has no file descriptor in NODEFS
        return 0;
      };
    });
    return startOptions;
  }
}

function syncPath(path: string) {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncTree(directory: string) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(directory);
}
