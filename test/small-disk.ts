import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A user other than root becomes root in a separate namespace and may mount there (on Linux, if allowed). */
const unshareFlags = process.getuid?.() === 0 ? '-m' : '-Urm';
const mountCommand = 'mount -t tmpfs -o "size=$1m" none "$0"';

export function canMountSmallDisk(): boolean {
  try {
    execFileSync('unshare', [unshareFlags, 'sh', '-c', mountCommand, tmpdir(), '1'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Mounts a disk of `megabytes` megabytes and returns its folder. The mount exists as long as the process that created
 * it, and is only reachable through that process.
 */
export async function mountSmallDisk(megabytes: number): Promise<string> {
  const mountFolder = mkdtempSync(join(tmpdir(), 'kinframe-disk-'));
  onTestFinished(() => rmSync(mountFolder, { recursive: true, force: true }));
  const script = `${mountCommand} && echo mounted && exec cat`;
  const mountProcess = spawn('unshare', [unshareFlags, 'sh', '-c', script, mountFolder, String(megabytes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void mountProcess.kill());
  await once(mountProcess.stdout, 'data');
  return join(`/proc/${mountProcess.pid}/root`, mountFolder);
}
