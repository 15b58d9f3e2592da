import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite, types } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/**
 * PGlite that keeps what it acknowledged through a power cut. Stock PGlite starts PostgreSQL without fsync, and its file
 * system has none to offer; both are given back here. This relies on PGlite internals: the version is pinned and
 * `durable-pglite.test.ts` sees the fsync calls arrive.
 */
export async function openDurablePglite(directory: string): Promise<PGlite> {
  const isNew = !existsSync(join(directory, 'PG_VERSION'));
  const startParams = [...PGlite.defaultStartParams.filter((it) => it !== '-F'), '-c', 'wal_sync_method=fsync'];
  const lite = await PGlite.create({ fs: new DurableNodeFS(directory), startParams, parsers: plainParsers });
  if (isNew) syncTree(dirname(directory)); // initdb itself does not sync
  return lite;
}

/** bigint stays text, as node-postgres answers it. */
export const plainParsers = { [types.INT8]: (text: string) => text };

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
