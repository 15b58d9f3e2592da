/** The machine's processes, for tests that check that no process is left behind (Linux). */
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** All living descendants of a process. */
export function listDescendants(pid: number): number[] {
  return listChildren(pid).flatMap((child) => [child, ...listDescendants(child)]);
}

export function listChildren(pid: number): number[] {
  return readLivingProcesses()
    .filter((one) => one.parent === pid)
    .map((one) => one.pid);
}

export function isProcessAlive(pid: number): boolean {
  return readLivingProcesses().some((one) => one.pid === pid);
}

/** The nice value of a process. The default is 0; a process with a higher value has a lower priority. */
export function readNiceness(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}

/** Waits until `holds` returns a value; throws after 30 seconds. */
export async function waitForCondition<T>(what: string, condition: () => T | undefined | false): Promise<T> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const result = condition();
    if (result !== undefined && result !== false) return result;
    await wait(10);
  }
  throw new Error(`waited in vain until ${what}`);
}

function readLivingProcesses(): { pid: number; parent: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The file has the process name in parentheses, then state and parent. The name may contain any character, so
      // search for the last parenthesis. States Z and X mean dead.
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return 'ZX'.includes(state) ? [] : [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      return [];
    }
  });
}
