/** Work that runs when its turn comes. `areOthersWaiting` returns whether another key waits for a place now. */
export type FairQueueTask<T> = (areOthersWaiting: () => boolean) => Promise<T>;

/**
 * Runs at most `places` pieces of work at once, and at most one per key. Keys take turns, however much work one of them
 * has. The work of one key runs in order of arrival.
 */
export function createFairQueue(places: number): <T>(key: string, work: FairQueueTask<T>) => Promise<T> {
  const runningKeys = new Set<string>();
  /** The waiting work by key. The first key has the next turn. A key that had its turn moves to the end. */
  const waitingByKey = new Map<string, (() => void)[]>();

  const areOthersWaiting = () => [...waitingByKey.keys()].some((key) => !runningKeys.has(key));

  const callNext = () => {
    if (runningKeys.size === places) return;
    for (const [key, [first, ...others]] of waitingByKey) {
      if (runningKeys.has(key)) continue;
      waitingByKey.delete(key);
      if (others.length > 0) waitingByKey.set(key, others);
      runningKeys.add(key);
      return first?.();
    }
  };

  return async (key, work) => {
    await new Promise<void>((called) => {
      waitingByKey.set(key, [...(waitingByKey.get(key) ?? []), called]);
      callNext();
    });
    try {
      return await work(areOthersWaiting);
    } finally {
      runningKeys.delete(key);
      callNext();
    }
  };
}
