import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * nginx is unpacked and run in this folder. It is not installed or started as a service, and nothing is written outside
 * this folder.
 */
const folder = join(import.meta.dirname, '../node_modules/.cache/nginx');

/** Returns the path of an installed or unpacked nginx. Undefined if there is none. */
export function findUnpackedNginx(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', join(folder, 'usr/sbin')];
  return folders.map((it) => join(it, 'nginx')).find((it) => existsSync(it));
}

/**
 * Finds nginx for the tests: an installed one, or Debian's own package, unpacked. The package is not installed, because
 * that would start a web server. Returns undefined if neither is available; the tests that need nginx are then skipped.
 */
export function findNginx(): string | undefined {
  const unpackedNginx = findUnpackedNginx();
  if (unpackedNginx || !existsSync('/usr/bin/apt-get')) return unpackedNginx;
  process.stderr.write('No nginx found: unpacking Debian’s\n');
  mkdirSync(folder, { recursive: true });
  const isKnown = canRun('apt-get', 'download', 'nginx');
  const isDownloaded =
    isKnown ||
    (process.getuid?.() === 0 && canRun('apt-get', 'update', '-q') && canRun('apt-get', 'download', 'nginx'));
  const [archive] = isDownloaded ? readdirSync(folder).filter((it) => it.endsWith('.deb')) : [];
  const isUnpacked = archive !== undefined && canRun('dpkg-deb', '-x', archive, '.');
  // Check that it starts. With a missing library it would fail every test that needs it.
  if (isUnpacked && canRun(join(folder, 'usr/sbin/nginx'), '-v')) return findUnpackedNginx();
  rmSync(folder, { recursive: true, force: true });
  return undefined;
}

function canRun(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 120_000 });
    return true;
  } catch {
    return false; // try the next option
  }
}
