import { setTimeout as sleep } from 'node:timers/promises';

/** Begin an act so many times, one a beat, however long each takes. Resolves once all are over. */
export async function onTheBeat(times: number, everyMs: number, act: (at: number) => Promise<unknown>): Promise<void> {
  const began = performance.now();
  const acts: Promise<unknown>[] = [];
  for (let at = 0; at < times; at++) {
    await sleep(Math.max(0, began + at * everyMs - performance.now()));
    const begun = act(at);
    begun.catch(() => {}); // looked at in the end
    acts.push(begun);
  }
  await Promise.all(acts);
}

/** Seconds since then. */
export const stopwatch = () => {
  const began = performance.now();
  return () => (performance.now() - began) / 1000;
};

/** Of a hundred, the one that five are slower than. */
export const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN;

/** Do this for each of them, so many at once. */
export async function inLanes<T>(lanes: number, list: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  const waiting = list.values();
  const lane = async () => {
    for (const one of waiting) await act(one);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
