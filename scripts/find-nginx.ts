import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where it is unpacked: it is run from here, and nothing of it is installed, started or left on the machine. */
const folder = join(import.meta.dirname, '../node_modules/.cache/nginx');

/** nginx on this machine or unpacked; undefined where there is none. */
export function nginxHere(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', join(folder, 'usr/sbin')];
  return folders.map((it) => join(it, 'nginx')).find((it) => existsSync(it));
}

/**
 * nginx for the tests: one on this machine, else Debian's own package, unpacked. Installing it would start a web server.
 * Undefined where neither is to be had: what needs it is skipped then.
 */
export function findNginx(): string | undefined {
  const here = nginxHere();
  if (here || !existsSync('/usr/bin/apt-get')) return here;
  process.stderr.write('No nginx found: unpacking Debian’s\n');
  mkdirSync(folder, { recursive: true });
  const isKnown = tried('apt-get', 'download', 'nginx');
  const isBrought =
    isKnown || (process.getuid?.() === 0 && tried('apt-get', 'update', '-q') && tried('apt-get', 'download', 'nginx'));
  const [archive] = isBrought ? readdirSync(folder).filter((it) => it.endsWith('.deb')) : [];
  const isUnpacked = archive !== undefined && tried('dpkg-deb', '-x', archive, '.');
  // One that finds a library missing would fail every test that needs it.
  if (isUnpacked && tried(join(folder, 'usr/sbin/nginx'), '-v')) return nginxHere();
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}

function tried(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 120_000 });
    return true;
  } catch {
    return false; // the next way
  }
}
