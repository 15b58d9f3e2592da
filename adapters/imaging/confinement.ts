import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The largest HEIC we take, 60 megapixels, brings the child to 1.5 GB, of which Node only reserves 0.7. */
const memoryLimitBytes = 2e9;

/** Node's own fence: JavaScript in the child reads its code and the photo, writes its folder, and starts nothing. */
export function permissionArguments(entry: URL, photo: string, folder: string): string[] {
  const code = dirname(fileURLToPath(entry));
  const readable = [code, join(dirname(code), 'processes'), ...packageFolders(), photo, folder];
  return [
    '--permission',
    // sharp is native code, which Node's fence does not hold; the kernel's does.
    '--allow-addons',
    '--disable-warning=SecurityWarning',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${folder}`,
    '--max-old-space-size=256',
  ];
}

/**
 * The kernel's fence, where there is a Linux kernel: no network, no core dump, a limit on memory and one on processor
 * time, which also ends a child whose parent was killed while the decoder was busy.
 */
export async function kernelLimits(timeoutMs: number): Promise<(command: string[]) => string[]> {
  if (process.platform !== 'linux') return (command) => command;
  withoutNetwork ??= findWithoutNetwork();
  const prefix = await withoutNetwork;
  const cpuSeconds = Math.ceil((2 * timeoutMs) / 1000);
  const kibibytes = Math.floor(memoryLimitBytes / 1024);
  // A limit that cannot be set is already a stricter one.
  const limits = `ulimit -c 0; ulimit -t ${cpuSeconds}; ulimit -d ${kibibytes}; exec "$@"`;
  return (command) => ['/bin/sh', '-c', limits, 'sh', ...prefix, ...command];
}

let withoutNetwork: Promise<string[]> | undefined;

/** The command that starts another without a network: as root, or in a user namespace of its own, or (refused) none. */
async function findWithoutNetwork(): Promise<string[]> {
  for (const prefix of [
    ['unshare', '--net', '--'],
    ['unshare', '--user', '--map-current-user', '--net', '--'],
  ]) {
    try {
      // Through the same shell and the same empty environment as the real thing.
      const command = ['-c', 'exec "$@"', 'sh', ...prefix, process.execPath, '--version'];
      await run('/bin/sh', command, { timeout: 30_000, env: {} });
      return prefix;
    } catch {
      // Containers often forbid it: the next way, or none.
    }
  }
  return [];
}

/** Where packages are looked for, and where sharp really lies: the folder may be a link. */
function packageFolders(): string[] {
  const { resolve } = createRequire(import.meta.url);
  const sharp = resolve('sharp');
  const name = `${sep}node_modules${sep}`;
  const real = sharp.slice(0, sharp.lastIndexOf(name) + name.length);
  return [...(resolve.paths('sharp') ?? []).filter((path) => existsSync(path)), real];
}
