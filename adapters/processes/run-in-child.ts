import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromChild, ToChild } from './child-side.ts';

export interface ChildProgram {
  /** The child's program; it calls `doJobsOfParent`. */
  entry: URL;
  nodeArguments?: string[];
  /** Open files handed to the child, its descriptors from `firstFile` on: it may read and write them whoever it is. */
  files?: number[];
  /** The child's whole environment: it inherits nothing. */
  environment?: Record<string, string>;
  /** Turns the command line into another that runs it, for confinement. */
  wrap?: (command: string[]) => string[];
}

interface JobOptions {
  /** For the job itself: how long a program takes to come up is the machine's doing, and has a limit of its own. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
}

export interface ChildTask<Job> extends ChildProgram, JobOptions {
  job: Job;
}

/** A Node process that does jobs, one after the other. */
export interface Child<Job, Answer> {
  /** Rejects with ChildStopped where it ended without an answer; it does no other job then. */
  do(job: Job, options: JobOptions): Promise<Answer>;
  /** Settles when it and everything it started are gone, so that files it was writing can be removed. */
  end(): Promise<void>;
}

/** For a program to come up. */
export const startTimeoutMs = 30_000;

/** For one that is told to leave: it has nothing left to do. */
const leaveTimeoutMs = 1000;

/** The child ended without an answer. */
export class ChildStopped extends Error {
  override name = 'ChildStopped';
  readonly reason: 'too-slow' | 'aborted' | 'died';
  /** False when the program never came up: the installation is at fault, not the job. */
  readonly started: boolean;
  /** What ended it, when it was a signal. */
  readonly killedBy: NodeJS.Signals | null;
  constructor(
    reason: ChildStopped['reason'],
    message: string,
    details: { started: boolean; killedBy: NodeJS.Signals | null },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.reason = reason;
    this.started = details.started;
    this.killedBy = details.killedBy;
  }
}

/**
 * Do one job in a Node process of its own and answer what it answers. Settles only when the child and everything it
 * started are gone, so files it was writing can be removed. Rejects with ChildStopped.
 */
export async function runInChild<Job, Answer>(task: ChildTask<Job>): Promise<Answer> {
  if (task.signal?.aborted) throw aborted(task.signal, { started: false, killedBy: null });
  const child = startChild<Job, Answer>(task);
  try {
    return await child.do(task.job, task);
  } finally {
    await child.end();
  }
}

/** Its end: by code or signal, or the reason why it never was. */
interface Ended {
  code?: number | null;
  killedBy: NodeJS.Signals | null;
  cause?: Error;
}

/** A Node process of its own, for a few jobs. */
export function startChild<Job, Answer>(program: ChildProgram): Child<Job, Answer> {
  const command = [process.execPath, ...(program.nodeArguments ?? []), fileURLToPath(program.entry)];
  const [name = process.execPath, ...args] = program.wrap?.(command) ?? command;
  // Detached: a process group of its own, so that its own children can be killed with it.
  const child = spawn(name, args, {
    env: program.environment ?? {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(program.files ?? [])],
    detached: true,
  });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2000)));
  // What the child has started goes with it, however it ends.
  child.once('exit', () => killGroup(child));
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (cause) => {
      // Without a process there is no 'close' to wait for.
      if (child.pid === undefined) resolve({ killedBy: null, cause });
    });
    // 'close' rather than 'exit': stderr is closed once the last process holding it is gone, and by then all is said.
    child.once('close', (code, killedBy) => resolve({ code, killedBy }));
  });

  const doJob = (job: Job, { timeoutMs, signal, onProgress }: JobOptions): Promise<Answer> =>
    new Promise((resolve, reject) => {
      let stopped: 'too-slow' | 'aborted' | undefined;
      let started = false;
      const stop = (reason: 'too-slow' | 'aborted') => {
        stopped ??= reason;
        killGroup(child);
      };
      const onAbort = () => stop('aborted');
      let timer = setTimeout(stop, startTimeoutMs, 'too-slow');
      signal?.addEventListener('abort', onAbort, { once: true });
      const hear = (message: FromChild<Answer>) => {
        if (message.kind === 'started') {
          started = true;
          clearTimeout(timer);
          timer = setTimeout(stop, timeoutMs, 'too-slow');
        } else if (message.kind === 'progress') onProgress?.(message.fraction);
        else {
          settle();
          resolve(message.answer);
        }
      };
      child.on('message', hear);
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        child.off('message', hear);
      };
      void ended.then(({ code, killedBy, cause }) => {
        settle();
        const details = { started, killedBy };
        if (stopped === 'aborted' && signal) reject(aborted(signal, details));
        else if (stopped)
          reject(new ChildStopped('too-slow', `killed after ${started ? timeoutMs : startTimeoutMs} ms`, details));
        else if (cause) reject(new ChildStopped('died', 'the process could not be started', details, { cause }));
        else reject(new ChildStopped('died', `ended by ${killedBy ?? `code ${code}`}: ${complaints.trim()}`, details));
      });
      // A child that died at once cannot be told its job; its end tells that story.
      child.send({ job } satisfies ToChild, () => {});
    });

  return {
    do: doJob,
    async end() {
      // The child closes the channel: where we did, 'close' would never come.
      if (child.connected) child.send({ leave: true } satisfies ToChild, () => {});
      const timer = setTimeout(killGroup, leaveTimeoutMs, child);
      await ended;
      clearTimeout(timer);
    },
  };
}

function aborted(signal: AbortSignal, details: { started: boolean; killedBy: NodeJS.Signals | null }): ChildStopped {
  return new ChildStopped('aborted', 'no longer wanted', details, { cause: signal.reason });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
