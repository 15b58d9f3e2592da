import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromChild } from './child-side.ts';

export interface ChildTask<Job> {
  /** The child's program; it calls `doJobOfParent`. */
  entry: URL;
  job: Job;
  nodeArguments?: string[];
  /** Open files handed to the child, its descriptors from `firstFile` on: it may read and write them whoever it is. */
  files?: number[];
  /** The child's whole environment: it inherits nothing. */
  environment?: Record<string, string>;
  /** Turns the command line into another that runs it, for confinement. */
  wrap?: (command: string[]) => string[];
  /** For the job itself: how long a program takes to come up is the machine's doing, and has a limit of its own. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
}

/** For a program to come up. */
export const startTimeoutMs = 30_000;

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
  const command = [process.execPath, ...(task.nodeArguments ?? []), fileURLToPath(task.entry)];
  const [program = process.execPath, ...args] = task.wrap?.(command) ?? command;
  // Detached: a process group of its own, so that its own children can be killed with it.
  const child = spawn(program, args, {
    env: task.environment ?? {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(task.files ?? [])],
    detached: true,
  });
  return await answerOf<Job, Answer>(child, task);
}

function answerOf<Job, Answer>(child: ChildProcess, task: ChildTask<Job>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answer: { value: Answer } | undefined;
    let stopped: 'too-slow' | 'aborted' | undefined;
    let started = false;
    let complaints = '';

    const stop = (reason: 'too-slow' | 'aborted') => {
      stopped ??= reason;
      killGroup(child);
    };
    const onAbort = () => stop('aborted');
    let timer = setTimeout(stop, startTimeoutMs, 'too-slow');
    task.signal?.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      clearTimeout(timer);
      task.signal?.removeEventListener('abort', onAbort);
    };

    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2000)));
    child.on('message', (message: FromChild<Answer>) => {
      if (message.kind === 'started') {
        started = true;
        clearTimeout(timer);
        timer = setTimeout(stop, task.timeoutMs, 'too-slow');
      } else if (message.kind === 'progress') task.onProgress?.(message.fraction);
      else answer = { value: message.answer };
    });
    child.once('error', (cause) => {
      // Without a process there is no 'close' to wait for.
      if (child.pid !== undefined) return;
      settle();
      reject(new ChildStopped('died', 'the process could not be started', { started, killedBy: null }, { cause }));
    });
    // What the child has started goes with it, however it ends.
    child.once('exit', () => killGroup(child));
    // 'close' rather than 'exit': stderr is closed once the last process holding it is gone, and by then all is said.
    child.once('close', (code, killedBy) => {
      settle();
      const details = { started, killedBy };
      if (stopped === 'aborted' && task.signal) reject(aborted(task.signal, details));
      else if (answer) resolve(answer.value);
      else if (stopped)
        reject(new ChildStopped('too-slow', `killed after ${started ? task.timeoutMs : startTimeoutMs} ms`, details));
      else reject(new ChildStopped('died', `ended by ${killedBy ?? `code ${code}`}: ${complaints.trim()}`, details));
    });
    // A child that died at once cannot be told its job; 'close' tells that story.
    child.send({ job: task.job }, () => {});
  });
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
