/**
 * The first file descriptor of the `files` that the parent passes to its child. The descriptors before it are stdin,
 * stdout, stderr and the IPC channel.
 */
export const firstFileDescriptor = 4;

/** Messages from the parent to its child. */
export type MessageToChild<Job = unknown> = { job: Job } | { leave: true };

/** Messages from the child to its parent. */
export type MessageFromChild<Answer> =
  | { kind: 'started' }
  | { kind: 'progress'; fraction: number }
  | { kind: 'answer'; answer: Answer };

/**
 * Runs in the child process that `startChild` starts. Waits for jobs from the parent, does each job with `work`, and
 * sends the result to the parent. The child exits when its parent has ended. Parent and child must use the same type
 * for jobs, because it is not checked.
 */
export function serveJobsOfParent<Answer>(
  work: (job: never, reportProgress: (fraction: number) => void) => Promise<Answer>,
): void {
  const postMessage = (message: MessageFromChild<Answer>) =>
    new Promise<void>((sent, failed) => {
      if (!process.send) throw new Error('this program is started by its parent process');
      process.send(message, undefined, undefined, (error) => (error ? failed(error) : sent()));
    });
  process.once('disconnect', () => process.exit());
  process.on('message', (message: MessageToChild<never>) => {
    if ('leave' in message) return process.disconnect();
    void (async () => {
      await postMessage({ kind: 'started' });
      const jobResult = await work(message.job, (fraction) => void postMessage({ kind: 'progress', fraction }));
      await postMessage({ kind: 'answer', answer: jobResult });
    })();
  });
}
