/** The descriptor of the first of the `files` a child is handed: after its output, its errors and its parent. */
export const firstFile = 4;

/** What a child tells its parent. */
export type FromChild<Answer> =
  | { kind: 'started' }
  | { kind: 'progress'; fraction: number }
  | { kind: 'answer'; answer: Answer };

/**
 * The child's half of `runInChild`: take the parent's one job, do it, answer, leave. A parent that is gone takes the
 * child with it. What the job is, parent and child have agreed on.
 */
export function doJobOfParent<Answer>(
  work: (job: never, tellProgress: (fraction: number) => void) => Promise<Answer>,
): void {
  const tell = (message: FromChild<Answer>) =>
    new Promise<void>((told, failed) => {
      if (!process.send) throw new Error('this program is started by its parent process');
      process.send(message, undefined, undefined, (error) => (error ? failed(error) : told()));
    });
  // Also after our own answer: the channel is closed and nothing is left to do.
  process.once('disconnect', () => process.exit());
  process.once('message', (message: { job: never }) => {
    void (async () => {
      await tell({ kind: 'started' });
      const answer = await work(message.job, (fraction) => void tell({ kind: 'progress', fraction }));
      await tell({ kind: 'answer', answer });
      process.disconnect();
    })();
  });
}
