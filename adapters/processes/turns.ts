/** Work whose turn has come; `othersWait` says whether another key's waits for a place now. */
export type WorkInTurn<T> = (othersWait: () => boolean) => Promise<T>;

/**
 * Lets at most `places` pieces of work run at once, and one of each key's. The keys take turns, however much work one of
 * them brings; the work of one key is done in order of arrival.
 */
export function takeTurns(places: number): <T>(key: string, work: WorkInTurn<T>) => Promise<T> {
  const running = new Set<string>();
  /** By key, in order of their turns: who had one goes to the end. */
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
