/**
 * Runs `work` in only one tab of this browser at a time for each sender (a customer, or a guest's link). Other tabs
 * wait until `work` resolves or the signal aborts. If the browser does not support locks, `work` runs at once.
 */
export async function runInOneTab(senderId: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!globalThis.navigator?.locks) return work();
  const abortedPromise = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  try {
    await navigator.locks.request(`kinframe-upload:${senderId}`, { signal }, () =>
      Promise.race([work(), abortedPromise]),
    );
  } catch (error) {
    if (!signal.aborted) throw error; // an aborted signal means that the person left the page during the wait
  }
}
