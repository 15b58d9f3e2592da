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
import { childEntry } from '../../processes/child-entry.ts';
import { runInChild } from '../../processes/run-in-child.ts';

/**
 * PGlite that keeps what it acknowledged through a power cut, in a third of the memory. Stock PGlite starts PostgreSQL
 * without fsync, and its file system has none to offer; both are given back here. This relies on PGlite internals: the
 * version is pinned and `embedded.test.ts` sees the fsync calls arrive. A directory without a database begins as a copy
 * of the first of `beginnings` that there is, of an empty one where there is none.
 */
export async function openDurablePglite(directory: string, beginnings: string[] = []): Promise<PGlite> {
  if (!existsSync(join(directory, 'PG_VERSION'))) {
    expectRoom(directory);
    const beginning = beginnings.find((it) => existsSync(join(it, 'PG_VERSION')));
    if (beginning !== undefined) copyDatabase(beginning, directory);
    // In a process of its own: creating a database takes several times the memory that serving it does.
    else
      await runInChild({
        entry: childEntry(import.meta.url, 'create-database-child'),
        job: { directory },
        timeoutMs: 300_000,
      });
  }
  return await open(directory);
}

/** Make a database, whole or not at all: an empty one, or a copy of a closed `beginning`; `finish` closes it. */
export async function createDatabase(
  directory: string,
  { beginning, finish }: { beginning?: string; finish?: (lite: PGlite) => Promise<void> } = {},
): Promise<void> {
  const unfinished = startAnew(directory);
  if (beginning !== undefined) cpSync(beginning, unfinished, { recursive: true });
  const lite = await open(unfinished);
  await (finish ?? ((it) => it.close()))(lite);
  putInPlace(unfinished, directory);
}

/** The same as a beginning that is closed: seconds of work less. */
export function copyDatabase(beginning: string, directory: string): void {
  const unfinished = startAnew(directory);
  cpSync(beginning, unfinished, { recursive: true });
  putInPlace(unfinished, directory);
}

/** PostgreSQL in here would say of a full disk nothing that anyone understands. */
function expectRoom(directory: string): void {
  rmSync(`${directory}.new`, { recursive: true, force: true }); // what a killed one has left
  const { bavail, blocks, bsize } = statfsSync(dirname(directory));
  if (blocks > 0 && bavail * bsize < newBytes)
    throw new Error(`There is no room for a database in ${dirname(directory)}: a new one takes ${newBytes / 1e6} MB.`);
}
/** Of one with all its tables, and some to begin with. */
const newBytes = 60_000_000;

function startAnew(directory: string): string {
  const unfinished = `${directory}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  return unfinished;
}

function putInPlace(unfinished: string, directory: string): void {
  syncTree(unfinished); // neither initdb nor a copy is synced by itself
  renameSync(unfinished, directory);
  syncPath(dirname(directory));
}

async function open(directory: string): Promise<PGlite> {
  // PostgreSQL in here makes its files writable for everyone: the folder is what keeps them ours.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`); // is read as the engine is set up
  const lite = new LeanPGlite({ fs: new DurableNodeFS(directory), startParams, ...dialect });
  await lite.waitReady;
  return lite;
}

/**
 * V8 compiles a function a second time once it has run so many bytes of it, 13 MB unless told otherwise. Starting alone
 * brings many of them there, which takes a quarter of a start's processor time; a shop that is busy gets there soon
 * enough, and takes no fewer orders a second.
 */
const tieringBudget = 300_000_000;

const startParams = [
  ...PGlite.defaultStartParams.filter((it) => it !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  // The kernel caches the files; what is cached here as well counts as this process's own.
  '-c',
  'shared_buffers=32MB',
];

/** What makes PGlite speak as our PostgreSQL does: bigint stays text, as node-postgres answers it, and text has trigrams. */
export const dialect = { parsers: { [types.INT8]: (text: string) => text }, extensions: { pg_trgm } };

/**
 * PostgreSQL's SQL grammar is one function of 100 KB: to compile that a second time takes 600 MB and 4 s of CPU for a gain
 * nobody can measure, so it is kept as it was compiled first. Which functions may be compiled again is settled when they
 * are first called, so the grammar is called once, by an empty statement, while none may.
 */
class LeanPGlite extends PGlite {
  /** The first thing PGlite does once PostgreSQL is up. */
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    setFlagsFromString('--wasm-tier-up-filter=0'); // function 0 and no other; 0 is none of PostgreSQL's own
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
    const started = await super.init(...args);
    started.emscriptenOpts.preRun!.push((module: unknown) => {
      const { NODEFS } = module as Emscripten;
      NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd);
        else syncPath(NODEFS.realPath(stream.node)); // a directory
        return 0;
      };
    });
    return started;
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
