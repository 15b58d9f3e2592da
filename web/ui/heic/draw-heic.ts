/** Whether a browser that is not Apple's will not draw it. */
export const isHeic = ({ name, type }: File): boolean => /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type);

/** Of many that are chosen at once one after the other: each takes as much memory as its pixels. */
let before: Promise<unknown> = Promise.resolve();

/** A small picture of a HEIC file, drawn in this browser; undefined where it cannot be, or is no longer wanted. */
export function drawHeic(file: File, signal: AbortSignal): Promise<Blob | undefined> {
  const drawn = before.then(() => (signal.aborted ? undefined : drawInWorker(file, signal)));
  before = drawn;
  return drawn;
}

function drawInWorker(file: File, signal: AbortSignal): Promise<Blob | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' });
    const end = (drawn?: Blob) => {
      worker.terminate();
      resolve(drawn);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | undefined>) => end(data));
    // It did not come, or this browser has no such workers: the shop's own copy follows.
    worker.addEventListener('error', () => end());
    signal.addEventListener('abort', () => end(), { once: true });
    worker.postMessage(file);
  });
}
