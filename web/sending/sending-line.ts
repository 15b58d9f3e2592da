/** What a browser sends at once to one shop; more would only make each of them slower. */
const atOnce = 6;
/** How long to wait before something that was lost is sent again: a short gap heals unseen, a long one is told. */
const pausesMs = [1000, 4000, 10_000];

/** The connection lost it; or the shop is too busy, and wants nothing more for this long. */
export type Loss = 'lost' | { busyMs: number };

interface Scope<T> {
  /** Sends it, and says whether it has to come again. It reports success and refusal itself. */
  send: (item: T) => Promise<'done' | Loss>;
  /** Resolves when it makes sense to try again, after this long at the earliest. */
  pause: (ms: number) => Promise<void>;
  /** The connection is gone for good: neither these nor what waited behind them arrived. */
  onGivenUp: (items: T[]) => void;
  /** Nothing is on its way any more. */
  onEnd: () => void;
}

/**
 * Send things all at once while the connection carries them. What it loses comes again by itself, and from then on one
 * goes after the other: a slow line carries one photo in the time in which six run out of theirs.
 */
export function createSendingLine<T>({ send, pause, onGivenUp, onEnd }: Scope<T>) {
  const waiting: { item: T; losses: number }[] = [];
  let running = 0;
  let most = atOnce;
  let busyUntil = 0;
  const enders: (() => void)[] = [];

  function go() {
    for (let next; running < most && (next = waiting.shift());) void run(next);
  }
  async function run({ item, losses }: { item: T; losses: number }) {
    running += 1;
    const pauseMs = Math.max(pausesMs[losses - 1] ?? 0, busyUntil - Date.now());
    if (pauseMs > 0) await pause(pauseMs);
    const outcome = await send(item);
    running -= 1;
    if (outcome !== 'done') {
      most = 1;
      if (outcome !== 'lost') busyUntil = Math.max(busyUntil, Date.now() + outcome.busyMs);
      if (losses < pausesMs.length) waiting.unshift({ item, losses: losses + 1 });
      else onGivenUp([item, ...waiting.splice(0).map((it) => it.item)]);
    }
    if (running + waiting.length > 0) return go();
    most = atOnce;
    onEnd();
    for (const resolve of enders.splice(0)) resolve();
  }

  return {
    add(items: readonly T[]) {
      waiting.push(...items.map((item) => ({ item, losses: 0 })));
      go();
    },
    /** Resolves once nothing is on its way; at once where nothing is. */
    async ended() {
      if (running + waiting.length > 0) await new Promise<void>((resolve) => enders.push(resolve));
    },
  };
}
