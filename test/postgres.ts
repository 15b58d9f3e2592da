import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from './free-port.ts';

const execute = promisify(execFile);

export interface Postgres {
  url: string;
  port: number;
  /** Stops immediately like a crash, without notifying clients. Also deletes its files. */
  stop(): Promise<void>;
  /** Stops like `stop` but keeps the files, then starts again with the data that was written. */
  restart(): Promise<void>;
}

export type PostgresStandby = Postgres & { promote(): Promise<void> };

/**
 * Starts a private PostgreSQL for the tests, if its binaries are installed: a temporary cluster on a free loopback
 * port, owned by an unprivileged user when we are root. Returns undefined if PostgreSQL is not installed. With
 * `durable`, acknowledged commits survive a power cut, as on a shop's server. Tests are faster without it.
 */
export async function startPostgres({ durable = false } = {}): Promise<Postgres | undefined> {
  const cluster = await createCluster();
  if (!cluster) return undefined;
  await cluster.create();
  return cluster.start(durable ? settingsText : unsafeButFast);
}

/** A pair of servers: commits on the primary wait until the standby has them too, so the standby can take over. */
export async function startPostgresPair(): Promise<{ primary: Postgres; standby: PostgresStandby } | undefined> {
  const [first, second] = [await createCluster(), await createCluster()];
  if (!first || !second) return undefined;
  await first.create();
  const primary = await first.start(`${unsafeButFast}synchronous_standby_names = 'standby'\nsynchronous_commit = on\n`);
  await second.run('pg_basebackup', '-d', primary.url, '-D', second.data, '--checkpoint=fast', '--no-sync');
  writeFileSync(join(second.data, 'standby.signal'), '');
  const primaryConnection = `host=127.0.0.1 port=${primary.port} user=kinframe application_name=standby`;
  const standby = await second.start(`${unsafeButFast}primary_conninfo = '${primaryConnection}'\n`);
  return {
    primary,
    standby: { ...standby, promote: () => second.run('pg_ctl', '-D', second.data, '-w', 'promote') },
  };
}

/** Creates the folder of a cluster and chooses the user that runs its programs. */
async function createCluster() {
  const bin = findBinaries();
  if (!bin) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-postgres-'));
  const serverUser = process.getuid?.() === 0 ? await findUnprivilegedUser() : undefined;
  if (serverUser) chownSync(folder, serverUser.uid, serverUser.gid);
  const execOptions = { ...(serverUser && { uid: serverUser.uid, gid: serverUser.gid }), cwd: folder };
  const dataFolder = join(folder, 'data');
  const port = await findFreePort();
  const runProgram = async (program: string, ...words: string[]) =>
    void (await execute(join(bin, program), words, execOptions));
  return {
    data: dataFolder,
    run: runProgram,
    create: () =>
      runProgram('initdb', '-D', dataFolder, '-U', 'kinframe', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'),
    async start(settings: string): Promise<Postgres> {
      const addressSettings = `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\nmax_connections = 200\n`;
      writeFileSync(join(dataFolder, 'postgresql.auto.conf'), addressSettings + settings);
      // pg_ctl starts the server in its own session, so pg_ctl must also stop it.
      const startServer = () => runProgram('pg_ctl', '-D', dataFolder, '-l', join(folder, 'log'), '-w', 'start');
      const killServer = () => runProgram('pg_ctl', '-D', dataFolder, '-m', 'immediate', '-w', 'stop');
      await startServer();
      return {
        url: `postgres://kinframe@127.0.0.1:${port}/postgres`,
        port,
        async stop() {
          if (!existsSync(folder)) return; // already stopped
          await killServer();
          rmSync(folder, { recursive: true, force: true });
        },
        async restart() {
          await killServer();
          await startServer();
        },
      };
    },
  };
}

/**
 * A server that has run for a while reuses old WAL files. With this setting, a new server does not first fill each WAL
 * file with zeros.
 */
const settingsText = 'wal_init_zero = off\n';
const unsafeButFast = 'fsync = off\nfull_page_writes = off\n';

function findBinaries(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const installed = versions.toSorted((a, b) => Number(b) - Number(a)).map((it) => `/usr/lib/postgresql/${it}/bin`);
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  return [...installed, ...onPath].find((it) => existsSync(join(it, 'initdb')) && existsSync(join(it, 'pg_ctl')));
}

async function findUnprivilegedUser() {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (flag) => Number((await execute('id', [flag, name])).stdout)),
      );
      return { uid: uid!, gid: gid! };
    } catch {
      // There is no such user: try the next one.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no unprivileged user to run it as');
}
