/**
 * Do this once no other tab of this browser does it for this sender. Until it has resolved the others wait; the signal
 * lets go. Where the browser has no locks it is done at once.
 */
export async function inOneTab(senderId: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!globalThis.navigator?.locks) return work();
  const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  try {
    await navigator.locks.request(`kinframe-upload:${senderId}`, { signal }, () => Promise.race([work(), left]));
  } catch (error) {
    if (!signal.aborted) throw error; // else the page was left before its turn came
  }
}
