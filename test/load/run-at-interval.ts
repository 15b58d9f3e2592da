import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Starts an action `times` times at a fixed interval, regardless of how long each takes. Resolves once all have
 * finished.
 */
export async function runAtInterval(
  times: number,
  everyMs: number,
  act: (at: number) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  const startedActions: Promise<unknown>[] = [];
  for (let at = 0; at < times; at++) {
    await sleep(Math.max(0, startedAt + at * everyMs - performance.now()));
    const startedAction = act(at);
    startedAction.catch(() => {}); // errors are handled at the end
    startedActions.push(startedAction);
  }
  await Promise.all(startedActions);
}

/** Starts a stopwatch. The returned function gives the seconds since the start. */
export const createStopwatch = () => {
  const startedAt = performance.now();
  return () => (performance.now() - startedAt) / 1000;
};

/** Returns the 95th percentile. */
export const percentile95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN;

/** Runs an action for each item, with `lanes` at a time. */
export async function runWithConcurrency<T>(
  lanes: number,
  list: readonly T[],
  act: (one: T) => Promise<unknown>,
): Promise<void> {
  const remainingItems = list.values();
  const runLane = async () => {
    for (const item of remainingItems) await act(item);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
}
