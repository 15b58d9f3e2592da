/** Browsers open about this many connections to one host. More would only slow each upload down. */
const concurrency = 6;
/**
 * The delays before each retry, in ms. A short outage stays invisible; after the last retry the person sees the
 * failure.
 */
const retryDelaysMs = [1000, 4000, 10_000];

/** Why an item must be retried. `lost`: the connection broke. `busyMs`: the shop accepts nothing for this many ms. */
export type RetryReason = 'lost' | { busyMs: number };

interface QueueOptions<T> {
  /** Sends the item and returns whether to retry it. This function itself reports a success or a refusal. */
  send: (item: T) => Promise<'done' | RetryReason>;
  /** Resolves when a retry makes sense, after `ms` at the earliest. */
  pause: (ms: number) => Promise<void>;
  /** Called when an item fails after its last retry, with this item and all items that wait in the queue. */
  onGivenUp: (items: T[]) => void;
  /** Called when nothing is being sent anymore. */
  onEnd: () => void;
}

/**
 * Sends up to six items in parallel. If an item is lost, the queue retries it, and sends one item at a time until it is
 * empty: on a slow connection, six parallel photos time out, but a single photo arrives.
 */
export function createUploadQueue<T>({ send, pause, onGivenUp, onEnd }: QueueOptions<T>) {
  const waitingItems: { item: T; losses: number }[] = [];
  let runningCount = 0;
  let mostConcurrent = concurrency;
  let busyUntil = 0;
  const idleResolvers: (() => void)[] = [];

  function startNextItems() {
    for (let next; runningCount < mostConcurrent && (next = waitingItems.shift());) void sendItem(next);
  }
  async function sendItem({ item, losses }: { item: T; losses: number }) {
    runningCount += 1;
    const pauseMs = Math.max(retryDelaysMs[losses - 1] ?? 0, busyUntil - Date.now());
    if (pauseMs > 0) await pause(pauseMs);
    const sendOutcome = await send(item);
    runningCount -= 1;
    if (sendOutcome !== 'done') {
      mostConcurrent = 1;
      if (sendOutcome !== 'lost') busyUntil = Math.max(busyUntil, Date.now() + sendOutcome.busyMs);
      if (losses < retryDelaysMs.length) waitingItems.unshift({ item, losses: losses + 1 });
      else onGivenUp([item, ...waitingItems.splice(0).map((it) => it.item)]);
    }
    if (runningCount + waitingItems.length > 0) return startNextItems();
    mostConcurrent = concurrency;
    onEnd();
    for (const resolve of idleResolvers.splice(0)) resolve();
  }

  return {
    add(items: readonly T[]) {
      waitingItems.push(...items.map((item) => ({ item, losses: 0 })));
      startNextItems();
    },
    /** Resolves when nothing is being sent: at once if the queue is empty, otherwise after the last item. */
    async waitUntilIdle() {
      if (runningCount + waitingItems.length > 0) await new Promise<void>((resolve) => idleResolvers.push(resolve));
    },
  };
}
