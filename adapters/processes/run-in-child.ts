import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { MessageFromChild, MessageToChild } from './child-side.ts';

export interface ChildProgram {
  /** The child's program; it calls `serveJobsOfParent`. */
  entry: URL;
  nodeArguments?: string[];
  /**
   * Open files for the child, as its file descriptors from `firstFileDescriptor` on. The child can read and write them
   * even if its user has no permission to open them.
   */
  files?: number[];
  /** All environment variables of the child. It inherits none from this process. */
  environment?: Record<string, string>;
  /** Wraps the child's command line in another command that restricts what the child can do. */
  wrap?: (command: string[]) => string[];
}

interface JobOptions {
  /**
   * Time limit of the job. The start of the program has a separate limit (`startTimeoutMs`), because it depends on the
   * machine.
   */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
}

export interface ChildTask<Job> extends ChildProgram, JobOptions {
  job: Job;
}

/** A Node process that does one job after another. */
export interface ChildProcessHandle<Job, Answer> {
  /**
   * Does a job and returns its result. Rejects with ChildStoppedError if the process ends without a result. The process then
   * does no further jobs.
   */
  do(job: Job, options: JobOptions): Promise<Answer>;
  /**
   * Ends the process. Settles when the process and all processes it started are gone, so that files they were writing
   * can be removed.
   */
  end(): Promise<void>;
}

/** Time limit for starting the program. */
export const startTimeoutMs = 30_000;

/** Time limit for the exit of a child that has no job. */
const leaveTimeoutMs = 1000;

/** The child ended without a result for its job. */
export class ChildStoppedError extends Error {
  override name = 'ChildStopped';
  readonly reason: 'too-slow' | 'aborted' | 'died';
  /** False if the program never started: then the installation is wrong, not the job. */
  readonly started: boolean;
  /** The signal that ended the child, if any. */
  readonly killedBy: NodeJS.Signals | null;
  constructor(
    reason: ChildStoppedError['reason'],
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
 * Does one job in a separate Node process and returns the result. Settles only when the process and all processes it
 * started are gone, so that files they were writing can be removed. Rejects with ChildStoppedError if the process ends
 * without a result.
 */
export async function runInChild<Job, Answer>(task: ChildTask<Job>): Promise<Answer> {
  if (task.signal?.aborted) throw createAbortError(task.signal, { started: false, killedBy: null });
  const child = startChild<Job, Answer>(task);
  try {
    return await child.do(task.job, task);
  } finally {
    await child.end();
  }
}

/** How the process ended: by exit code or signal, or the error if it never started. */
interface ProcessEnd {
  code?: number | null;
  killedBy: NodeJS.Signals | null;
  cause?: Error;
}

/** Starts a separate Node process for a few jobs. */
export function startChild<Job, Answer>(program: ChildProgram): ChildProcessHandle<Job, Answer> {
  const command = [process.execPath, ...(program.nodeArguments ?? []), fileURLToPath(program.entry)];
  const [name = process.execPath, ...args] = program.wrap?.(command) ?? command;
  // `detached` gives the child a new process group, so that killing the group also kills the processes that the child
  // started.
  const child = spawn(name, args, {
    env: program.environment ?? {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(program.files ?? [])],
    detached: true,
  });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2000)));
  // When the child ends for any reason, kills all processes that it started.
  child.once('exit', () => killProcessGroup(child));
  const endedPromise = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (cause) => {
      // If no process was started, there is no 'close' event.
      if (child.pid === undefined) resolve({ killedBy: null, cause });
    });
    // Waits for 'close' instead of 'exit', because all output is complete then: stderr closes only when the last
    // process that uses it is gone.
    child.once('close', (code, killedBy) => resolve({ code, killedBy }));
  });

  const runJob = (job: Job, { timeoutMs, signal, onProgress }: JobOptions): Promise<Answer> =>
    new Promise((resolve, reject) => {
      let stopped: 'too-slow' | 'aborted' | undefined;
      let isStarted = false;
      const killChild = (reason: 'too-slow' | 'aborted') => {
        stopped ??= reason;
        killProcessGroup(child);
      };
      const onAbort = () => killChild('aborted');
      let timer = setTimeout(killChild, startTimeoutMs, 'too-slow');
      signal?.addEventListener('abort', onAbort, { once: true });
      const onMessage = (message: MessageFromChild<Answer>) => {
        if (message.kind === 'started') {
          isStarted = true;
          clearTimeout(timer);
          timer = setTimeout(killChild, timeoutMs, 'too-slow');
        } else if (message.kind === 'progress') onProgress?.(message.fraction);
        else {
          removeJobListeners();
          resolve(message.answer);
        }
      };
      child.on('message', onMessage);
      const removeJobListeners = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        child.off('message', onMessage);
      };
      void endedPromise.then(({ code, killedBy, cause }) => {
        removeJobListeners();
        const details = { started: isStarted, killedBy };
        if (stopped === 'aborted' && signal) reject(createAbortError(signal, details));
        else if (stopped)
          reject(
            new ChildStoppedError('too-slow', `killed after ${isStarted ? timeoutMs : startTimeoutMs} ms`, details),
          );
        else if (cause) reject(new ChildStoppedError('died', 'the process could not be started', details, { cause }));
        else
          reject(
            new ChildStoppedError('died', `ended by ${killedBy ?? `code ${code}`}: ${complaints.trim()}`, details),
          );
      });
      // Sending fails if the child died immediately. The error is ignored here, because `endedPromise` rejects the job.
      child.send({ job } satisfies MessageToChild, () => {});
    });

  return {
    do: runJob,
    async end() {
      // The child must close the channel: if the parent closes it, 'close' never fires.
      if (child.connected) child.send({ leave: true } satisfies MessageToChild, () => {});
      const timer = setTimeout(killProcessGroup, leaveTimeoutMs, child);
      await endedPromise;
      clearTimeout(timer);
    },
  };
}

function createAbortError(
  signal: AbortSignal,
  details: { started: boolean; killedBy: NodeJS.Signals | null },
): ChildStoppedError {
  return new ChildStoppedError('aborted', 'no longer wanted', details, { cause: signal.reason });
}

function killProcessGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
