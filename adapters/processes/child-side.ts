/** The descriptor of the first of the `files` a child is handed: after its output, its errors and its parent. */
export const firstFile = 4;

/** What a parent tells its child. */
export type ToChild<Job = unknown> = { job: Job } | { leave: true };

/** What a child tells its parent. */
export type FromChild<Answer> =
  | { kind: 'started' }
  | { kind: 'progress'; fraction: number }
  | { kind: 'answer'; answer: Answer };

/**
 * The child's half of `startChild`: take a job of the parent, do it, answer, wait for the next. A parent that is gone takes
 * the child with it. What the jobs are, parent and child have agreed on.
 */
export function doJobsOfParent<Answer>(
  work: (job: never, tellProgress: (fraction: number) => void) => Promise<Answer>,
): void {
  const tell = (message: FromChild<Answer>) =>
    new Promise<void>((told, failed) => {
      if (!process.send) throw new Error('this program is started by its parent process');
      process.send(message, undefined, undefined, (error) => (error ? failed(error) : told()));
    });
  process.once('disconnect', () => process.exit());
  process.on('message', (message: ToChild<never>) => {
    if ('leave' in message) return process.disconnect();
    void (async () => {
      await tell({ kind: 'started' });
      const answer = await work(message.job, (fraction) => void tell({ kind: 'progress', fraction }));
      await tell({ kind: 'answer', answer });
    })();
  });
}
