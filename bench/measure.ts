/** Reads CPU time and memory of processes from the kernel (Linux). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Linux reports CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** CPU time of a running process so far, with all its threads but without its children. */
export function readCpuSeconds(pid: number): number {
  const { user, system } = readCpuTimes(pid);
  return (user + system) / ticksPerSecond;
}

/** CPU time of all ended children of a process (the current one by default) and of their descendants. */
export function readCpuSecondsOfEndedChildren(pid = process.pid): number {
  const { childrensUser, childrensSystem } = readCpuTimes(pid);
  return (childrensUser + childrensSystem) / ticksPerSecond;
}

/**
 * CPU time of a process and everything it has started, including ended processes: PostgreSQL's connection processes
 * start and end.
 */
export function sumCpuSecondsOfProcessTree(parent: number): number {
  const pids = readdirSync('/proc').map(Number);
  const childPidsByParent = Map.groupBy(
    pids.filter((it) => it > 0),
    readParentPid,
  );
  const sumOverProcessTree = (pid: number): number => {
    const childrenCpuSeconds = (childPidsByParent.get(pid) ?? []).reduce(
      (total, it) => total + sumOverProcessTree(it),
      0,
    );
    try {
      return childrenCpuSeconds + readCpuSeconds(pid) + readCpuSecondsOfEndedChildren(pid);
    } catch {
      return childrenCpuSeconds; // the process has ended in the meantime
    }
  };
  return sumOverProcessTree(parent);
}

export function readParentPid(pid: number): number {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
  } catch {
    return 0; // the process has ended in the meantime
  }
}

/** The peak memory of a running process, in megabytes. */
export const readPeakMegabytes = (pid: number): number => readStatusMegabytes(pid, 'VmHWM');
/** The current memory of a running process, in megabytes. */
export const readCurrentMegabytes = (pid: number): number => readStatusMegabytes(pid, 'VmRSS');

function readStatusMegabytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

/** Resets a process's peak memory to its current memory. Returns the current memory in megabytes. */
export function resetPeakMegabytes(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return readPeakMegabytes(pid);
}

function readCpuTimes(pid: number) {
  // The name in parentheses may contain any character. The numbers after it are the fields of proc(5) from the third
  // on.
  const statText = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const statFields = statText
    .slice(statText.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = statFields.slice(11, 15);
  return { user, system, childrensUser, childrensSystem };
}

/** The median of an odd number of values. */
export const findMedian = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
