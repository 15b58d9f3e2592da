/** Work that runs when its turn comes. `othersWait` returns whether another key waits for a place now. */
export type FairQueueTask<T> = (othersWait: () => boolean) => Promise<T>;

/**
 * Runs at most `places` pieces of work at once, and at most one per key. Keys take turns, however much work one of them
 * has. The work of one key runs in order of arrival.
 */
export function createFairQueue(places: number): <T>(key: string, work: FairQueueTask<T>) => Promise<T> {
  const running = new Set<string>();
  /** The waiting work by key. The first key has the next turn. A key that had its turn moves to the end. */
  const waiting = new Map<string, (() => void)[]>();

  const othersWait = () => [...waiting.keys()].some((key) => !running.has(key));

  const callNext = () => {
    if (running.size === places) return;
    for (const [key, [first, ...others]] of waiting) {
      if (running.has(key)) continue;
      waiting.delete(key);
      if (others.length > 0) waiting.set(key, others);
      running.add(key);
      return first?.();
    }
  };

  return async (key, work) => {
    await new Promise<void>((called) => {
      waiting.set(key, [...(waiting.get(key) ?? []), called]);
      callNext();
    });
    try {
      return await work(othersWait);
    } finally {
      running.delete(key);
      callNext();
    }
  };
}
