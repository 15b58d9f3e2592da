import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';

const run = promisify(execFile);

/**
 * A private PostgreSQL for the tests, where its binaries exist: a throw-away cluster on a free loopback port, owned by
 * an unprivileged user when we are root. Answers undefined where there is none. A durable one keeps what it acknowledged
 * through a power cut, as one that serves a shop does; tests are quicker without.
 */
export async function startPostgres({ durable = false } = {}): Promise<
  { url: string; stop: () => Promise<void> } | undefined
> {
  const bin = findBinaries();
  if (!bin) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-postgres-'));
  const owner = process.getuid?.() === 0 ? await unprivilegedUser() : undefined;
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const as = { ...(owner && { uid: owner.uid, gid: owner.gid }), cwd: folder };
  const data = join(folder, 'data');
  const port = await findFreePort();
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'kinframe', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    as,
  );
  const settings = `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\nmax_connections = 200\n${durable ? settled : hasty}`;
  writeFileSync(join(data, 'postgresql.auto.conf'), settings);
  // pg_ctl leaves the server in a session of its own, so it is stopped by pg_ctl too.
  await run(join(bin, 'pg_ctl'), ['-D', data, '-l', join(folder, 'log'), '-w', 'start'], as);
  return {
    url: `postgres://kinframe@127.0.0.1:${port}/postgres`,
    async stop() {
      await run(join(bin, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop'], as);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server that has run for a while writes its log into old files; a new one would fill each with zeros first. */
const settled = 'wal_init_zero = off\n';
const hasty = 'fsync = off\nfull_page_writes = off\n';

function findBinaries(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const installed = versions.toSorted((a, b) => Number(b) - Number(a)).map((it) => `/usr/lib/postgresql/${it}/bin`);
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  return [...installed, ...onPath].find((it) => existsSync(join(it, 'initdb')) && existsSync(join(it, 'pg_ctl')));
}

async function unprivilegedUser() {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
      );
      return { uid: uid!, gid: gid! };
    } catch {
      // no such user: the next one
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no unprivileged user to run it as');
}
