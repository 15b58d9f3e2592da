import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Who is not root is so in a namespace of their own, and may mount there (Linux, where that is allowed). */
const apart = process.getuid?.() === 0 ? '-m' : '-Urm';
const mounting = 'mount -t tmpfs -o "size=$1m" none "$0"';

export function maySmallDiskBe(): boolean {
  try {
    execFileSync('unshare', [apart, 'sh', '-c', mounting, tmpdir(), '1'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * The folder that a disk of so many megabytes is mounted at. It is there as long as the process that has mounted it, and
 * is reached through that one.
 */
export async function smallDisk(megabytes: number): Promise<string> {
  const under = mkdtempSync(join(tmpdir(), 'kinframe-disk-'));
  onTestFinished(() => rmSync(under, { recursive: true, force: true }));
  const script = `${mounting} && echo mounted && exec cat`;
  const holder = spawn('unshare', [apart, 'sh', '-c', script, under, String(megabytes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill());
  await once(holder.stdout, 'data');
  return join(`/proc/${holder.pid}/root`, under);
}
