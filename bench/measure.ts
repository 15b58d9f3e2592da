/** What the kernel says of processes: their processor time and memory (Linux). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second for everyone who asks here. */
const ticksPerSecond = 100;

/** Processor time a living process has used so far, with all its threads, without its children. */
export function cpuSecondsOf(pid: number): number {
  const { user, system } = timesOf(pid);
  return (user + system) / ticksPerSecond;
}

/** Processor time of all children of a process (ours, unless it is named) that have ended, and of theirs. */
export function endedChildrensCpuSeconds(pid = process.pid): number {
  const { childrensUser, childrensSystem } = timesOf(pid);
  return (childrensUser + childrensSystem) / ticksPerSecond;
}

/** Of a process and all that it has started, those that have ended among them: connections come and go. */
export function cpuSecondsOfFamily(parent: number): number {
  const pids = readdirSync('/proc').map(Number);
  const all = Map.groupBy(
    pids.filter((it) => it > 0),
    parentOf,
  );
  const ofFamily = (pid: number): number => {
    const children = (all.get(pid) ?? []).reduce((total, it) => total + ofFamily(it), 0);
    try {
      return children + cpuSecondsOf(pid) + endedChildrensCpuSeconds(pid);
    } catch {
      return children; // ended meanwhile
    }
  };
  return ofFamily(parent);
}

export function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
  } catch {
    return 0; // ended meanwhile
  }
}

/** The most memory a living process ever had, in megabytes. */
export const peakMegabytesOf = (pid: number): number => statusMegabytes(pid, 'VmHWM');
/** What it has now. */
export const megabytesOf = (pid: number): number => statusMegabytes(pid, 'VmRSS');

function statusMegabytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

/** Forget the peak so far: it begins with what the process has now, in megabytes. */
export function forgetPeakOf(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return peakMegabytesOf(pid);
}

function timesOf(pid: number) {
  // The name in brackets may hold anything; the numbers after it are those of proc(5) from the third on.
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const numbers = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = numbers.slice(11, 15);
  return { user, system, childrensUser, childrensSystem };
}

/** Of an odd number of values. */
export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
