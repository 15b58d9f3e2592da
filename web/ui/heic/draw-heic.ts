/** Whether a file is a HEIC picture. Only Apple's browsers can display HEIC pictures. */
export const isHeic = ({ name, type }: File): boolean => /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type);

/** The decoding that was started last. Files are decoded one by one, because each needs memory for all its pixels. */
let lastDecoding: Promise<unknown> = Promise.resolve();

/** Decodes a HEIC file to a small picture in the browser. Resolves to undefined on failure or after an abort. */
export function drawHeic(file: File, signal: AbortSignal): Promise<Blob | undefined> {
  const drawnPhoto = lastDecoding.then(() => (signal.aborted ? undefined : drawInWorker(file, signal)));
  lastDecoding = drawnPhoto;
  return drawnPhoto;
}

function drawInWorker(file: File, signal: AbortSignal): Promise<Blob | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' });
    const endDecoding = (drawn?: Blob) => {
      worker.terminate();
      resolve(drawn);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | undefined>) => endDecoding(data));
    // The worker did not load, or the browser has no module workers. The photo is shown once the server has it.
    worker.addEventListener('error', () => endDecoding());
    signal.addEventListener('abort', () => endDecoding(), { once: true });
    worker.postMessage(file);
  });
}
